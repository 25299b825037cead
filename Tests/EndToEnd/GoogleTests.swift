import Foundation
import Testing

/// Google's location history, as its exports hold it.
@Suite("Google exports") struct GoogleTests {
  private struct FixLine: Decodable, Equatable {
    var time: String
    var latitude: Double
    var longitude: Double
    var accuracy: Double?
    var source: String
  }

  /// Makes `Records.json` of the walk, newest first, and `walk.csv` of the same fixes.
  private static let recipe = """
    "$FENCELINE" fixes --json "$DATA/walk.gpx" | jq -s '{locations: (map({latitudeE7: (.latitude * 1e7 | round),
      longitudeE7: (.longitude * 1e7 | round), accuracy: 7, velocity: 1, timestamp: .time, source: "GPS",
      activity: [{timestamp: .time, activity: [{type: "WALKING", confidence: 90}]}]}) | reverse)}' > Records.json
    jq -r '"time,latitude,longitude,accuracy,speed", (.locations[] |
      "\\(.timestamp),\\(.latitudeE7 / 1e7),\\(.longitudeE7 / 1e7),\\(.accuracy),1")' Records.json > walk.csv
    """

  @Test func recordsGiveWhatTheSameFixesGiveAsCSV() throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.shell(Self.recipe).status == 0)
    let fixes = try scratch.fenceline("fixes", "--json", "Records.json")
    #expect(fixes.error == "'Records.json': Google location history, 1,194 fixes\n")
    #expect(try fixes.decoded(FixLine.self).allSatisfy { $0.source == "Google" && $0.accuracy == 7 })
    let crossings = try ["walk.csv", "Records.json"].map { log in
      try scratch.fenceline("replay", "--dry-run", "--json", log).decoded(CrossingLine.self)
    }
    #expect(crossings[0].map(\.essence) == crossings[1].map(\.essence) && crossings[0].count > 5)
    // By its content, whatever its name and however it is packed and piped.
    let piped = try scratch.shell("jq -c . Records.json | gzip | \"$FENCELINE\" fixes --json -")
    #expect(piped.status == 0 && piped.output == fixes.output)
  }

  @Test func aFileThatBreaksOffKeepsWhatCameBefore() throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.shell(Self.recipe + "; head -c 200000 Records.json > cut").status == 0)
    let run = try scratch.fenceline("replay", "cut")
    #expect(run.status == 3 && run.errors.count == 1)
    #expect(
      run.error.contains(
        "Cannot read the log 'cut' to its end: the JSON is not whole: it breaks off at line "))
    #expect(run.error.contains("recorded as run 1"))
  }

  @Test(arguments: [("records", 2), ("timeline", 4), ("timeline-apple", 2), ("semantic", 2)])
  func everyVariantIsRead(_ name: String, _ count: Int) throws {
    let scratch = try Scratch()
    let log = Project.folder.appending(path: "Tests/EndToEnd/Logs/\(name).json").path
    let run = try scratch.fenceline("fixes", "--json", log)
    let times = try run.decoded(FixLine.self).map(\.time)
    #expect(run.status == 0 && times.count == count && times == times.sorted(), "\(run.error)")
  }

  /// What a reader of the whole file would hold many times over.
  @Test func aLargeFileTakesLittleMemory() throws {
    let scratch = try Scratch()
    let make = """
      { echo '{"locations": ['; jq -nc '[range(200) | {type: "STILL", confidence: .}] as $all |
        range(20000) | {latitudeE7: 473769000, longitudeE7: 85417000, timestampMs: "\\(1642007905190 + . * 1000)",
        activity: $all}' | sed '$!s/$/,/'; echo ']}'; } > big.json
      """
    #expect(try scratch.shell(make).status == 0)
    let run = try scratch.fenceline("fixes", "-q", "--csv", "big.json", measures: true)
    #expect(run.status == 0 && run.lines.count == 20_001)
    let memory = try #require(run.peakMemory)
    #expect(memory < 100 << 20)
  }
}
