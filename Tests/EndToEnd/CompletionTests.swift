import Foundation
import Testing

@Suite("Completion") struct CompletionTests {
  /// A shell, how it is started, and how it is taught.
  struct Shell: CustomTestStringConvertible {
    var testDescription: String
    var words: [String]
    var first: String
    /// A candidate as it is listed.
    var listed = "my home   -- About my home"
    var variables: [String: String] = [:]
  }

  private static let bash = ["bash", "--noprofile", "--norc", "-i"]
  static let shells = [
    Shell(
      testDescription: "bash", words: bash, first: "source <(fenceline completions bash)",
      listed: "my home  (About my home)"),
    Shell(
      testDescription: "bash with bash-completion", words: bash,
      first: """
        mkdir -p data/bash-completion/completions && \
        fenceline completions bash > data/bash-completion/completions/fenceline && \
        source /usr/share/bash-completion/bash_completion
        """, listed: "my home  (About my home)", variables: ["XDG_DATA_HOME": "data"]),
    Shell(testDescription: "zsh", words: ["zsh", "-f"], first: "source <(fenceline completions zsh)"),
    Shell(
      testDescription: "zsh with fpath", words: ["zsh", "-f"],
      first: """
        mkdir functions && fenceline completions zsh > functions/_fenceline && fpath=(functions $fpath) && \
        autoload -Uz compinit && compinit -u -D
        """),
    Shell(
      testDescription: "fish", words: ["fish", "--no-config"], first: "fenceline completions fish | source",
      listed: "(About my home)"),
  ]

  /// A database with ids that shells make much of.
  private func filled() throws -> Scratch {
    let scratch = try Scratch()
    let ids = [
      "office", "my home", "my house", "a:b", "a:c", "it's", "cost$5", "zürich", "x\"y", "b!g",
      "e$(touch evil)`id`", "q\\t",
      "star*", "(p)",
    ]
    for id in ids {
      let run = try scratch.fenceline("region", "add", "-q", id, "47", "8", "100m", "--title", "About \(id)")
      try #require(run.status == 0, "\(run.error)")
    }
    try scratch.write("my file.nmea", "")
    return scratch
  }

