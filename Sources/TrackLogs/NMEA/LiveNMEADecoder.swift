package import FencelineCivilTime
package import FencelinePositioning

/// Reads NMEA 0183 as it comes from a receiver, and gives each fix out as early as that can be.
///
/// A log's epoch ends where the next begins, a second too late for someone who waits. A live one ends with the sentence that has
/// ended the last three bursts, else when nothing has come for a while, else with the next one's time.
package struct LiveNMEADecoder: Sendable {
  /// What an epoch comes to.
  package enum Report: Sendable {
    /// A position; `mode` is 3 where the height is known too, else 2.
    case fix(Fix, mode: Int)
    /// The receiver says that it has none, repeats the last one or contradicts itself.
    case noFix
  }

  /// Milliseconds without a byte that part two bursts.
  private static let gap: Int64 = 20
  /// Bursts that must have ended alike before that is relied on.
  private static let lesson = 3

  /// What was left out so far.
  package private(set) var tally = LogTally()
  /// Sentences read so far that a receiver of positions or another instrument sends.
  package private(set) var sentences = 0

  private let options: LogOptions
  private var framer = NMEAFramer()
  private var assembler = EpochAssembler()
  private var dates = DateResolver(startDate: nil)
  private var fixes: [Fix] = []

  /// A sentence's place in a burst: what it is, who says it and the how many-th of these it is.
  private struct Place: Equatable {
    var kind: NMEAKind
    var talker: NMEATalker
    var turn: Int
  }
  private var burst: [Place] = []
  private var usualEnd: Place?
  private var agreement = 0
  private var lastByte: Int64 = 0

  /// A decoder whose fixes have the device that `options` name, else `default`.
  package init(options: LogOptions) {
    self.options = options
  }

  /// Whether a pause would tell something: an epoch is open, or a burst's end is to be learned from.
  package var awaitsPause: Bool { assembler.isOpen || !burst.isEmpty }

  /// Takes bytes that have just come.
  ///
  /// - Parameters:
  ///   - bytes: What has come.
  ///   - now: The time of the system's clock, for receivers that send no date.
  ///   - clock: Milliseconds of a clock that never jumps.
  ///   - reports: Where the epochs that have ended are appended.
  package mutating func decode(
    _ bytes: Span<UInt8>, at now: Timestamp, clock: Int64, into reports: inout [Report]
  ) {
    if clock - lastByte >= Self.gap { endBurst() }
    lastByte = clock
    var place = 0
    while let event = framer.next(in: bytes, from: &place) { take(event, now, into: &reports) }
  }

  /// Takes it that nothing has come for a while.
  package mutating func pause(at now: Timestamp, into reports: inout [Report]) {
    endBurst()
    assembler.finish()
    takeEpoch(now, into: &reports)
  }

  /// Takes the end of the stream, at which a last sentence needs no end of its own.
  package mutating func finish(at now: Timestamp, into reports: inout [Report]) {
    if let event = framer.finish() { take(event, now, into: &reports) }
    pause(at: now, into: &reports)
  }

  private mutating func take(_ event: NMEAFramer.Event, _ now: Timestamp, into reports: inout [Report]) {
    switch event {
    case .wrongChecksum: tally.leaveOut(.wrongChecksum)
    case .missingChecksum: tally.leaveOut(.missingChecksum)
    case .foreignLine: tally.leaveOut(.foreignLine)
    case .sentence(let startsWithDollar):
      let (kind, talker) = framer.sentence.address
      if kind != .unknown { sentences += 1 }
      guard startsWithDollar else { return }
      if let omission = assembler.take(framer.sentence) { tally.leaveOut(omission) }
      takeEpoch(now, into: &reports)
      // Satellites in view and other instruments' sentences say nothing of the position: it need not wait for them.
      guard kind != .other, kind != .unknown, burst.count < 64 else { return }
      let turn = burst.count { $0.kind == kind && $0.talker == talker }
      let place = Place(kind: kind, talker: talker, turn: turn)
      burst.append(place)
      if agreement >= Self.lesson, place == usualEnd {
        assembler.finish()
        takeEpoch(now, into: &reports)
      }
    }
  }

  private mutating func endBurst() {
    guard let end = burst.last else { return }
    agreement = end == usualEnd ? agreement + 1 : 1
    usualEnd = end
    burst.removeAll(keepingCapacity: true)
  }

  private mutating func takeEpoch(_ now: Timestamp, into reports: inout [Report]) {
    guard assembler.hasEnded() else { return }
    let epoch = assembler.closed
    let (repeated, astray) = (dates.repeated, dates.offTheCalendar)
    dates.assume(now, for: epoch.key)
    fixes.removeAll(keepingCapacity: true)
    let hasFix = epoch.appendFix(of: options.deviceName, to: &fixes, options, &tally)
    dates.take(epoch, hasFix: hasFix, into: &fixes)
    if dates.repeated > repeated { tally.leaveOut(.repeatedEpoch) }
    if dates.offTheCalendar > astray { tally.leaveOut(.offTheCalendar) }
    let mode = epoch.said.satelliteMode.flatMap { $0 >= 2 ? $0 : nil } ?? (epoch.said.altitude == nil ? 2 : 3)
    if let fix = fixes.first { reports.append(.fix(fix, mode: mode)) } else { reports.append(.noFix) }
  }
}
