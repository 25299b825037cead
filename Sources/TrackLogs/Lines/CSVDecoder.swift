import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning

/// Reads CSV logs whose first line names the columns.
struct CSVDecoder: LogDecoder {
  /// The most lines that one row may span by line breaks in quotes; beyond it a stray quote is more likely.
  private static let mostLines = 64
  /// Likewise in bytes.
  private static let mostBytes = 1 << 16

  private(set) var tally = LogTally()
  private(set) var fault: LogFault?

  private let options: LogOptions
  private var lines = LineSplitter()
  private var columns: CSVColumns?
  private var survey: DateSurvey
  private var zonelessTimes = 0
  /// Whether the line at hand is the last and has no end: where columns are missing too, the last number may be half of one.
  private var isUnterminated = false
  /// Lines of a row whose quoted field is still open, and the number of the first.
  private var open: [[UInt8]] = []
  private var openNumber = 0
  private var openBytes = 0
  private var quotes = CSVRow.Quotes()

  init(options: LogOptions) {
    self.options = options
    survey = DateSurvey(now: options.now)
  }

  var warnings: [String] {
    (zonelessTimes > 0 ? [zonelessWarning(zonelessTimes)] : []) + survey.warnings
  }

  mutating func decode(_ bytes: Span<UInt8>, into fixes: inout [Fix]) {
    var place = 0
    while fault == nil, let event = lines.next(in: bytes, from: &place) { take(event, into: &fixes) }
  }

  mutating func finish(into fixes: inout [Fix]) {
    guard fault == nil else { return }
    isUnterminated = true
    if let event = lines.finish() { take(event, into: &fixes) }
    while !open.isEmpty { giveUpOpenRow(into: &fixes) }
  }

  private mutating func take(_ event: LineSplitter.Event, into fixes: inout [Fix]) {
    guard event == .line else {
      while !open.isEmpty { giveUpOpenRow(into: &fixes) }
      tally.leaveOut(.overlongLine, line: lines.number)
      return
    }
    takeLine(lines.line, number: lines.number, into: &fixes)
  }

  private mutating func takeLine(_ line: [UInt8], number: Int, into fixes: inout [Fix]) {
    guard let columns else {
      takeHeader(line)
      return
    }
    if open.isEmpty {
      quotes = CSVRow.Quotes()
      openNumber = number
      openBytes = 0
    }
    quotes.read(line, delimiter: columns.delimiter)
    guard quotes.isOpen || !open.isEmpty else {
      takeRow(line, columns, number: number, into: &fixes)
      return
    }
    open.append(line)
    openBytes += line.count + 1
    if !quotes.isOpen {
      let row = Array(open.joined(separator: [0x0a]))
      open = []
      takeRow(row, columns, number: openNumber, into: &fixes)
    } else if open.count >= Self.mostLines || openBytes > Self.mostBytes {
      giveUpOpenRow(into: &fixes)
    }
  }

  /// The quote that opened the row was a stray one: its first line is lost, the others are read again.
  private mutating func giveUpOpenRow(into fixes: inout [Fix]) {
    let rows = open
    let first = openNumber
    open = []
    tally.leaveOut(.damagedLine, line: first)
    for (place, line) in rows.enumerated().dropFirst() {
      takeLine(line, number: first + place, into: &fixes)
    }
  }

  private mutating func takeHeader(_ line: [UInt8]) {
    // Blank lines and remarks may come first.
    guard let first = line.first(where: { !isSpace($0) }), first != 0x23 else { return }
    guard let columns = CSVColumns(header: line[...]) else {
      fault = .unrecognised("its first line does not name the columns of a CSV log.")
      return
    }
    guard columns.time != nil || columns.date != nil else {
      fault = .unrecognised(
        "its columns hold positions but no time. Add a column named 'time' with the time of each position.")
      return
    }
    self.columns = columns
  }

  private mutating func takeRow(_ line: [UInt8], _ columns: CSVColumns, number: Int, into fixes: inout [Fix])
  {
    guard line.contains(where: { !isSpace($0) }), line.first != 0x23 else { return }
    let row = CSVRow.fields(line[...], delimiter: columns.delimiter)
    let isCutOff = isUnterminated && row.count < columns.count
    guard row.count > max(columns.latitude, columns.longitude), !isCutOff else {
      tally.leaveOut(.damagedLine, line: number)
      return
    }
    let point = columns.decimalPoint
    guard
      let coordinate = tally.place(
        latitude: decimalNumber(row[columns.latitude], orPoint: point),
        longitude: decimalNumber(row[columns.longitude], orPoint: point), line: number)
    else { return }
    let written = CSVTime(
      time: columns.time.flatMap { row[at: $0] }, date: columns.date.flatMap { row[at: $0] })
    guard !written.isEmpty else {
      tally.leaveOut(.noTime, line: number)
      return
    }
    guard let time = written.resolved else {
      tally.leaveOut(.unreadableTime, line: number)
      return
    }
    if !time.hasZone { zonelessTimes += 1 }
    survey.take(time.time)

    func value(_ index: Int?) -> Double? {
      index.flatMap { row[at: $0] }.flatMap { decimalNumber($0, orPoint: point) }
    }
    func value(_ column: CSVColumns.Column?) -> Double? {
      column.flatMap { column in value(column.index).map { $0 * column.factor } }
    }
    let accuracy =
      value(columns.accuracy).flatMap(positiveValue)
      ?? value(columns.hdop).flatMap(positiveValue).map(Accuracy.fromHDOP)
    let device = columns.device.flatMap { row[at: $0] }.flatMap { name in
      name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
    fixes.append(
      Fix(
        device: options.device ?? device ?? Fix.defaultDevice, time: time.time, coordinate: coordinate,
        accuracy: accuracy, altitude: value(columns.altitude),
        speed: value(columns.speed).flatMap(nonNegative),
        course: value(columns.course).flatMap(courseInDegrees), source: .csv))
  }
}

extension CSVColumns {
  /// What may stand before the decimals besides a point: a comma, where that does not separate the columns.
  var decimalPoint: UInt8? { delimiter == UInt8(ascii: ",") ? nil : UInt8(ascii: ",") }
}

/// A number with a decimal point, or with `point` in its place.
private func decimalNumber(_ text: [UInt8], orPoint point: UInt8?) -> Double? {
  if let number = decimalNumber(text.span) { return number }
  guard let point else { return nil }
  return decimalNumber(text.span, point: point)
}

extension [[UInt8]] {
  /// The field at `index`; nil where the row is too short.
  fileprivate subscript(at index: Int) -> [UInt8]? { index < count ? self[index] : nil }
}

/// What is to be said about so many times without a zone.
func zonelessWarning(_ count: Int) -> String {
  count == 1
    ? "One time names no zone and counts as UTC." : "\(count) times name no zone and count as UTC."
}
