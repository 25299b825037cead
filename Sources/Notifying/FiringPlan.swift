public import FencelineCivilTime

/// What a request brings about at a time: which occurrences are delivered now, and when the next one is due.
///
/// It is worked out from the rule alone, from where the request stands, so that neither a restart nor a clock that is set nor another
/// zone makes one come twice or not at all:
///
/// - What has been seen to is known by its key, whatever the clock says.
/// - A clock that was put back lets the rule begin again at the present: what was not delivered yet is.
public struct FiringPlan: Hashable, Sendable {
  /// Where a request stands.
  public struct Standing: Hashable, Sendable {
    /// When it was asked for, by the clock as it goes now.
    public var requestedAt: Timestamp
    /// The last occurrence that was seen to, delivered or not; nil where there was none.
    public var last: Occurrence?
    /// Those that were delivered and may lie ahead, after a clock was put back.
    public var delivered: Set<Int64>

    /// Where it stands.
    public init(requestedAt: Timestamp, last: Occurrence? = nil, delivered: Set<Int64> = []) {
      self.requestedAt = requestedAt
      self.last = last
      self.delivered = delivered
    }
  }

  /// To be delivered now, in order.
  public private(set) var deliver: [Occurrence] = []
  /// The last one that is over; nil where none is.
  public private(set) var last: Occurrence?
  /// Whether some are over that were not delivered, since they were missed.
  public private(set) var hasMissed = false
  /// The next one; nil where there is none any more.
  public private(set) var next: Occurrence?

  /// What a request brings about.
  ///
  /// - Parameters:
  ///   - request: One that time makes due.
  ///   - standing: Where it stands.
  ///   - now: The time by the system's clock.
  ///   - zone: What clocks show in the zone of its trigger.
  public init(_ request: NotificationRequest, _ standing: Standing, at now: Timestamp, in zone: CivilZone) {
    func occurrence(after time: Timestamp) -> Occurrence? {
      var time = time
      while let found = request.occurrence(after: time, requestedAt: standing.requestedAt, in: zone) {
        if case .interval(let trigger) = request.trigger {
          // Time that has passed does not come again.
          guard let last = standing.last, found.key <= last.key else { return found }
          return trigger.repeats ? trigger.occurrence(last.key + 1, requestedAt: standing.requestedAt) : nil
        }
        // One that was delivered before the clock was put back.
        guard standing.delivered.contains(found.key) else { return found }
        time = found.at
      }
      return nil
    }
    let repeats = request.trigger?.repeats ?? false
    var from = standing.last?.at ?? standing.requestedAt
    // The moment of the request itself does not count, unless time that is over may.
    if standing.last == nil, let grace = request.pastGrace, case .calendar = request.trigger {
      from = Timestamp(milliseconds: from.milliseconds - Int64(grace * 1000) - 1)
    }
    from = min(from, now)
    let over = FiringPlan.over(
      from, now, most: FiringPlan.most(request, isOnce: !repeats), isOnce: !repeats, occurrence)
    last = over.last ?? standing.last
    if let latest = over.last {
      let limit = Timestamp(milliseconds: now.milliseconds - Int64(request.misfire.grace * 1000))
      switch request.misfire.action {
      case .once: deliver = [latest]
      case .all(let number): deliver = over.suffix(number)
      case .skip: deliver = latest.at >= limit ? [latest] : []
      }
      hasMissed = deliver.count < over.count
      next = repeats ? occurrence(after: max(latest.at, from)) : nil
    } else {
      next = occurrence(after: from)
    }
  }

  private static func most(_ request: NotificationRequest, isOnce: Bool) -> Int {
    if isOnce { return 1 }
    if case .all(let number) = request.misfire.action { return number + 1 }
    return 2
  }

  /// The last few occurrences after `from` and up to `now`; the first where there can be only one.
  ///
  /// A rule knows only its next time, so the past is searched in spans that grow: from the present back to what was seen to last.
  private static func over(
    _ from: Timestamp, _ now: Timestamp, most: Int, isOnce: Bool, _ occurrence: (Timestamp) -> Occurrence?
  ) -> [Occurrence] {
    guard let first = occurrence(from), first.at <= now else { return [] }
    if isOnce { return [first] }
    var span: Int64 = 3_600_000
    while true {
      let begin = max(from.milliseconds, now.milliseconds - span)
      var found: [Occurrence] = []
      var time = Timestamp(milliseconds: begin)
      while let next = occurrence(time), next.at <= now {
        if found.count == most { found.removeFirst() }
        found.append(next)
        time = next.at
      }
      if found.count == most || begin == from.milliseconds { return found }
      span *= 24
    }
  }
}
