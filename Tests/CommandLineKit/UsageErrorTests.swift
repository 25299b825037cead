import Testing

@testable import FencelineCommandLineKit

/// A command line and the sentence that says what is wrong with it.
struct Misuse: CustomTestStringConvertible {
  let line: String
  let sentence: String
  var testDescription: String { line }

  init(_ line: String, _ sentence: String) {
    self.line = line
    self.sentence = sentence
  }
}

struct UsageErrorTests {
  static let number = "a number from -90 to 90 is needed"
  static let length = "a length is a number of metres, or one with m, km, nmi, ft or mi"
  static let duration = "a duration is a number of seconds, or reads like 90s, 15m, 2h30m or 1d"

  @Test(arguments: [
    Misuse("regoin", "Unknown command 'regoin' for 'fenceline'. Did you mean 'region'?"),
    Misuse("rep", "Unknown command 'rep' for 'fenceline'. Did you mean 'replay'?"),
    Misuse("nothing", "Unknown command 'nothing' for 'fenceline'."),
    Misuse("region lst", "Unknown command 'lst' for 'fenceline region'. Did you mean 'list'?"),
    Misuse("region secre", "Unknown command 'secre' for 'fenceline region'."),
    Misuse("runs remvoe", "Unknown command 'remvoe' for 'fenceline runs'. Did you mean 'remove'?"),
    Misuse("help regoin", "Unknown command 'regoin' for 'fenceline'. Did you mean 'region'?"),
    Misuse("x\u{1B}[2J", "Unknown command 'x␛[2J' for 'fenceline'."),
    Misuse("--jsn region list", "Unknown option '--jsn' for 'fenceline'. Did you mean '--json'?"),
    Misuse(
      "region add --ttile=x", "Unknown option '--ttile' for 'fenceline region add'. Did you mean '--title'?"),
    Misuse(
      "region add --exit 5",
      "Unknown option '--exit' for 'fenceline region add'. Did you mean '--exit-margin'?"),
    Misuse(
      "region add --no-notfy",
      "Unknown option '--no-notfy' for 'fenceline region add'. Did you mean '--no-notify'?"),
    Misuse("region add --secre x", "Unknown option '--secre' for 'fenceline region add'."),
    Misuse("region add --title x -t", "Unknown option '-t' for 'fenceline region add'."),
    Misuse("-title", "Unknown option '-title' for 'fenceline'."),
    Misuse("-json", "Unknown option '-json' for 'fenceline'. Did you mean '--json'?"),
    Misuse("--json=1", "The option '--json' takes no value."),
    Misuse("region list --db", "The option '--db' needs a value: --db FILE."),
    Misuse(
      "region list --db --json",
      "The option '--db' needs a value: --db FILE; for the value '--json' write '--db=--json'."),
    Misuse("map -o", "The option '-o' needs a value: -o FILE."),
    Misuse("region list --db a --db b", "The option '--db' is given twice; it takes one value."),
    Misuse("--db a region list --db=a", "The option '--db' is given twice; it takes one value."),
    Misuse("map", "The option '--output FILE' is missing."),
    Misuse("region add", "The arguments 'ID', 'LAT', 'LON' and 'RADIUS' are missing."),
    Misuse("region add x 1 2", "The argument 'RADIUS' is missing."),
    Misuse("replay", "The argument 'FILE' is missing."),
    Misuse(
      "region add x 1 2 3 4", "Unexpected argument '4': 'fenceline region add' takes ID LAT LON RADIUS."),
    Misuse("map -o x y", "Unexpected argument 'y': 'fenceline map' takes none."),
    Misuse("runs remove 1 2", "Unexpected argument '2': 'fenceline runs remove' takes ID."),
    Misuse("region add x 91 2 3", "Invalid value '91' for 'LAT': \(number)."),
    Misuse("region add x nan 2 3", "Invalid value 'nan' for 'LAT': \(number)."),
    Misuse("region add x 0x1p3 2 3", "Invalid value '0x1p3' for 'LAT': \(number)."),
    Misuse("region add x 1 2 3cm", "Invalid value '3cm' for 'RADIUS': \(length)."),
    Misuse("region add x 1 2 3 --exit-margin -3", "Invalid value '-3' for '--exit-margin': \(length)."),
    Misuse("region add x 1 2 3 --dwell 5m2h", "Invalid value '5m2h' for '--dwell': \(duration)."),
    Misuse(
      "region add x 1 2 3 --priority 10",
      "Invalid value '10' for '--priority': a whole number from 0 to 9 is needed."),
    Misuse(
      "region add x 1 2 3 --profile balancd",
      "Invalid value 'balancd' for '--profile': choose exact, fast, balanced or steady. Did you mean 'balanced'?"
    ),
    Misuse(
      "region add x 1 2 3 --on entry,xeit",
      "Invalid value 'entry,xeit' for '--on': choose entry or exit. Did you mean 'exit'?"),
    Misuse("--db= region list", "Invalid value '' for '--db': it must not be empty."),
  ])
  func everyFaultHasItsSentence(_ misuse: Misuse) {
    guard case .misuse(let text) = Sample.outcome(misuse.line) else {
      Issue.record("no usage error")
      return
    }
    #expect(text.split(separator: "\n").first.map(String.init) == "error: " + misuse.sentence)
  }

  @Test func anErrorIsFollowedByTheUsageAndWhereToFindHelp() {
    guard case .misuse(let text) = Sample.outcome("region add --ttile x") else {
      Issue.record("no usage error")
      return
    }
    #expect(
      text == """
        error: Unknown option '--ttile' for 'fenceline region add'. Did you mean '--title'?
        usage: fenceline region add [options] ID LAT LON RADIUS
        See 'fenceline region add --help'.

        """)
  }

  @Test(
    arguments: [
      (1.0...2.0, "a number from 1 to 2 is needed"),
      (1.0 ... .greatestFiniteMagnitude, "a number of 1 or more is needed"),
      (-.greatestFiniteMagnitude...2.0, "a number of 2 or less is needed"),
      (-.greatestFiniteMagnitude ... .greatestFiniteMagnitude, "a number is needed"),
    ] as [(ClosedRange<Double>, String)])
  func rangesAreNamed(_ range: ClosedRange<Double>, _ reason: String) {
    #expect(throws: ValueError(reason)) { try ValueType<Double>.number(in: range).parse("inf") }
  }

  @Test(
    arguments: [
      ("rgeion", "region"), ("r", nil), ("ru", "runs"), ("mpa", "map"), ("add", nil), ("", nil),
      ("regionlist", nil),
      ("xyz", nil), (String(repeating: "r", count: 100), nil),
    ] as [(String, String?)])
  func onlyNearWordsAreSuggested(_ word: String, _ meant: String?) {
    #expect(nearest(to: word, in: ["region", "replay", "runs", "map"]) == meant)
  }

  @Test(
    arguments: [
      ("", "", 0), ("a", "", 1), ("", "ab", 2), ("ab", "ba", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
      ("a", "a", 0),
    ] as [(String, String, Int)])
  func editDistances(_ a: String, _ b: String, _ distance: Int) {
    #expect(editDistance(Array(a), Array(b)) == distance)
  }
}
