import FencelineTestSupport
import Testing

@testable import FencelineCommandLineKit

struct CompletionTests {
  /// A half-typed line, split at spaces, and the words that may stand at its end.
  struct Line: CustomTestStringConvertible {
    var text: String
    var words: [String]
    var testDescription: String { text }

    init(_ text: String, _ words: String...) {
      self.text = text
      self.words = words
    }
  }

  private func completion(_ line: String, _ names: [Candidate] = []) -> Completion {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return Sample.program.completion(of: words) { _ in names }
  }

  /// Whole words; `<files>` for what the shell completes.
  private func words(_ completion: Completion) -> [String] {
    switch completion {
    case .files: ["<files>"]
    case .directories: ["<directories>"]
    case .words(let prefix, let candidates): candidates.map { prefix + $0.text }
    }
  }

  @Test(arguments: [
    Line("", "region", "replay", "runs", "map"), Line("r", "region", "replay", "runs"), Line("x"),
    Line("region ", "add", "list", "near"), Line("region s"), Line("help region a", "add"), Line("nonsense "),
    Line("runs ", "remove"), Line("--json --db x region l", "list"), Line("region secret"),
    // Options.
    Line("-", "--db", "--json", "--quiet", "-q", "--help", "-h", "--version"), Line("--j", "--json"),
    Line("--json -q --", "--db", "--help", "--version"), Line("region --v"), Line("runs -q", "-q"),
    Line(
      "region add --", "--title", "--exit-margin", "--dwell", "--profile", "--on", "--priority", "--notify",
      "--no-notify", "--db", "--json", "--quiet", "--help"),
    Line("region add --no", "--notify", "--no-notify"), Line("region add --no-notify --n"),
    Line("region add --dwell 5m --title=x --d", "--dwell", "--db"), Line("region add --t", "--title"),
    Line("region add --title --t"), Line("region add --s"),
    Line(
      "map ", "--output", "--db", "--json",
      "--quiet", "--help"),
    // Their values.
    Line("--db ", "<files>"), Line("--db=a", "<files>"), Line("--json="), Line("--nonsense="),
    Line("region add --profile ", "exact", "fast", "balanced", "steady"),
    Line("region add --profile=b", "--profile=balanced"), Line("region add --profile --t"),
    Line("region add --on e", "entry", "exit"), Line("region add --on entry,", "entry,exit"),
    Line("region add --on=exit,e", "--on=exit,entry"), Line("region add --on entry,exit,"),
    Line("region add --dwell 2", "2d", "2h", "2m", "2s"), Line("region add --dwell 2h30", "2h30m", "2h30s"),
    Line("region add --dwell 2x"), Line("region add --dwell "), Line("region add --dwell 5s"),
    Line("region add --exit-margin 1.5k", "1.5km"), Line("region add --exit-margin m"),
    Line("replay --since tod", "today"), Line("replay --since -", "-1h", "-1d", "-7d"),
    // Arguments by their places.
    Line("replay ", "<files>"), Line("replay a b", "<files>"),
    Line("region add a 1 2 3", "3m", "3km", "3nmi", "3ft", "3mi"),
    Line("region add a 1 2"), Line("region add a 1 2 --json 3k", "3km"), Line("region near 1 "),
    Line(
      "region add a 1 2 3m ", "--title", "--exit-margin", "--dwell", "--profile", "--on", "--priority",
      "--notify",
      "--no-notify", "--db", "--json", "--quiet", "--help"),
    Line("region near 1,2 ", "--db", "--json", "--quiet", "--help"),
    Line("region near 1 2 ", "--db", "--json", "--quiet", "--help"), Line("region near 1 2 --json -- "),
    Line("replay -- -", "<files>"), Line("region add -- --t"), Line("-- r"),
  ])
  func whatCanComeNext(_ line: Line) {
    #expect(words(completion(line.text)) == line.words)
  }

