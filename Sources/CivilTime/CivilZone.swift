/// A time zone: how far its clocks are from UTC, at every time.
///
/// Made from the bytes of a file of the time zone database, or from a rule of POSIX.
///
/// ```swift
/// let zone = CivilZone(posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
/// zone?.offset(at: Timestamp(milliseconds: 0))  // 3600
/// ```
public struct CivilZone: Hashable, Sendable {
  /// Coordinated universal time.
  public static let utc = CivilZone(transitions: [], offsets: [0], future: nil)

  /// Seconds since 1970 at which the offset changes, ascending.
  private let transitions: [Int]
  /// Seconds east of UTC: before the first transition, then from each one on.
  private let offsets: [Int]
  /// What holds from the last transition on; where there are none, always.
  private let future: POSIXZoneRule?

  init(transitions: [Int], offsets: [Int], future: POSIXZoneRule?) {
    self.transitions = transitions
    self.offsets = offsets
    self.future = future
  }

  /// The zone of a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil where the text is none.
  ///
  /// - Source: POSIX.1-2024, Base Definitions 8.3, `TZ`, with the times from -167 to 167 hours of RFC 9636. Without dates the clocks
  ///   change as in the United States, as the C library has it.
  public init?(posixRule text: String) {
    guard let rule = POSIXZoneRule(text.utf8) else { return nil }
    self.init(transitions: [], offsets: [rule.standard], future: rule)
  }

  /// Seconds by which the zone's clocks are ahead of UTC at an instant; negative in the west.
  public func offset(at time: Timestamp) -> Int {
    stretch(at: Int(time.split(by: 1000).whole)).offset
  }

  /// The instant at which the zone's clocks show what those of UTC show at `shown`; the end of a gap where they never do, the first
  /// where they do twice.
  public func instant(showing shown: Timestamp) -> Timestamp {
    let (seconds, milliseconds) = shown.split(by: 1000)
    switch instants(showing: Int(seconds)) {
    case .once(let time), .twice(let time, _): return Timestamp(seconds: time, milliseconds: milliseconds)
    case .never(let end, _): return Timestamp(seconds: end)
    }
  }
}

extension CivilZone {
  /// More than any clock is from UTC, in seconds.
  static let greatestOffset = 26 * 3600
  /// Before and after all times, in seconds; far enough from the limits of an integer to be reckoned with.
  static let (beginning, end) = (-(1 << 60), 1 << 60)

  /// A stretch of time without a change of the clocks.
  struct Stretch: Hashable {
    /// Seconds since 1970 at which it begins.
    var start: Int
    /// Seconds since 1970 at which the next one begins.
    var end: Int
    /// Seconds east of UTC.
    var offset: Int
  }

  /// The stretch that holds a time, in seconds since 1970.
  func stretch(at time: Int) -> Stretch {
    let last = transitions.last ?? CivilZone.beginning
    guard time >= last else {
      // How many transitions are over.
      var (low, high) = (0, transitions.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if transitions[middle] <= time { low = middle + 1 } else { high = middle }
      }
      let start = low == 0 ? CivilZone.beginning : transitions[low - 1]
      return Stretch(start: start, end: transitions[low], offset: offsets[low])
    }
    guard let future else {
      return Stretch(start: last, end: CivilZone.end, offset: offsets[transitions.count])
    }
    var found = future.stretch(at: time)
    found.start = max(found.start, last)
    return found
  }

  /// When clocks show a local time.
  enum Showing: Hashable {
    /// At one time.
    case once(Int)
    /// The clocks go back over it.
    case twice(first: Int, second: Int)
    /// The clocks go forward over it at a time, and then show another.
    case never(end: Int, shown: Int)
  }

  /// When the zone's clocks show a local time, in seconds as UTC counts them.
  func instants(showing local: Int) -> Showing {
    var stretch = stretch(at: local - CivilZone.greatestOffset)
    var first: Int?
    var gap: (end: Int, shown: Int)?
    while true {
      let time = local - stretch.offset
      if time >= stretch.start, time < stretch.end {
        if let first { return .twice(first: first, second: time) }
        first = time
      }
      guard stretch.end <= local + CivilZone.greatestOffset else { break }
      let next = self.stretch(at: stretch.end)
      let shown = next.start + next.offset
      if gap == nil, stretch.end + stretch.offset <= local, local < shown { gap = (next.start, shown) }
      stretch = next
    }
    // From a day before to a day after, clocks come from below `local` to above it: they show it or leap over it.
    guard first == nil, let gap else { return .once(first ?? local - stretch.offset) }
    return .never(end: gap.end, shown: gap.shown)
  }
}

extension Timestamp {
  /// An instant of whole seconds since 1970, and some milliseconds.
  init(seconds: Int, milliseconds: Int64 = 0) {
    self.init(milliseconds: Int64(seconds) * 1000 + milliseconds)
  }
}
