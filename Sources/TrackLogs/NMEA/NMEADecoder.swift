import FencelineCivilTime
import FencelinePositioning

/// Reads NMEA 0183: bytes become sentences, sentences epochs, epochs fixes.
struct NMEADecoder: LogDecoder, Sendable {
  private(set) var tally = LogTally()
  let fault: LogFault? = nil
  /// Whether the stream has held a sentence that makes it a log.
  private(set) var hasSeenSentence = false

  private let options: LogOptions
  private let device: String
  private var framer = NMEAFramer()
  private var assembler = EpochAssembler()
  private var dates: DateResolver
  private var survey: DateSurvey

  init(options: LogOptions, mostHeld: Int = DateResolver.mostHeld) {
    self.options = options
    device = options.deviceName
    dates = DateResolver(startDate: options.startDate, mostHeld: mostHeld)
    survey = DateSurvey(now: options.now)
  }

  /// What is said where the user gives a day that is not needed.
  static let dateIsIgnored = "The log holds dates of its own: --date is ignored."

  mutating func decode(_ bytes: Span<UInt8>, into fixes: inout [Fix]) {
    var place = 0
    while let event = framer.next(in: bytes, from: &place) { take(event, into: &fixes) }
  }

  mutating func finish(into fixes: inout [Fix]) {
    if let event = framer.finish() { take(event, into: &fixes) }
    assembler.finish()
    takeEpoch(into: &fixes)
    let start = fixes.count
    dates.finish(into: &fixes)
    for place in start..<fixes.count { survey.take(fixes[place].time) }
    countMisdated()
  }

  var warnings: [String] {
    var warnings: [String] = []
    if dates.findings.contains(.noDate) {
      warnings.append(
        "The log holds no date: its first day counts as 1970-01-01. Say the day with --date YYYY-MM-DD.")
    }
    if dates.findings.contains(.tooManyUndated) {
      warnings.append("The log holds no date for so long that any later ones are ignored.")
    }
    if dates.findings.contains(.startDateIgnored) {
      warnings.append(Self.dateIsIgnored)
    }
    let isUndated = dates.findings.contains(.noDate) || dates.findings.contains(.tooManyUndated)
    return warnings + (isUndated ? [] : survey.warnings)
  }

  private mutating func take(_ event: NMEAFramer.Event, into fixes: inout [Fix]) {
    switch event {
    case .wrongChecksum: tally.leaveOut(.wrongChecksum)
    case .missingChecksum: tally.leaveOut(.missingChecksum)
    case .foreignLine: tally.leaveOut(.foreignLine)
    case .sentence(let startsWithDollar):
      if !hasSeenSentence { hasSeenSentence = recognises(framer.sentence) }
      guard startsWithDollar else { return }
      if let omission = assembler.take(framer.sentence) { tally.leaveOut(omission) }
      takeEpoch(into: &fixes)
    }
  }

  /// Whether a sentence makes a stream an NMEA log: a known one, and without a checksum only one that matters.
  private func recognises(_ sentence: NMEASentence) -> Bool {
    switch sentence.address.kind {
    case .unknown: false
    case .other: sentence.hadChecksum
    default: true
    }
  }

  private mutating func takeEpoch(into fixes: inout [Fix]) {
    guard assembler.hasEnded() else { return }
    let start = fixes.count
    let hasFix = assembler.closed.appendFix(of: device, to: &fixes, options, &tally)
    dates.take(assembler.closed, hasFix: hasFix, into: &fixes)
    for place in start..<fixes.count { survey.take(fixes[place].time) }
    countMisdated()
  }

  private var countedRepeats = 0
  private var countedOffTheCalendar = 0

  private mutating func countMisdated() {
    while countedRepeats < dates.repeated {
      countedRepeats += 1
      tally.leaveOut(.repeatedEpoch)
    }
    while countedOffTheCalendar < dates.offTheCalendar {
      countedOffTheCalendar += 1
      tally.leaveOut(.offTheCalendar)
    }
  }
}
