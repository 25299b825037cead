import FencelineCivilTime

/// Watches the dates of a log for what receivers are known to get wrong.
///
/// GPS counts weeks in 10 bits: a receiver older than its firmware expects is off by a multiple of 1024 weeks.
struct DateSurvey: Sendable {
  private static let rollover = 1024 * 7 * Timestamp.millisecondsPerDay
  private static let year2000 = Timestamp(milliseconds: 946_684_800_000)
  private static let year = 366 * Timestamp.millisecondsPerDay

  private let now: Timestamp?
  private var last: Timestamp?
  private var hasOldDates = false
  private var hasFutureDates = false
  private var hasRollover = false

  init(now: Timestamp?) {
    self.now = now
  }

  /// Looks at the time of one fix.
  mutating func take(_ time: Timestamp) {
    if time < Self.year2000 { hasOldDates = true }
    if let now, time.milliseconds - now.milliseconds > Self.year { hasFutureDates = true }
    if let last {
      let jump = abs(time.milliseconds - last.milliseconds)
      if jump > Self.rollover / 2 {
        let rest = jump % Self.rollover
        if min(rest, Self.rollover - rest) <= Timestamp.millisecondsPerDay { hasRollover = true }
      }
    }
    last = time
  }

  var warnings: [String] {
    var warnings: [String] = []
    if hasRollover {
      warnings.append(
        "The dates jump by a multiple of 1024 weeks: the receiver's week count has rolled over, so one part is wrong."
      )
    }
    if hasOldDates {
      warnings.append(
        "The log has dates before 2000: the receiver's clock or week count was probably wrong. They are kept as they are."
      )
    }
    if hasFutureDates {
      warnings.append(
        "The log has dates more than a year ahead: the receiver's clock or week count was probably wrong."
          + " They are kept as they are.")
    }
    return warnings
  }
}
