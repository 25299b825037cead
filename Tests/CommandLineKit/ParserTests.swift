import FencelineTestSupport
import Testing

@testable import FencelineCommandLineKit

struct ParserTests {
  @Test func theDeclarationsOfTheSampleAreSound() {
    #expect(Sample.program.root.problems() == [])
  }

  @Test func faultsOfDeclarationsAreFound() {
    let many = Positional<String>("FILE", value: .text, help: "", repeatable: true)
    let perhaps = Positional<String>("ID", value: .text, help: "", required: false)
    let root = Command(
      "p", "", options: [Sample.json],
      subcommands: [
        Command("a", "", options: [Sample.json], run: { _ in 0 }),
        Command("b", "", positionals: [many, perhaps], run: { _ in 0 }),
        Command("c", "", positionals: [perhaps, Sample.id, Sample.json], run: { _ in 0 }),
        Command("d", "", options: [Flag("five", short: "5", help: "")]),
      ])
    #expect(
      root.problems() == [
        "a: '--json' is declared twice", "b: 'ID' can never be reached", "c: 'ID' can never be reached",
        "c: '--json' is no positional", "d: '--five' can never be an option", "d: does nothing",
      ])
  }

  @Test func typedValuesComeBackAsTheyWereDeclared() throws {
    let arguments = try Sample.arguments([
      "region", "add", "office", "47.3769", "8.5417", "1.5km", "--title=At work", "--dwell", "10m",
      "--dwell=2h30m",
      "--profile", "steady", "--on", "entry,exit", "--priority", "7", "--exit-margin", "300ft",
    ])
    #expect(arguments.path.map(\.name) == ["fenceline", "region", "add"])
    #expect(arguments[Sample.id] == "office")
    #expect(arguments[Sample.latitude] == 47.3769)
    #expect(arguments[Sample.radius] == 1_500)
    #expect(arguments[Sample.title] == "At work")
    #expect(arguments[all: Sample.dwell] == [600, 9_000])
    #expect(arguments[Sample.profile] == .steady)
    #expect(arguments[Sample.kinds] == ["entry", "exit"])
    #expect(arguments[Sample.priority] == 7)
    #expect(arguments[Sample.margin] == 300 * 0.3048)
    #expect(arguments[Sample.database] == nil)
    #expect(!arguments[Sample.json])
    #expect(arguments[ifGiven: Sample.notify] == nil)
  }

  @Test func negativeNumbersAndCoordinatesNeedNoTrick() throws {
    let arguments = try Sample.arguments([
      "region", "add", "x", "-33.8", "-.5", "9", "--title", "-33.8,151.2",
    ])
    #expect(arguments[Sample.latitude] == -33.8)
    #expect(arguments[Sample.longitude] == -0.5)
    #expect(arguments[Sample.title] == "-33.8,151.2")
    let replay = try Sample.arguments(["replay", "-", "--since", "-2h"])
    #expect(replay[all: Sample.files] == ["-"])
    #expect(replay[Sample.since] == "-2h")
    #expect(try Sample.arguments(["replay", "x", "--since=-2h"])[Sample.since] == "-2h")
  }

  @Test(
    arguments: [
      ("-", false), ("-1", false), ("-.5", false), ("-122.4194", false), ("-33.8,151.2", false),
      ("-2h", false), ("", false),
      ("a-b", false), ("--", true), ("-x", true), ("--radius", true), ("-.", true), ("-.x", true),
      ("-٣", true),
    ] as [(String, Bool)])
  func wordsThatAreOptions(_ word: String, isOption expected: Bool) {
    #expect(isOption(word) == expected)
  }

  @Test(arguments: [
    "--db x region list", "region --db x list", "region list --db x", "region list --db=x",
    "--json --db x -q region list",
  ])
  func commonOptionsStandAnywhere(_ line: String) throws {
    let arguments = try Sample.arguments(line.split(separator: " ").map(String.init))
    #expect(arguments.path.map(\.name) == ["fenceline", "region", "list"])
    #expect(arguments[Sample.database] == "x")
  }

  @Test func twoDashesEndTheOptions() throws {
    let arguments = try Sample.arguments(["region", "list", "--json", "--", "--db", "-h", "--"])
    #expect(arguments[all: Sample.names] == ["--db", "-h", "--"])
    #expect(arguments[Sample.json])
  }

  @Test func theLastOfAFlagAndItsInverseCounts() throws {
    let words = ["region", "add", "x", "1", "2", "3"]
    #expect(try Sample.arguments(words + ["--notify"])[ifGiven: Sample.notify] == true)
    #expect(try Sample.arguments(words + ["--notify", "--no-notify"])[ifGiven: Sample.notify] == false)
    #expect(try Sample.arguments(words + ["--no-notify", "--notify", "--notify"])[Sample.notify])
  }

  @Test func shortOptionsStandForTheirLongOnes() throws {
    #expect(try Sample.arguments(["map", "-o", "x.svg", "-q"])[Sample.output] == "x.svg")
    #expect(try Sample.arguments(["map", "-o=x.svg"])[Sample.output] == "x.svg")
  }

  @Test func aCommandMayRunAndHaveSubcommands() throws {
    #expect(try Sample.arguments(["runs"]).path.last?.name == "runs")
    #expect(try Sample.arguments(["runs", "remove", "3"])[Sample.id] == "3")
  }

  @Test func optionalPositionalsMayBeAbsent() throws {
    #expect(try Sample.arguments(["region", "list"])[ifGiven: Sample.names] == nil)
    #expect(try Sample.arguments(["region", "list", "a", "b"])[ifGiven: Sample.names] == "a")
  }

  @Test func aPositionalMayTakeOneWordOrTwo() throws {
    #expect(try Sample.arguments(["region", "near", "-33.8,151.2"])[Sample.place] == "-33.8,151.2")
    #expect(try Sample.arguments(["region", "near", "-33.8", "-151.2"])[Sample.place] == "-33.8 -151.2")
  }

  @Test func anOptionalPositionalOfTheWrongKindTraps() async {
    await #expect(processExitsWith: .failure) {
      let arguments = try Sample.arguments(["region", "list"])
      _ = arguments[Sample.names]
    }
  }

  @Test func noCommandLineCrashes() {
    let pieces = [
      "region", "add", "list", "near", "replay", "runs", "remove", "map", "help", "--help", "-h", "--version",
      "--", "-",
      "--db", "--db=", "--json", "--json=1", "--dwell", "--no-notify", "--title", "-o", "=", "--=", "", " ",
      "-1", "1e999",
      "nan", "9m", "-9m", "1d1d", "é", "👩‍👩‍👧", "\u{1B}[2J", "--\u{301}", "-q", "47.3,8.5", "--profile=fas",
      "--ünknown",
    ]
    var problem: String?
    forAll(seed: 1, count: 5_000) { random, seed in
      let words = (0..<Int.random(in: 0...9, using: &random)).map { _ -> String in
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
        return random.chance(0.2) ? String(piece.shuffled(using: &random)) : piece
      }
      guard case .misuse(let text) = Sample.program.outcome(of: words) else { return }
      let lines = text.split(separator: "\n")
      let isError =
        lines.count >= 3 && lines[0].hasPrefix("error: ") && lines[1].hasPrefix("usage: fenceline")
      let isHelp = text.contains("\n\nusage: ")
      if !(isError || isHelp) || text.contains("\u{1B}") { problem = "seed \(seed): \(words) gave \(text)" }
    }
    #expect(problem == nil)
  }
}
