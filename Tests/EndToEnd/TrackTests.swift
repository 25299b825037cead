import Foundation
import Testing

@Suite("track") struct TrackTests {
  /// A database with the fixes of a log as stored positions of one device, a new piece of way at every hundredth.
  private func stored(_ log: String, device: String = "van") throws -> (scratch: Scratch, fixes: [FixLine]) {
    let scratch = try Scratch.withRegions()
    let fixes = try scratch.fenceline("fixes", "--json", Project.data(log)).decoded(FixLine.self)
    var statements = "BEGIN; INSERT INTO device VALUES (1, '\(device)');"
    for (place, fix) in fixes.enumerated() {
      let milliseconds = Int((fix.epoch * 1000).rounded())
      let degrees = [fix.latitude, fix.longitude].map { String(Int(($0 * 1e7).rounded())) }
      let rest = [fix.accuracy, fix.altitude, fix.speed, fix.course].map { value in
        value.map { String(Int(($0 * 100).rounded())) } ?? "NULL"
      }
      let row = ["1", String(milliseconds)] + degrees + rest + [place % 100 == 0 ? "1" : "0"]
      statements += "INSERT OR IGNORE INTO position VALUES (\(row.joined(separator: ",")));"
    }
    try scratch.write("rows.sql", statements + "COMMIT;")
    _ = try scratch.sql(".read rows.sql")
    return (scratch, fixes)
  }

  @Test func theListTellsHowFarEachDeviceHasGone() throws {
    let (scratch, fixes) = try stored("walk.gpx")
    _ = try scratch.sql(
      "INSERT INTO device VALUES (2, 'bus'); INSERT INTO position VALUES (2, 0, 0, 0, 1, 1, 1, 1, 1)")
    struct Line: Decodable {
      var device: String
      var from: String
      var to: String
      var points: Int
      var pieces: Int
      var metres: Double
    }
    let lines = try scratch.fenceline("track", "--json").decoded(Line.self)
    #expect(lines.map(\.device) == ["bus", "van"] && lines.map(\.points) == [1, fixes.count])
    #expect(lines[1].from == fixes.first?.time && lines[1].to == fixes.last?.time)
    #expect(lines[0].metres == 0 && lines[1].pieces == (fixes.count + 99) / 100)
    #expect(lines[1].metres > 1000 && lines[1].metres < 10_000)
    let text = try scratch.fenceline("track", "--device", "v*")
    #expect(text.lines.count == 2 && text.output.contains(" km") && !text.output.contains("bus"))
    let none = try scratch.fenceline("track", "--since", "2031-01-01")
    #expect(none.status == 0 && none.output.isEmpty && none.error.contains("There are no positions"))
  }

  @Test func anExportedTrackIsReadAndReplayedAgain() throws {
    let (scratch, fixes) = try stored("walk.gpx", device: "default")
    let direct = try scratch.fenceline("replay", "--json", "--dry-run", Project.data("walk.gpx"))
    for format in ["gpx", "csv"] {
      let export = try scratch.fenceline("track", "export", "--format", format, "-o", "way.\(format)")
      #expect(
        export.status == 0
          && export.error
            == "\(fixes.count.formatted(.number.locale(.init(identifier: "en")))) positions written to 'way.\(format)'\n"
      )
      var back = try scratch.fenceline("fixes", "--json", "way.\(format)").decoded(FixLine.self)
      for place in back.indices { back[place].device = fixes[place].device }
      #expect(back.count == fixes.count)
      for (one, other) in zip(back, fixes) where one != other {
        let isSame =
          one.time == other.time && abs(one.latitude - other.latitude) < 1e-7
          && abs(one.longitude - other.longitude) < 1e-7
          && one.speed.map { abs($0 - (other.speed ?? 0)) < 0.006 } ?? true
        if !isSame { Issue.record("\(one) \(other)") }
      }
      let again = try scratch.fenceline("replay", "--json", "--dry-run", "way.\(format)").decoded(
        CrossingLine.self)
      let expected = try direct.decoded(CrossingLine.self)
      #expect(!expected.isEmpty && again.map { $0.region + $0.kind } == expected.map { $0.region + $0.kind })
    }
    let csv = try scratch.fenceline("track", "export", "--format", "csv")
    #expect(
      csv.output.hasPrefix(try scratch.fenceline("fixes", "--csv", Project.data("walk.gpx")).lines[0] + "\n"))
    #expect(csv.output == (try scratch.text("way.csv")))
  }

  @Test func geoJSONHoldsALineForEachPiece() throws {
    let (scratch, fixes) = try stored("walk.gpx")
    struct File: Decodable {
      struct Feature: Decodable {
        struct Geometry: Decodable { var type: String }
        struct Properties: Decodable {
          var device: String
          var time: String
          var coordTimes: [String]
        }
        var geometry: Geometry
        var properties: Properties
      }
      var features: [Feature]
    }
    let run = try scratch.fenceline("track", "export", "--format", "geojson", "--since", fixes[50].time)
    let file = try JSONDecoder().decode(File.self, from: Data(run.output.utf8))
    #expect(file.features[0].properties.coordTimes == fixes[50..<100].map(\.time))
    #expect(file.features[0].properties.time == fixes[50].time && file.features[0].properties.device == "van")
    #expect(file.features.map(\.geometry.type).allSatisfy { $0 == "LineString" })
    #expect(file.features.count == (fixes.count + 99) / 100)
    #expect(file.features.reduce(0) { $0 + $1.properties.coordTimes.count } == fixes.count - 50)
  }

  @Test func anEmptyTrackIsAWholeFileAllTheSame() throws {
    let scratch = try Scratch()
    for (format, ending) in [("gpx", "</gpx>\n"), ("geojson", "]}\n"), ("csv", "source\n")] {
      let run = try scratch.fenceline("track", "export", "--format", format)
      #expect(run.status == 0 && run.output.hasSuffix(ending) && run.error.contains("There are no positions"))
    }
    #expect(try scratch.names == [])
  }

  @Test func aPictureShowsTheStoredWay() throws {
    let (scratch, fixes) = try stored("walk.gpx")
    let run = try scratch.fenceline("map", "-o", "way.svg")
    #expect(run.status == 0, "\(run.error)")
    let picture = try scratch.text("way.svg")
    #expect(
      picture.contains("Stored positions")
        && picture.contains("\(fixes.count.formatted(.number.locale(.init(identifier: "en")))) fixes"))
    // A replay has no stored way.
    #expect(try scratch.fenceline("replay", "-q", Project.data("walk.gpx")).status == 0)
    #expect(try scratch.fenceline("map", "--run", "last", "-o", "run.svg").status == 0)
    #expect(try !scratch.text("run.svg").contains("fixes"))
  }
}
