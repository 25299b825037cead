import FencelineTestSupport
import Foundation
import Testing

@Suite("Hostile logs") struct HostileLogTests {
  /// A file that no one should feed to the program, and what is said of it.
  struct Input: CustomTestStringConvertible, Sendable {
    var name: String
    var status: Int32
    /// A part of the sentence.
    var says: String
    /// What makes the file, by the shell; `noise` for five megabytes of it.
    var recipe: String
    var testDescription: String { name }

    init(_ name: String, _ status: Int32, _ says: String, _ recipe: String) {
      (self.name, self.status, self.says, self.recipe) = (name, status, says, recipe)
    }

    func make(in scratch: Scratch) throws {
      guard recipe == "noise" else {
        let run = try scratch.shell(recipe)
        try #require(run.status == 0, "\(run.error)")
        return
      }
      var random = SplitMix64(seed: 7)
      var noise = Data(capacity: 5_000_000)
      while noise.count < 5_000_000 { noise.append(UInt8(truncatingIfNeeded: random.next())) }
      try scratch.write(name, noise)
    }
  }

  private static let noLog = "it is none of the logs that Fenceline reads"
  private static let xml = "<?xml version=\"1.0\"?>"

  static let inputs = [
    Input("missing.gpx", 74, "there is no such file. Check the path.", ":"),
    Input("folder", 74, "it is a directory. Name the files in it.", "mkdir folder"),
    Input("paper.pdf", 65, "it is a PDF document", "printf '%%PDF-1.7\\n1 0 obj\\n' > paper.pdf"),
    Input("picture.png", 65, "it is a PNG image", "printf '\\211PNG\\r\\n\\032\\n\\0\\0' > picture.png"),
    Input("empty.nmea", 65, "it is empty.", ": > empty.nmea"),
    Input("/dev/null", 65, "it is empty.", ":"),
    Input("blank.csv", 65, noLog, "printf ' \\n\\t\\r\\n   \\n' > blank.csv"),
    Input("hole.nmea", 65, "it holds nothing but zeros", "truncate -s 3G hole.nmea"),
    Input("noise.bin", 65, noLog, "noise"),
    Input(
      "ride.fit", 65, "gpsbabel -t -i garmin_fit -f ride.fit -o gpx -F ride.fit.gpx",
      "printf '\\016\\020\\054\\010\\0\\0\\0\\0.FIT\\0\\0' > ride.fit"),
    Input(
      "ride.tcx", 65, "gpsbabel -t -i gtrnctr -f ride.tcx -o gpx -F ride.tcx.gpx",
      "echo '\(xml)<TrainingCenterDatabase/>' > ride.tcx"),
    Input(
      "ride.kml", 65, "gpsbabel -t -i kml -f ride.kml -o gpx -F ride.kml.gpx",
      "echo '\(xml)<kml/>' > ride.kml"),
    Input("bomb.gpx", 65, "it has a document type declaration", bomb(behind: "")),
    Input(
      "late.gpx", 65, "it has a document type declaration",
      bomb(behind: "<!-- $(head -c 70000 /dev/zero | tr '\\0' x) -->")),
    Input(
      "nested.gpx", 65, "its elements are nested more than 1,000 deep, which no GPX file needs.",
      "{ echo '\(xml)<gpx>'; yes '<a>' | head -n 5000000; } > nested.gpx"),
    Input("line.nmea", 65, noLog, "printf '$GPRMC,' > line.nmea; \(long(50_000_000)) >> line.nmea"),
    Input(
      "deep.json", 65, "it is JSON, but neither from gpsd nor from OwnTracks or Google",
      "head -c 100000 /dev/zero | tr '\\0' '[' > deep.json"),
    Input(
      "photo.gpx.gz", 65, "it is a PNG image", "printf '\\211PNG\\r\\n\\032\\n\\0\\0' | gzip > photo.gpx.gz"),
    Input("stub.gz", 65, "gzip", "gzip -c \"$DATA/walk.gpx\" | head -c 12 > stub.gz"),
  ]

  private static func long(_ count: Int) -> String { "head -c \(count) /dev/zero | tr '\\0' 1" }

