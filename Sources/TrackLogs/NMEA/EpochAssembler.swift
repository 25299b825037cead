/// Puts sentences together that speak of the same instant.
///
/// RMC, GGA, GNS, GLL and PUBX,00 carry a time: one whose time differs by more than 10 ms ends the epoch and begins the next.
/// VTG, GSA and PGRME carry none: the second of its kind in one epoch belongs to the next, which its receiver begins with it.
struct EpochAssembler: Sendable {
  /// Sentences of an epoch whose times differ by no more are of one, in milliseconds.
  static let tolerance = 10

  /// The epoch that has ended, ready to be taken.
  private(set) var closed: NMEAEpoch?

  private var epoch: NMEAEpoch?
  private var waiting: [NMEAEpoch.Untimed] = []
  private var waitingClock: NMEAEpoch.DateReport?
  /// Where the run of GSA that the last sentence belongs to goes; nil where the last sentence is no GSA.
  private var runOfGSA: Destination?

  private enum Destination { case epoch, waiting }

  /// Whether an epoch has begun that has not ended.
  var isOpen: Bool { epoch != nil }

  /// Takes a sentence.
  ///
  /// - Returns: What is wrong with it; nil where nothing is.
  mutating func take(_ sentence: NMEASentence) -> LogOmission? {
    let (kind, talker) = sentence.address
    if kind != .gsa { runOfGSA = nil }
    switch kind {
    case .rmc, .gga, .gns, .gll, .pubx00:
      return takeTimed(sentence, kind, talker)
    case .zda, .pubx04, .pgrmf:
      takeClock(sentence, kind)
    case .gst, .gbs:
      takeErrors(sentence, kind)
    case .vtg, .gsa, .pgrme:
      if let content = NMEAEpoch.Untimed(sentence, kind) { place(content, kind, talker) }
    case .other, .unknown:
      break
    }
    return nil
  }

  /// Takes the end of the stream, or of what the receiver says about one instant.
  mutating func finish() {
    close()
  }

  /// Hands out the epoch that has ended.
  mutating func takeClosed() -> NMEAEpoch? {
    guard let ready = closed else { return nil }
    closed = nil
    return ready
  }

  private mutating func close() {
    closed = epoch
    epoch = nil
  }

  // MARK: Sentences with a time

  private mutating func takeTimed(
    _ sentence: NMEASentence, _ kind: NMEAKind, _ talker: NMEATalker
  ) -> LogOmission? {
    let field = kind == .gll ? 5 : kind == .pubx00 ? 2 : 1
    guard !sentence.isEmpty(field) else {
      // The receiver has no time: whatever follows is of another instant. (Old GLL never has one.)
      if kind != .gll {
        close()
        waiting.removeAll(keepingCapacity: true)
      }
      return nil
    }
    guard let time = sentence.timeOfDay(field) else { return .malformedTime }
    let key = time % 86_400_000
    if let open = epoch?.key, !Self.agree(open, key) { close() }
    if epoch == nil { begin(at: key) }
    return epoch?.take(sentence, kind, talker, time: time) ?? nil
  }

  private static func agree(_ a: Int, _ b: Int) -> Bool {
    let difference = abs(a - b)
    return min(difference, 86_400_000 - difference) <= tolerance
  }

  private mutating func begin(at key: Int) {
    epoch = NMEAEpoch(key: key)
    epoch?.clockDate = waitingClock
    waitingClock = nil
    for content in waiting { epoch?.take(content) }
    waiting.removeAll(keepingCapacity: true)
  }

  // MARK: Dates and errors

  private mutating func takeClock(_ sentence: NMEASentence, _ kind: NMEAKind) {
    let (date, timeField) =
      switch kind {
      case .zda: (sentence.longDate(2), 1)
      case .pubx04: (sentence.date(3), 2)
      default: (sentence.date(3), 4)
      }
    guard let date else { return }
    let report = NMEAEpoch.DateReport(date: date, timeOfDay: sentence.timeOfDay(timeField))
    if epoch == nil {
      waitingClock = report
    } else if epoch?.clockDate == nil {
      epoch?.clockDate = report
    }
  }

  private mutating func takeErrors(_ sentence: NMEASentence, _ kind: NMEAKind) {
    guard let key = epoch?.key, let time = sentence.timeOfDay(1), Self.agree(key, time % 86_400_000) else {
      return
    }
    epoch?.takeErrors(sentence, kind)
  }

  // MARK: Sentences without a time

  private mutating func place(_ content: NMEAEpoch.Untimed, _ kind: NMEAKind, _ talker: NMEATalker) {
    let destination: Destination
    if kind == .gsa, let run = runOfGSA, run == .waiting || epoch != nil {
      destination = run
    } else {
      let isSecond = epoch?.seen.contains { $0 == kind && $1 == talker } ?? true
      destination = isSecond ? .waiting : .epoch
    }
    if kind == .gsa { runOfGSA = destination }
    switch destination {
    case .epoch:
      epoch?.seen.append((kind, talker))
      epoch?.take(content)
    case .waiting where waiting.count < 64:
      waiting.append(content)
    case .waiting:
      break
    }
  }
}