  @Test(arguments: shells) func wordsArriveQuotedAsTheShellNeedsThem(_ shell: Shell) throws {
    let scratch = try filled()
    let lines: [(keys: String, words: [String])] = [
      (shell.first + "; fenceline ready", ["ready"]),
      ("fenceline regi\t sho\t offi\t", ["region", "show", "office"]),
      ("~/bin/fenceline regi\t sho\t offi\t", ["region", "show", "office"]),
      ("fenceline region show my\\ ho\tu\t", ["region", "show", "my house"]),
      ("fenceline region show 'my ho\tu\t", ["region", "show", "my house"]),
      ("fenceline region show \"my ho\tu\t", ["region", "show", "my house"]),
      ("fenceline region show a\tc\t", ["region", "show", "a:c"]),
      ("fenceline region show a:\tc\t", ["region", "show", "a:c"]),
      ("fenceline region show it\t", ["region", "show", "it's"]),
      ("fenceline region show 'it\t", ["region", "show", "it's"]),
      ("fenceline region show cos\t", ["region", "show", "cost$5"]),
      ("fenceline region show \"cos\t", ["region", "show", "cost$5"]),
      ("fenceline region show zü\t", ["region", "show", "zürich"]),
      ("fenceline region show x\t", ["region", "show", "x\"y"]),
      ("fenceline region show \"x\t", ["region", "show", "x\"y"]),
      ("fenceline region show b\t", ["region", "show", "b!g"]),
      ("fenceline region show \"b\t", ["region", "show", "b!g"]),
      ("fenceline region show 'q\t", ["region", "show", "q\\t"]),
      ("fenceline region show q\\\\\t", ["region", "show", "q\\t"]),
      ("fenceline region show st\t", ["region", "show", "star*"]),
      ("fenceline region show \\(\t", ["region", "show", "(p)"]),
      (
        "fenceline region edit offi\t --no-o\t --pro\tste\t",
        ["region", "edit", "office", "--no-once", "--profile", "steady"]
      ),
      ("fenceline region show e\t", ["region", "show", "e$(touch evil)`id`"]),
      ("fenceline region show \"e\t", ["region", "show", "e$(touch evil)`id`"]),
      ("fenceline history --kind=entry,ex\t", ["history", "--kind=entry,exit"]),
      ("fenceline history --kin\tentry,ex\t", ["history", "--kind", "entry,exit"]),
      ("fenceline region add x 47 8 25k\t", ["region", "add", "x", "47", "8", "25km"]),
      // The shell's own.
      ("fenceline replay my\t", ["replay", "my file.nmea"]),
      ("fenceline replay 'my f\t", ["replay", "my file.nmea"]),
      ("fenceline replay ~/my\t", ["replay", scratch.path("my file.nmea")]),
      ("fenceline replay my\t> my\t", ["replay", "my file.nmea"]),
      ("fenceline --db=my\t runs", ["--db=my file.nmea", "runs"]),
    ]
    let typed = lines.map { InteractiveShell.Line($0.keys) }
    let listing = InteractiveShell.Line("fenceline region show m\t\t\t", shows: shell.listed)
    let seen = try InteractiveShell.type(
      typed + [listing], into: shell.words, in: scratch, with: shell.variables)
    #expect(seen.count == lines.count)
    #expect(try !scratch.names.contains("evil"))
    for (line, words) in zip(lines, seen) { #expect(words == line.words, "\(line.keys)") }
  }

  /// What the program tells fish of a line; the others get the same candidates.
  private func candidates(_ scratch: Scratch, _ words: String..., with variables: [String: String] = [:])
    throws
    -> [String]
  {
    let run = try RunningProgram(
      [Project.program, "__complete", "fish", "--"] + words, environment: scratch.environment(variables),
      in: scratch.folder
    ).result()
    #expect(run.status == 0 && run.error == "" && run.lines.first == "words")
    return Array(run.lines.dropFirst())
  }

  @Test func namesComeFromTheDatabaseOfTheLine() throws {
    let scratch = try Scratch.withRegions()
    _ = try scratch.fenceline("replay", "-q", Project.data("bus.csv"))
    _ = try scratch.fenceline("region", "add", "elsewhere", "1", "2", "50", "--db", "other.db")
    try #require(try candidates(scratch, "region", "show", "off").count == 1)
    #expect(try candidates(scratch, "--db", "other.db", "region", "show", "") == ["elsewhere\t"])
    #expect(try candidates(scratch, "region", "--db=~/other.db", "remove", "") == ["elsewhere\t"])
    #expect(
      try candidates(scratch, "region", "show", "", with: ["FENCELINE_DB": "other.db"]) == ["elsewhere\t"])
    let source = Project.data("bus.csv")
    #expect(try candidates(scratch, "history", "--run", "") == ["last\t\(source)", "1\t\(source)"])
    #expect(try candidates(scratch, "runs", "remove", "") == ["1\t\(source)"])
    #expect(try candidates(scratch, "history", "--device", "bus-3") == ["bus-31\t"])
    #expect(try candidates(scratch, "__comp") == [])
  }

  @Test func whereThereIsNoDatabaseNothingIsSaidAndNothingMade() throws {
    let scratch = try Scratch()
    try scratch.write("text.db", "no database at all")
    try scratch.write("empty.db", "")
    for path in ["none.db", "no/folder.db", "text.db", "empty.db", "/", "", ":memory:"] {
      #expect(try candidates(scratch, "--db", path, "region", "show", "") == [])
    }
    for variables in [["FENCELINE_DB": ""], ["FENCELINE_DB": "", "HOME": "", "XDG_STATE_HOME": ""]] {
      #expect(try candidates(scratch, "region", "show", "", with: variables) == [])
    }
    #expect(try scratch.names == ["empty.db", "text.db"])
    #expect(try scratch.text("empty.db") == "")
  }

  @Test func aDatabaseInUseDelaysNobody() throws {
    let scratch = try Scratch.withRegions()
    let run = try scratch.shell(
      """
      python3 -c '
      import os, sqlite3, subprocess, sys
      holder = sqlite3.connect(sys.argv[1], isolation_level=None)
      holder.execute("PRAGMA journal_mode = DELETE"); holder.execute("BEGIN EXCLUSIVE")
      sys.exit(subprocess.call([os.environ["FENCELINE"], "__complete", "fish", "--", "region", "show", ""]))
      ' "$1"
      """, scratch.database)
    #expect(run.status == 0 && run.output == "words\n" && run.error == "")
  }

  @Test func theScriptsAreSoundAndOnlyForShellsThatThereAre() throws {
    let scratch = try Scratch()
    for shell in ["bash", "zsh", "fish"] {
      try scratch.write("script", try scratch.fenceline("completions", shell).output)
      let check = try scratch.shell("\(shell) -n script")
      #expect(check.status == 0 && check.error == "")
    }
    #expect(try scratch.fenceline("completions", "tcsh").status == 64)
  }
}
