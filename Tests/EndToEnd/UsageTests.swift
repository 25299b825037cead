import Foundation
import Testing

@Suite("Usage") struct UsageTests {
  /// What someone types, and the sentence that answers.
  struct Mistake: CustomTestStringConvertible, Sendable {
    var words: [String]
    var sentence: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ line: String, _ sentence: String) {
      words = line.split(separator: " ").map(String.init)
      self.sentence = sentence
    }
  }

  static let mistakes = [
    Mistake("replai x", "Unknown command 'replai' for 'fenceline'. Did you mean 'replay'?"),
    Mistake("region shwo x", "Unknown command 'shwo' for 'fenceline region'. Did you mean 'show'?"),
    Mistake("frobnicate", "Unknown command 'frobnicate' for 'fenceline'."),
    Mistake(
      "replay --profil exact x",
      "Unknown option '--profil' for 'fenceline replay'. Did you mean '--profile'?"),
    Mistake("history -z", "Unknown option '-z' for 'fenceline history'."),
    Mistake(
      "replay --profile exakt x",
      "Invalid value 'exakt' for '--profile': choose exact, fast, balanced or steady. Did you mean 'exact'?"),
    Mistake(
      "history --format tabel",
      "Invalid value 'tabel' for '--format': choose table, json, csv, geojson or gpx. Did you mean 'table'?"),
    Mistake("replay", "The argument 'FILE' is missing."),
    Mistake("region add a 47 8", "The argument 'RADIUS' is missing."),
    Mistake("region add a 47 8 -5", "Invalid value '-5' for 'RADIUS': "),
    Mistake("region add a 95 8 50", "Invalid value '95 8' for 'LAT LON': "),
    Mistake("runs remove x", "Invalid value 'x' for 'ID': a whole number of 1 or more is needed."),
    Mistake("history --limit 0", "Invalid value '0' for '--limit': "),
    Mistake("history --since tomorow", "Invalid value 'tomorow' for '--since': a time reads like "),
    Mistake("history --run first", "Invalid value 'first' for '--run': a run is a number, 'live' or 'last'."),
    Mistake("history --db", "The option '--db' needs a value"),
    Mistake("replay --date 2026-02-30 x", "Invalid value '2026-02-30' for '--date': "),
    Mistake("replay --speed 0 x", "Invalid value '0' for '--speed': "),
    Mistake("runs --json=yes", "The option '--json' takes no value"),
    Mistake("region list extra", "Unexpected argument 'extra'"),
  ]

  @Test(arguments: mistakes) func aMistakeGetsASentenceTheUsageAndNoDatabase(_ mistake: Mistake) throws {
    let scratch = try Scratch()
    let run = try RunningProgram(
      [Project.program] + mistake.words, environment: scratch.environment(), in: scratch.folder
    ).result()
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.error.hasPrefix("error: " + mistake.sentence), "\(run.error)")
    #expect(run.messages.count == 3)
    #expect(run.messages.dropFirst().first?.hasPrefix("usage: fenceline") == true)
    #expect(run.messages.last?.hasPrefix("See 'fenceline") == true)
    #expect(try scratch.names == [])
  }

  @Test func aMisspeltRegionGetsTheNearestOne() throws {
    let scratch = try Scratch.withRegions()
    let before = try scratch.contents()
    for verb in ["show", "edit", "remove", "enable", "disable"] {
      let run = try scratch.fenceline("region", verb, "ofice")
      #expect(run.status == 64 && run.output.isEmpty)
      let effect = ["show", "edit"].contains(verb) ? "" : "; nothing was changed"
      #expect(run.error == "error: There is no region 'ofice'\(effect). Did you mean 'office'?\n")
    }
    let both = try scratch.fenceline("region", "disable", "office", "ofice")
    #expect(both.status == 64)
    let far = try scratch.fenceline("region", "show", "xyzzy-unlike-any")
    #expect(far.error.contains("'fenceline region list' lists them."))
    #expect(try scratch.contents() == before)
  }

  @Test func negativeCoordinatesNeedNoTrick() throws {
    let scratch = try Scratch()
    let places = [
      ["-33.8568", "-151.2153"], ["-33.8568,-151.2153"], ["33 51 24.48 S", "151 12 55.08 W"],
    ]
    for (number, place) in places.enumerated() {
      let run = try RunningProgram(
        [Project.program, "region", "add", "place-\(number)"] + place + ["50m"],
        environment: scratch.environment(), in: scratch.folder
      ).result()
      #expect(run.status == 0, "\(run.error)")
    }
    let near = try scratch.fenceline("region", "near", "-33.8568", "-151.2153", "--json")
    #expect(near.status == 0)
    #expect(near.lines.count == 3 && near.lines.allSatisfy { $0.contains("\"inside\":true") })
    #expect(try scratch.fenceline("region", "edit", "place-0", "--centre", "-1,-2").status == 0)
    #expect(
      try scratch.fenceline("region", "show", "place-0", "--json").output
        .contains("\"latitude\":-1,\"longitude\":-2,"))
  }

  @Test func theDatabaseMayBeNamedAnywhere() throws {
    let scratch = try Scratch()
    let words = [
      ["--db", "a.db", "region", "add", "x", "1", "2", "50"], ["region", "--db=a.db", "list"],
      ["region", "list", "--db", "a.db"],
    ]
    for words in words {
      let run = try RunningProgram(
        [Project.program] + words, environment: scratch.environment(), in: scratch.folder
      ).result()
      #expect(run.status == 0, "\(run.error)")
    }
    #expect(try scratch.names == ["a.db"])
    // The option goes before the variable, the variable before the user's own folder.
    #expect(try scratch.fenceline("region", "list", "--db", "a.db").lines.count == 2)
    #expect(try scratch.fenceline("region", "list", with: ["FENCELINE_DB": "a.db"]).lines.count == 2)
    #expect(
      try scratch.fenceline("region", "add", "y", "1", "2", "50", with: ["FENCELINE_DB": ""]).status == 0)
    #expect(try scratch.names == ["a.db", "state"])
    let modes = try scratch.shell("stat -c %a a.db state state/fenceline state/fenceline/fenceline.db")
    #expect(modes.lines == ["600", "700", "700", "600"])
  }

  @Test func withoutAHomeADatabaseMustBeNamed() throws {
    let run = try Scratch().fenceline(
      "runs", with: ["HOME": "", "XDG_STATE_HOME": "", "FENCELINE_DB": ""])
    #expect(run.status == 78 && run.output.isEmpty)
    #expect(run.errors.count == 1 && run.messages.count == 1 && run.error.contains("--db"))
    #expect(try Scratch().fenceline("--db", ":memory:", "runs").status == 64)
  }

  @Test func whatIsNotUTF8NamesNoFile() throws {
    let scratch = try Scratch()
    try scratch.write("caf\u{FFFD}.gpx", Data(contentsOf: URL(filePath: Project.data("walk.gpx"))))
    let run = try scratch.shell(#""$FENCELINE" fixes "$(printf 'caf\351.gpx')""#)
    #expect(run.status == 64 && run.output == "")
    #expect(
      run.error
        == "error: The argument 'caf\u{FFFD}.gpx' is not UTF-8. Where it names a file, rename that, or give its content on standard input.\n"
    )
    #expect(try scratch.fenceline("fixes", "caf\u{FFFD}.gpx").status == 0)
  }

  @Test func whatIsVeryLongIsNotEchoedWhole() throws {
    let scratch = try Scratch.withRegions()
    let long = String(repeating: "x", count: 3000)
    for words in [
      [long], ["--\(long)"], ["region", "show", long], ["region", "add", long, "47", "8", "9"],
      ["fixes", "/\(long)/y"],
      ["region", "import", long], ["runs", "--db", "/\(long)"], ["history", "--since", long], ["man", long],
      ["region", "add", "a", "1", "2", "3", "--active", "Mon 08:00-09:00 \(long)"],
    ] {
      let run = try RunningProgram(
        [Project.program] + words, environment: scratch.environment(), in: scratch.folder
      ).result()
      let line = try #require(run.messages.first)
      #expect(
        run.status >= 64 && line.contains("xxx…xxx") && line.count < 400, "\(words.first ?? ""): \(line)")
    }
  }

  @Test func anIdThatIsTakenIsNotOverwritten() throws {
    let scratch = try Scratch.withRegions()
    let before = try scratch.contents()
    let run = try scratch.fenceline("region", "add", "cafe", "1", "2", "50")
    #expect(run.status == 73 && run.output.isEmpty && run.messages.count == 1)
    #expect(run.error.hasPrefix("error: There is a region 'cafe' already."))
    #expect(try scratch.contents() == before)
  }
}
