/// A rule in a zone, from one time to another.
public struct CalendarSchedule: Hashable, Sendable {
  /// What is due.
  public let rule: CalendarRule
  /// Whose clocks tell when.
  public let zone: CivilZone
  /// The first instant that counts; nil is any.
  public let start: Timestamp?
  /// The last instant that counts; nil is any.
  public let end: Timestamp?

  /// A schedule.
  public init(
    _ rule: CalendarRule, in zone: CivilZone, from start: Timestamp? = nil, until end: Timestamp? = nil
  ) {
    self.rule = rule
    self.zone = zone
    self.start = start
    self.end = end
  }

  /// A schedule that ends when it was due so many times.
  ///
  /// - Parameters:
  ///   - rule: What is due.
  ///   - zone: Whose clocks tell when.
  ///   - start: The first instant that counts.
  ///   - end: The last instant that counts; nil is any.
  ///   - count: 1 or more.
  /// - Complexity: Takes as long as so many calls of ``next(after:)``.
  public init(
    _ rule: CalendarRule, in zone: CivilZone, from start: Timestamp, until end: Timestamp? = nil,
    times count: Int
  ) {
    self.init(rule, in: zone, from: start, until: end)
    var last: Timestamp?
    for _ in 0..<count {
      guard let next = next(after: last ?? Timestamp(milliseconds: start.milliseconds - 1)) else { return }
      last = next
    }
    self.init(rule, in: zone, from: start, until: last)
  }

  /// When it is due next: the first time after `time`; nil where there is none within 30 years of that, or of the start.
  public func next(after time: Timestamp) -> Timestamp? {
    due(after: time).map { Timestamp(seconds: $0.time) }
  }

  private func due(after time: Timestamp) -> CalendarRule.Due? {
    var time = time
    if let start, start > time { time = Timestamp(milliseconds: start.milliseconds - 1) }
    guard let due = rule.due(after: time, in: zone) else { return nil }
    if let end, Timestamp(seconds: due.time) > end { return nil }
    return due
  }

  /// When it is due next, as ``next(after:)`` says, and what clocks do meanwhile.
  public func occurrence(after time: Timestamp) -> CalendarOccurrence? {
    due(after: time).map { CalendarOccurrence($0, in: zone) }
  }
}

/// A time at which something is due, and what clocks that change have to do with it.
public struct CalendarOccurrence: Hashable, Sendable {
  /// A change of the clocks, as they show it.
  public struct ClockChange: Hashable, Sendable {
    /// What clocks show when they change, as UTC would show it at this instant.
    public var from: Timestamp
    /// What they are put to, likewise.
    public var to: Timestamp

    init(at time: Int, in zone: CivilZone) {
      from = Timestamp(seconds: time + zone.stretch(at: time - 1).offset)
      to = Timestamp(seconds: time + zone.stretch(at: time).offset)
    }
  }

  /// What becomes of a local time that is not there once.
  public enum Moment: Hashable, Sendable {
    /// Clocks leap over it: it is due when they have.
    case never(ClockChange)
    /// Clocks show it twice: this is the first time.
    case first(ClockChange)
    /// Clocks show it twice: this is the second time.
    case second(ClockChange)
  }

  /// The instant.
  public let time: Timestamp
  /// Seconds by which clocks are ahead of UTC then.
  public let offset: Int
  /// The local time that the rule asks for, as UTC would show it at this instant.
  public let matching: Timestamp
  /// What becomes of that time; nil where clocks show it once.
  public let moment: Moment?
  /// A change of the clocks before this time that has left out one or more others.
  public let leftOut: ClockChange?

  init(_ due: CalendarRule.Due, in zone: CivilZone) {
    time = Timestamp(seconds: due.time)
    offset = zone.stretch(at: due.time).offset
    matching = Timestamp(seconds: due.matching)
    switch zone.instants(showing: due.matching) {
    case .once: moment = nil
    case .twice(let first, _):
      let change = ClockChange(at: zone.stretch(at: first).end, in: zone)
      moment = due.time == first ? .first(change) : .second(change)
    case .never(let end, _): moment = .never(ClockChange(at: end, in: zone))
    }
    if let leftOut = due.leftOut, case .never(let end, _) = zone.instants(showing: leftOut) {
      self.leftOut = ClockChange(at: end, in: zone)
    } else {
      leftOut = nil
    }
  }
}
