internal import FencelineCivilTime

/// The times at which a request is due, in order.
struct Occurrences {
  private enum Rule {
    case interval(IntervalTrigger, requestedAt: Timestamp)
    case calendar(CalendarSchedule)
  }

  private let rule: Rule

  /// Those of a request; nil where time does not make it due.
  ///
  /// - Complexity: As often as a trigger fires at most, where that is limited.
  init?(_ request: NotificationRequest, requestedAt: Timestamp, in zone: CivilZone) {
    switch request.trigger {
    case .interval(let trigger): rule = .interval(trigger, requestedAt: requestedAt)
    case .calendar(let trigger):
      guard let count = trigger.count else {
        rule = .calendar(CalendarSchedule(trigger.rule, in: zone, from: trigger.start, until: trigger.end))
        return
      }
      let first = trigger.start ?? request.first(requestedAt)
      rule = .calendar(
        CalendarSchedule(trigger.rule, in: zone, from: first, until: trigger.end, times: count))
    case .location, .push, nil: return nil
    }
  }

  /// The first one after `time` that was not seen to.
  func first(after time: Timestamp, _ standing: FiringPlan.Standing) -> Occurrence? {
    switch rule {
    case .interval(let trigger, let requestedAt):
      let found = trigger.occurrence(after: time, requestedAt: requestedAt)
      // Time that has passed does not come again.
      guard let last = standing.last, found.key <= last.key else { return found }
      return trigger.repeats ? trigger.occurrence(last.key + 1, requestedAt: requestedAt) : nil
    case .calendar(let schedule):
      var time = time
      while let next = schedule.next(after: time) {
        // One that was delivered before the clock was put back.
        guard standing.delivered.contains(next.milliseconds) else {
          return Occurrence(key: next.milliseconds, at: next)
        }
        time = next
      }
      return nil
    }
  }

  /// The last instant at which one can be; nil where there is no end.
  var end: Timestamp? {
    if case .calendar(let schedule) = rule { schedule.end } else { nil }
  }
}

extension NotificationRequest {
  /// The first instant that counts: that of the request itself does not, unless time that is over may.
  func first(_ requestedAt: Timestamp) -> Timestamp {
    guard let pastGrace, case .calendar = trigger else {
      return Timestamp(milliseconds: requestedAt.milliseconds + 1)
    }
    return Timestamp(milliseconds: requestedAt.milliseconds - Int64(pastGrace * 1000))
  }
}
