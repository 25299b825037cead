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
    let device =
      options.device ?? report["topic"]?.text.flatMap { OwnTracksReport.device(ofTopic: $0) }
      ?? Fix.defaultDevice
    guard let fix = OwnTracksReport.fix(in: report, device: device, line: lines.number, &tally) else {
      return
    }
    survey.take(fix.time)
    fixes.append(fix)
  }
}

extension JSONNode {
  /// A number, also one that its writer put in quotes; nil where it is none.
  var lenientNumber: Double? {
    number ?? text.flatMap { decimalNumber(Array($0.utf8).span) }
  }
}
