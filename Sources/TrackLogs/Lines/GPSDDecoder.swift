import FencelineCivilTime
import FencelineGeodesy
import FencelineJSONText
import FencelinePositioning

/// Reads what gpsd says, one JSON object a line, as `gpspipe -w` records it.
///
/// Every TPV with a fix and a time gives one; gpsd sends several for one instant, and the filter counts the repeated ones. A log of one
/// receiver gives the device `default`; with several in gpsd's list of devices, or in the first ten seconds or 256 KB of a log without that list,
/// each keeps the path that gpsd knows it by.
struct GPSDDecoder: LogDecoder {
  /// How many bytes are looked at to see whether there is more than one receiver.
  static let survey = 256 << 10
  /// How many seconds of the log: every receiver reports within them.
  static let surveySpan = 10.0

  private(set) var tally = LogTally()
  let fault: LogFault? = nil
  var warnings: [String] { survey.warnings }

  private let options: LogOptions
  private let errors: GPSDErrors
  private var lines = LineSplitter()
  private var survey: DateSurvey

  private var bytesRead = 0
  private var receivers: Set<String> = []
  private var held: [Fix] = []
  /// The receiver that is called `default`; nil where none is.
  private var soleReceiver: String?
  private var isSurveyed = false

  init(options: LogOptions) {
    self.options = options
    survey = DateSurvey(now: options.now)
    errors = GPSDErrors(confidence: options.gpsdConfidence)
  }

  mutating func decode(_ bytes: Span<UInt8>, into fixes: inout [Fix]) {
    var place = 0
    while let event = lines.next(in: bytes, from: &place) { take(event, into: &fixes) }
  }

  mutating func finish(into fixes: inout [Fix]) {
    if let event = lines.finish() { take(event, into: &fixes) }
    if !isSurveyed { endSurvey(into: &fixes) }
  }

  private mutating func take(_ event: LineSplitter.Event, into fixes: inout [Fix]) {
    bytesRead += lines.line.count + 1
    if event == .overlong {
      tally.leaveOut(.overlongLine, line: lines.number)
    } else {
      takeLine(into: &fixes)
    }
    guard !isSurveyed else { return }
    let span = held.last.flatMap { last in held.first.map { abs(last.time.seconds(since: $0.time)) } } ?? 0
    if bytesRead >= Self.survey || span >= Self.surveySpan || receivers.count > 1 { endSurvey(into: &fixes) }
  }

  private mutating func takeLine(into fixes: inout [Fix]) {
    let line = lines.line
    // gpspipe may have put a time before the object; raw sentences and remarks may stand between.
    guard let start = line.firstIndex(of: 0x7b) else {
      let first = line.first { !isSpace($0) }
      let isKnown = first.map { [0x24, 0x21, 0x23].contains($0) } ?? true
      if !isKnown { tally.leaveOut(.damagedLine, line: lines.number) }
      return
    }
    let object = line[start...]
    switch GPSDClass(of: object) {
    case .report:
      guard let report = try? JSONNode(parsing: object) else {
        tally.leaveOut(.damagedLine, line: lines.number)
        return
      }
      take(TPVReport(report), into: &fixes)
    case .device, .devices:
      guard let node = try? JSONNode(parsing: object) else { break }
      for device in node["devices"]?.elements ?? [node] {
        if let path = device["path"]?.text { receivers.insert(path) }
      }
      // gpsd says what it has before it reports: nothing need be held back after that.
      if !isSurveyed, !receivers.isEmpty { endSurvey(into: &fixes) }
    case .other:
      break
    case nil:
      tally.leaveOut(.damagedLine, line: lines.number)
    }
  }

  private mutating func take(_ report: TPVReport, into fixes: inout [Fix]) {
    if let device = report.device { receivers.insert(device) }
    guard (report.mode ?? 0) >= 2 else {
      tally.leaveOut(.noFix, line: lines.number)
      return
    }
    guard let coordinate = tally.place(latitude: report.lat, longitude: report.lon, line: lines.number) else {
      return
    }
    guard let written = report.time else {
      tally.leaveOut(.noTime, line: lines.number)
      return
    }
    guard let time = written.timestamp else {
      tally.leaveOut(.unreadableTime, line: lines.number)
      return
    }
    survey.take(time)
    var fix = Fix(
      device: options.device ?? report.device ?? Fix.defaultDevice, time: time, coordinate: coordinate,
      accuracy: errors.accuracy(eph: report.eph, epx: report.epx, epy: report.epy), altitude: report.altMSL,
      speed: report.speed.flatMap { $0 >= 0 ? $0 : nil },
      course: report.track.flatMap(courseInDegrees), source: .tpv)
    if isSurveyed {
      if options.device == nil, fix.device == soleReceiver { fix.device = Fix.defaultDevice }
      fixes.append(fix)
    } else {
      held.append(fix)
    }
  }

  private mutating func endSurvey(into fixes: inout [Fix]) {
    isSurveyed = true
    soleReceiver = receivers.count == 1 ? receivers.first : nil
    for var fix in held {
      if options.device == nil, fix.device == soleReceiver { fix.device = Fix.defaultDevice }
      fixes.append(fix)
    }
    held = []
  }
}
