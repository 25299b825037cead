/// Puts sentences together that speak of the same instant.
///
/// RMC, GGA, GNS, GLL and PUBX,00 carry a time: one whose time differs by more than 10 ms ends the epoch and begins the next.
/// VTG, GSA and PGRME carry none: the second of its kind in one epoch belongs to the next, which its receiver begins with it.
struct EpochAssembler: Sendable {
  /// Sentences of an epoch whose times differ by no more are of one, in milliseconds.
  static let tolerance = 10

  /// The epoch that ended last.
  private(set) var closed = NMEAEpoch(key: 0)
  /// Whether an epoch has begun that has not ended.
  private(set) var isOpen = false

  private var epoch = NMEAEpoch(key: 0)
  private var hasClosed = false
  private var waiting: [NMEAEpoch.Untimed] = []
  private var waitingClock: NMEAEpoch.DateReport?
  /// Where the run of GSA that the last sentence belongs to goes; nil where the last sentence is no GSA.
  private var runOfGSA: Destination?

  private enum Destination { case epoch, waiting }

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

  /// Whether an epoch has ended since the last time this was asked: then it is ``closed``.
  mutating func hasEnded() -> Bool {
    defer { hasClosed = false }
    return hasClosed
  }

  private mutating func close() {
    guard isOpen else { return }
    swap(&closed, &epoch)
    isOpen = false
    hasClosed = true
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
    if isOpen, !Self.agree(epoch.key, key) { close() }
    if !isOpen { begin(at: key) }
    return epoch.take(sentence, kind, talker, time: time)
  }

  private static func agree(_ a: Int, _ b: Int) -> Bool {
    let difference = abs(a - b)
    return min(difference, 86_400_000 - difference) <= tolerance
  }

  private mutating func begin(at key: Int) {
    isOpen = true
    epoch.restart(at: key)
    epoch.said.clockDate = waitingClock
    waitingClock = nil
    for content in waiting { epoch.take(content) }
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
    if !isOpen {
      waitingClock = report
    } else if epoch.said.clockDate == nil {
      epoch.said.clockDate = report
    }
  }

  private mutating func takeErrors(_ sentence: NMEASentence, _ kind: NMEAKind) {
    guard isOpen, let time = sentence.timeOfDay(1), Self.agree(epoch.key, time % 86_400_000) else { return }
    epoch.takeErrors(sentence, kind)
  }

  // MARK: Sentences without a time

  private mutating func place(_ content: NMEAEpoch.Untimed, _ kind: NMEAKind, _ talker: NMEATalker) {
    let destination: Destination
    if kind == .gsa, let run = runOfGSA, run == .waiting || isOpen {
      destination = run
    } else {
      let isSecond = epoch.seen.contains { $0 == kind && $1 == talker }
      destination = isOpen && !isSecond ? .epoch : .waiting
    }
    if kind == .gsa { runOfGSA = destination }
    switch destination {
    case .epoch:
      epoch.seen.append((kind, talker))
      epoch.take(content)
    case .waiting where waiting.count < 64:
      waiting.append(content)
    case .waiting:
      break
    }
  }
}
