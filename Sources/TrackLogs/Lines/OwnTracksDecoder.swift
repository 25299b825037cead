import FencelineCivilTime
import FencelineGeodesy
import FencelineJSONText
import FencelinePositioning

/// Reads the files of the OwnTracks recorder, `time<TAB>kind<TAB>JSON`, and bare lines of that JSON.
///
/// Where the JSON has its topic (`owntracks/jane/phone`), the device is what follows the first level: `jane/phone`.
struct OwnTracksDecoder: LogDecoder {
  private(set) var tally = LogTally()
  let fault: LogFault? = nil
  var warnings: [String] { survey.warnings }

  private let options: LogOptions
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
    guard let report = try? JSONNode(parsing: line[start...]) else {
      tally.leaveOut(.damagedLine, line: lines.number)
      return
    }
    take(report, into: &fixes)
  }

  private mutating func take(_ report: JSONNode, into fixes: inout [Fix]) {
    let type = report["_type"]
    guard type == nil || type?.text == "location" else {
      tally.leaveOut(.otherRecord, line: lines.number)
      return
    }
    guard
      let coordinate = tally.place(
        latitude: report["lat"]?.lenientNumber, longitude: report["lon"]?.lenientNumber, line: lines.number)
    else { return }
    guard let written = report["tst"], !written.isNull else {
      tally.leaveOut(.noTime, line: lines.number)
      return
    }
    guard let time = written.lenientNumber.flatMap({ unixTime($0 * 1000) }) else {
      tally.leaveOut(.unreadableTime, line: lines.number)
      return
    }
    survey.take(time)
    fixes.append(
      Fix(
        device: options.device ?? device(report) ?? Fix.defaultDevice, time: time, coordinate: coordinate,
        accuracy: report["acc"]?.lenientNumber.flatMap { positiveValue($0) },
        altitude: report["alt"]?.lenientNumber.flatMap { $0 == -1 ? nil : $0 },
        speed: report["vel"]?.lenientNumber.flatMap { nonNegative($0) }.map { $0 / 3.6 },
        course: report["cog"]?.lenientNumber.flatMap { courseInDegrees($0) }, source: .ownTracks))
  }

  private func device(_ report: JSONNode) -> String? {
    guard let parts = report["topic"]?.text?.split(separator: "/"), let last = parts.last else { return nil }
    return parts.count >= 3 ? parts.dropFirst().prefix(2).joined(separator: "/") : String(last)
  }
}

extension JSONNode {
  /// A number, also one that its writer put in quotes; nil where it is none.
  var lenientNumber: Double? {
    number ?? text.flatMap { decimalNumber(Array($0.utf8).span) }
  }
}
