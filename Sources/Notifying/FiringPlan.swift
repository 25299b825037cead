public import FencelineCivilTime

/// What a request brings about at a time: which occurrences are delivered now, and when the next one is due.
///
/// It is worked out from the rule alone, from where the request stands, so that neither a restart nor a clock that is set nor another
/// zone makes one come twice or not at all:
///
/// - What has been seen to is known by its key, whatever the clock says.
/// - Whoever keeps the standing lets a rule of the calendar begin again at the present where the clock was put back, by a last occurrence
///   there: what was not delivered yet is then, and what was is not.
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
    last = standing.last
    guard let occurrences = Occurrences(request, requestedAt: standing.requestedAt, in: zone) else { return }
    let repeats = request.trigger?.repeats ?? false
    let from = min(
      standing.last?.at ?? Timestamp(milliseconds: request.first(standing.requestedAt).milliseconds - 1), now)
    var most = 1
    if repeats { most = if case .all(let number) = request.misfire.action { number + 1 } else { 2 } }
    let over = FiringPlan.over(occurrences, standing, from, now, most: most)
    guard let latest = over.last else {
      next = occurrences.first(after: from, standing)
      return
    }
    last = latest
    // What may be late when it is asked for is not missed then.
    let grace =
      standing.last == nil ? max(request.misfire.grace, request.pastGrace ?? 0) : request.misfire.grace
    let limit = Timestamp(milliseconds: now.milliseconds - Int64(grace * 1000))
    switch request.misfire.action {
    case .once: deliver = [latest]
    case .all(let number): deliver = over.suffix(number)
    case .skip: deliver = latest.at >= limit ? [latest] : []
    }
    hasMissed = deliver.count < over.count
    if repeats { next = occurrences.first(after: max(latest.at, from), standing) }
  }

  /// The last few occurrences after `from` and up to `now`; the first where there can be only one.
  ///
  /// A rule knows only its next time, so the past is searched in spans that grow: from the present, or the end of the rule, back to what
  /// was seen to last.
  private static func over(
    _ occurrences: Occurrences, _ standing: Standing, _ from: Timestamp, _ now: Timestamp, most: Int
  ) -> [Occurrence] {
    guard let first = occurrences.first(after: from, standing), first.at <= now else { return [] }
    if most == 1 { return [first] }
    let end = min(now, occurrences.end ?? now)
    var span: Int64 = 3_600_000
    while true {
      let begin = max(from.milliseconds, end.milliseconds - span)
      var found: [Occurrence] = []
      var time = Timestamp(milliseconds: begin)
      while let next = occurrences.first(after: time, standing), next.at <= now {
        if found.count == most { found.removeFirst() }
        found.append(next)
        time = next.at
      }
      if found.count == most || begin == from.milliseconds { return found }
      span *= 24
    }
  }
}
