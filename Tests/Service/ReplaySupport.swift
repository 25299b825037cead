import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineService
import FencelineTestSupport
import FencelineTrackLogs

/// Logs in a folder of their own, a journal, and one region of 100 m round latitude 47, longitude 8.
struct TestReplay {
  let folder: TemporaryFolder
  let journal: Journal

  init() throws {
    folder = try TemporaryFolder()
    journal = try Journal(path: folder.path("journal.db"), .write)
    var region = Region(id: "a", centre: Coordinate(latitude: 47, longitude: 8), radius: 100)
    region.profile = .exact
    _ = try journal.store([region], update: false)
  }

  /// A table of fixes: minutes after noon, and whether inside.
  func csv(_ name: String, _ rows: [(Int, Bool)], device: String? = nil) throws -> String {
    var text = "time,latitude,longitude,accuracy" + (device == nil ? "\n" : ",device\n")
    for (minute, isInside) in rows {
      text += "\(TestReplay.time(minute)),\(isInside ? 47 : 47.002),8,5\(device.map { "," + $0 } ?? "")\n"
    }
    return try folder.write(name, text)
  }

  func gpx(_ name: String, _ rows: [(Int, Bool)], isWhole: Bool = true) throws -> String {
    var text =
      "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n"
    for (minute, isInside) in rows {
      text +=
        "<trkpt lat=\"\(isInside ? 47 : 47.002)\" lon=\"8\"><time>\(TestReplay.time(minute))</time></trkpt>\n"
    }
    return try folder.write(name, text + (isWhole ? "</trkseg></trk></gpx>\n" : "<trkpt lat=\"47\""))
  }

  /// Lines of gpsd's JSON.
  func gpsd(_ name: String, _ rows: [(Int, Bool)]) throws -> String {
    var text = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
    for (minute, isInside) in rows {
      text +=
        #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(TestReplay.time(minute))","lat":\#(isInside ? 47 : 47.002),"lon":8.0,"eph":5.0}"#
        + "\n"
    }
    return try folder.write(name, text)
  }

  static func time(_ minute: Int) -> String {
    Timestamp(milliseconds: 1_772_366_400_000 + Int64(minute) * 60_000).description
  }

  static func minute(_ time: Timestamp) -> String {
    (Double(time.milliseconds - 1_772_366_400_000) / 60_000).trimmed(3)
  }

  /// What a replay came to, and the crossings that it told: `entry by 2`, in minutes after noon.
  func run(
    _ paths: [String], device: String? = nil, journal: Journal?,
    step: @escaping (Replay.Step) throws -> Void = { _ in }
  ) throws -> (report: Replay.Report, told: [String]) {
    let told = Told()
    let request = Replay.Request(
      paths: paths, log: LogOptions(device: device), profile: .balanced, filter: .init())
    let replay = try Replay(
      request, regions: try self.journal.regions(), journal: journal, progress: { _, _ in }
    ) {
      try step($0)
      for case .crossing(let crossing) in $0.outcomes {
        told.lines.append("\(crossing.kind) by \(TestReplay.minute(crossing.confirmedAt))")
      }
    }
    let report = try replay.evaluate()
    return (report, told.lines)
  }

  private final class Told {
    var lines: [String] = []
  }

  func recorded() throws -> [RecordedCrossing] {
    var found: [RecordedCrossing] = []
    try journal.crossings(HistoryFilter()) { found += $0 }
    return found
  }
}