  @Test func namesAreAskedOfTheProgram() {
    var requests: [ListRequest] = []
    let names = ["office", "old", "my home", "élan", "a\u{1B}[2J", "o\nx"].map {
      Candidate($0, "About. More.")
    }
    func ask(_ words: [String]) -> Completion {
      Sample.program.completion(of: words) { request in
        requests.append(request)
        return names
      }
    }
    #expect(
      ask(["region", "list", "--db", "x", "o"])
        == .words(prefix: "", [Candidate("office", "About"), Candidate("old", "About")]))
    #expect(requests.last?.list == "regions" && requests.last?.prefix == "o")
    #expect(requests.last?.text(of: Sample.database) == "x")
    // What is named already is not named again, and what cannot be typed never.
    #expect(words(ask(["region", "list", "office", "old", ""])) == ["my home", "élan"])
    #expect(words(ask(["region", "list", "my h"])) == ["my home"])
    #expect(words(ask(["region", "list", "--", "é"])) == ["élan"])
    #expect(requests.last?.text(of: Sample.database) == nil)
  }

  @Test func commandsAreFoundWordByWord() {
    let command = Positional<String>(
      "COMMAND", value: .text(name: "COMMAND", hint: .command), help: "", required: false, repeatable: true)
    let program = Program(
      Command(
        "p", "",
        subcommands: [Command("man", "", positionals: [command], run: { _ in 0 }), Sample.region]),
      version: "")
    func words(_ line: String...) -> Completion { program.completion(of: line) { _ in [] } }
    #expect(words("man", "r") == .words(prefix: "", [Candidate("region", "Manage regions")]))
    #expect(words("man", "region", "a") == .words(prefix: "", [Candidate("add", "Register a region")]))
    #expect(words("man", "nonsense", "") == .nothing)
  }

  @Test func everyShellGetsItsForm() {
    let breaks = " \t\n\"'><=;|&(:"
    func answer(_ shell: CompletionScript, _ words: String..., names: String...) -> String {
      shell.answer(to: words) { words in
        Sample.program.completion(of: words) { _ in names.map { Candidate($0, "T:") } }
      }
    }
    #expect(answer(.fish, "region", "list", "a", names: "a:b", "a\\") == "words\na:b\tT:\na\\\tT:\n")
    #expect(answer(.zsh, "region", "list", "a", names: "a:b", "a\\") == "words\na:b\ta:b\tT:\na\\\ta\\\tT:\n")
    #expect(answer(.zsh, "region", "add", "--on=entry,e") == "words\n--on=entry,exit\texit\t\n")
    #expect(answer(.bash, "p region list 'a", breaks, "9", names: "a b", "a'b") == "words\na b\na'\\''b\n")
    #expect(answer(.bash, "p region list a:", breaks, "9", names: "a:b", "a:c") == "words\nb\nc\n")
    #expect(
      answer(.bash, "p region list a", breaks, "63", names: "a b", "ac") == "words\na b  (T:)\nac  (T:)\n")
    #expect(answer(.bash, "p region list a", breaks, "63", names: "a b") == "words\na\\ b\n")
    // What both begin with is `a\`, which must not be inserted.
    #expect(answer(.bash, "p region list a", breaks, "9", names: "a b", "a(b") == "words\n'a b'\na\\(b\n")
    #expect(answer(.bash, "p region list 'a", breaks, "9", names: "a\\b", "a\\c") == "words\na\\b\na\\c\n")
    #expect(answer(.bash, "p replay 2>", breaks, "9") == "files\n")
    #expect(answer(.bash, "p --db=", breaks, "9") == "files\n")
    #expect(answer(.bash) == "words\nregion\nreplay\nruns\nmap\n")
  }

  @Test func noHalfLineCrashes() {
    let pieces = [
      "region", "add", "list", "near", "--db", "--db=", "--on", "--on=entry,", "--", "-", "", "é", "e\u{301}",
      ",", "=",
      "--=", "-q", "5", "2h", "'", "\"", "\\", "> ", " ", "$", "👩‍👩‍👧", "\u{1B}",
    ]
    forAll(seed: 2, count: 5_000) { random, seed in
      let line = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      for shell in CompletionScript.allCases {
        let words =
          shell == .bash ? [line.joined(separator: random.chance(0.5) ? " " : ""), " :='\"", "9"] : line
        let answer = shell.answer(to: words) {
          Sample.program.completion(of: $0) { _ in [Candidate("é:\" '", "x")] }
        }
        if !answer.hasSuffix("\n") || answer.contains("\u{1B}") {
          Issue.record("seed \(seed): \(line) gave \(answer)")
        }
      }
    }
  }
}
