import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FoundationEssentials

/// Reads the files of the OwnTracks recorder, `time<TAB>kind<TAB>JSON`, and bare lines of that JSON.
///
/// Where the JSON has its topic (`owntracks/jane/phone`), the device is what follows the first level: `jane/phone`.
struct OwnTracksDecoder: LogDecoder {
  private(set) var tally = LogTally()
  let fault: LogFault? = nil
  var warnings: [String] { survey.warnings }

  private let options: LogOptions
  private let json = JSONDecoder()
  private var lines = LineSplitter()
  private var survey: DateSurvey

  init(options: LogOptions) {
    self.options = options
    survey = DateSurvey(now: options.now)
  }

  mutating func decode(_ bytes: Span<UInt8>, into fixes: inout [Fix]) {
    var place = 0
    while let event = lines.next(in: bytes, from: &place) { take(event, into: &fixes) }
  }

  mutating func finish(into fixes: inout [Fix]) {
    if let event = lines.finish() { take(event, into: &fixes) }
  }

  private mutating func take(_ event: LineSplitter.Event, into fixes: inout [Fix]) {
    guard event == .line else {
      tally.leaveOut(.overlongLine, line: lines.number)
      return
    }
    let line = lines.line[...]
    guard line.contains(where: { !isSpace($0) }) else { return }
    guard let start = line.firstIndex(of: 0x7b) else {
      let isRecord = line.split(separator: 0x09).count > 1
      tally.leaveOut(isRecord ? .otherRecord : .damagedLine, line: lines.number)
      return
    }
    let columns = line[..<start].split(separator: 0x09)
    if columns.count >= 2, columns[1].first(where: { !isSpace($0) }) != 0x2a {
      tally.leaveOut(.otherRecord, line: lines.number)
      return
    }
    guard let report = try? json.decode(Report.self, from: Data(line[start...])) else {
      tally.leaveOut(.damagedLine, line: lines.number)
      return
    }
    take(report, into: &fixes)
  }

  private mutating func take(_ report: Report, into fixes: inout [Fix]) {
    guard report.type == nil || report.type == "location" else {
      tally.leaveOut(.otherRecord, line: lines.number)
      return
    }
    guard let latitude = report.lat?.value, let longitude = report.lon?.value else {
      tally.leaveOut(.unreadablePosition, line: lines.number)
      return
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else {
      tally.leaveOut(.offTheEarth, line: lines.number)
      return
    }
    guard let seconds = report.tst?.value else {
      tally.leaveOut(.noTime, line: lines.number)
      return
    }
    guard let time = unixTime(seconds * 1000) else {
      tally.leaveOut(.unreadableTime, line: lines.number)
      return
    }
    survey.take(time)
    fixes.append(
      Fix(
        device: options.device ?? report.device ?? Fix.defaultDevice, time: time, coordinate: coordinate,
        accuracy: report.acc.flatMap { positiveValue($0.value) },
        altitude: report.alt.flatMap { $0.value == -1 ? nil : $0.value },
        speed: report.vel.flatMap { nonNegative($0.value) }.map { $0 / 3.6 },
        course: report.cog.flatMap { courseInDegrees($0.value) }, source: .ownTracks))
  }

  /// A location message under OwnTracks' names; -1 stands for an unknown value.
  private struct Report: Decodable {
    var type: String?
    var tst: LenientNumber?
    var lat: LenientNumber?
    var lon: LenientNumber?
    /// Metres.
    var acc: LenientNumber?
    /// Metres above sea level.
    var alt: LenientNumber?
    /// km/h.
    var vel: LenientNumber?
    var cog: LenientNumber?
    var topic: String?

    enum CodingKeys: String, CodingKey {
      case type = "_type"
      case tst, lat, lon, acc, alt, vel, cog, topic
    }

    var device: String? {
      guard let parts = topic?.split(separator: "/"), let last = parts.last else { return nil }
      return parts.count >= 3 ? parts.dropFirst().prefix(2).joined(separator: "/") : String(last)
    }
  }
}