  /// Entities that stand for ten of the one before, nine levels deep.
  private static func bomb(behind prolog: String) -> String {
    var types = "<!ENTITY a0 \"aaaaaaaaaa\">"
    for level in 1...9 {
      types += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
    }
    let name = prolog.isEmpty ? "bomb.gpx" : "late.gpx"
    return
      "cat > \(name) <<END\n\(xml)\(prolog)<!DOCTYPE gpx [\(types)]><gpx><trk><name>&a9;</name></trk></gpx>\nEND"
  }

  @Test(arguments: inputs) func aFileThatIsNoLogIsRefusedInOneLine(_ input: Input) throws {
    let scratch = try Scratch.withRegions()
    try input.make(in: scratch)
    let before = try scratch.contents()
    for command in ["fixes", "replay"] {
      let run = try scratch.fenceline(command, input.name, measures: true)
      #expect(run.status == input.status, "\(run.error)")
      #expect(run.output.isEmpty)
      #expect(run.messages.count == 1, "\(run.error)")
      #expect(run.error.hasPrefix("error: Cannot read the log '\(input.name)'"))
      #expect(run.error.contains(input.says), "\(run.error)")
      #expect(run.seconds < 30)
      let memory = try #require(run.peakMemory)
      #expect(memory < 200 << 20)
    }
    #expect(try scratch.contents() == before)
    try scratch.checkSoundness()
  }

  @Test(
    arguments: [
      (
        "line.csv",
        "printf 'time,latitude,longitude\\n2026-01-01T00:00:00Z,47,8\\n' > line.csv; \(long(50_000_000)) >> line.csv",
        0, 1
      ),
      (
        "line.json",
        "(echo '{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-01-01T00:00:00Z\",\"lat\":47,\"lon\":8}'; printf '{\"class\":\"TPV\",\"x\":\"'; \(long(50_000_000))) > line.json",
        0, 1
      ),
      (
        "attribute.gpx",
        "(echo '\(xml)<gpx><trk><trkseg><trkpt lat=\"47\" lon=\"8\"><time>2026-01-01T00:00:00Z</time></trkpt>'; printf '<trkpt lat=\"'; \(long(16_000_000)); echo '\"/></trkseg></trk></gpx>') > attribute.gpx",
        3, 1
      ),
      (
        "numbers.csv",
        "printf 'time,latitude,longitude\\n2026-01-01T00:00:00Z,1e999,8\\n2026-01-01T00:00:01Z,nan,8\\n1e999,47,8\\n2026-01-01T00:00:02Z,47,8\\n' > numbers.csv",
        0, 1
      ),
      (
        "quotes.csv",
        "{ printf 'time,latitude,longitude\\n2026-01-01T00:00:00Z,47,8\\n'; yes '\"' | head -c 8000000; } > quotes.csv",
        0, 1
      ),
      (
        "numbers.json",
        "printf '{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-01-01T00:00:00Z\",\"lat\":1e999,\"lon\":8}\\n{\"class\":\"TPV\",\"mode\":3,\"time\":\"2026-01-01T00:00:01Z\",\"lat\":47,\"lon\":8}\\n' > numbers.json",
        0, 1
      ),
    ] as [(String, String, Int32, Int)])
  func monstersInsideALogCostTheirOwnFixesOnly(
    _ name: String, _ recipe: String, _ status: Int32, _ fixes: Int
  ) throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.shell(recipe).status == 0)
    let listed = try scratch.fenceline("fixes", "--json", name, measures: true)
    #expect(listed.status == status && listed.lines.count == fixes, "\(listed.error)")
    #expect(listed.errors.count == (status == 0 ? 0 : 1))
    let replayed = try scratch.fenceline("replay", name, measures: true)
    #expect(replayed.status == status, "\(replayed.error)")
    for run in [listed, replayed] {
      let memory = try #require(run.peakMemory)
      #expect(memory < 200 << 20 && run.seconds < 60)
    }
    #expect(try scratch.fenceline("runs", "--json").decoded(RunLine.self).map(\.fixes) == [fixes])
    try scratch.checkSoundness()
  }
}
