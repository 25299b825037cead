import Testing

@testable import FencelineCommandLineKit

struct HelpTests {
  @Test(arguments: ["--help", "-h", "help", "--help --db", "-q --help", "--nonsense --help"])
  func theProgramExplainsItself(_ line: String) {
    #expect(
      answer(line) == """
        Tell when a device enters or leaves a circle.

        usage: fenceline [options] COMMAND

        Commands:
          region       Manage regions.
          replay       Evaluate logs.
          map          Draw a picture.

        Journal:
          runs         List runs.

        Options:
          --db FILE    The database. (default: $FENCELINE_DB)
          --json       Print JSON Lines.
          -q, --quiet  Say nothing but errors.
          -h, --help   Show this help.
          --version    Show the version.

        """)
  }

  @Test(arguments: [
    "region add --help", "region add x -h 1 2 3 4 5", "help region add", "region help add",
    "region add --db -h",
  ])
  func aCommandExplainsItself(_ line: String) {
    #expect(
      answer(line) == """
        Register a region.

        usage: fenceline region add [options] ID LAT LON RADIUS

        A region is a circle on the ground.
        Coordinates are decimal degrees; negative ones need no trick.

        Arguments:
          ID                    The region's identifier.
          LAT                   Latitude in degrees.
          LON                   Longitude in degrees.
          RADIUS                The radius.

        Options:
          --title TEXT          What people call it.
          --exit-margin LENGTH  How far outside counts as outside. (default: the
                                profile's)
          --dwell DURATION      Tell when a visit has lasted so long. (repeatable)
          --profile PROFILE     How sure it must be. (exact, fast, balanced, steady;
                                default: balanced)
          --on KIND,…           What to tell. (entry, exit)
          --priority N          The order.

        Notification:
          --[no-]notify         Whether to tell at all.

        Common options:
          --db FILE             The database. (default: $FENCELINE_DB)
          --json                Print JSON Lines.
          -q, --quiet           Say nothing but errors.
          -h, --help            Show this help.

        Examples:
          fenceline region add office 47.3769 8.5417 100m
              Tells of entries and exits.

        """)
  }

  @Test func aGroupAloneIsMisuse() {
    guard case .misuse(let text) = Sample.outcome("region --json") else {
      Issue.record("no usage error")
      return
    }
    #expect(text.hasPrefix("Manage regions.\n\nusage: fenceline region [options] COMMAND\n"))
  }

  @Test(
    arguments: [
      ("runs", "usage: fenceline runs [options] [COMMAND]"),
      ("map", "usage: fenceline map [options] --output FILE"),
      ("replay", "usage: fenceline replay [options] FILE..."),
      ("region list", "usage: fenceline region list [options] [ID...]"),
    ] as [(String, String)])
  func usageLines(_ line: String, _ usage: String) {
    #expect(answer(line + " --help").contains("\n\(usage)\n"))
  }

  @Test func linesFitTheTerminal() {
    for width in 1...130 {
      let help = Help([Sample.program.root, Sample.region, Sample.add], width: width).text
      let longest =
        help.split(separator: "\n").filter { !$0.contains("47.3769") }.map { displayWidth(String($0)) }.max()
        ?? 0
      #expect(longest <= max(40, width))
    }
  }

  @Test func headingsAreBoldOnATerminal() {
    let terminal = Terminal(environment: { _ in nil }, output: 80, error: 80)
    guard case .answer(let text) = Sample.program.outcome(of: ["--help"], on: terminal),
      case .misuse(let error) = Sample.program.outcome(of: ["x"], on: terminal)
    else {
      Issue.record("no help")
      return
    }
    #expect(text.contains("\u{1B}[1mOptions:\u{1B}[0m\n"))
    #expect(error.hasPrefix("\u{1B}[31merror:\u{1B}[0m Unknown command"))
  }

  @Test(arguments: ["--version", "region --version", "region add --version"])
  func theVersionIsToldAnywhere(_ line: String) {
    #expect(answer(line) == "fenceline 1.2.3\n")
  }

  @Test(
    arguments: [
      (["--version"], 0, "fenceline 1.2.3\n", ""), (["runs"], 3, "", ""), (["replay", "a", "b"], 2, "", ""),
      (
        ["replay", "a", "--json", "-q"], 64, "",
        """
        error: '--json' and '--quiet' exclude each other.
        usage: fenceline replay [options] FILE...
        See 'fenceline replay --help'.

        """
      ),
      (
        ["x"], 64, "",
        "error: Unknown command 'x' for 'fenceline'.\nusage: fenceline [options] COMMAND\nSee 'fenceline --help'.\n"
      ),
    ] as [([String], Int32, String, String)])
  func aProgramRuns(_ words: [String], _ status: Int32, _ shown: String, _ complaint: String) throws {
    var output = ""
    var error = ""
    let result = try Sample.program.run(
      words, on: .plain, show: { output += $0 }, complain: { error += $0 })
    #expect(result == status)
    #expect(output == shown)
    #expect(error == complaint)
  }

  @Test func longWordsStandAlone() {
    #expect(wrap("a bb ccccccccc d\n\ne", to: 4) == ["a bb", "ccccccccc", "d", "", "e"])
  }

  private func answer(_ line: String) -> String {
    guard case .answer(let text) = Sample.outcome(line) else { return "no answer" }
    return text
  }
}
