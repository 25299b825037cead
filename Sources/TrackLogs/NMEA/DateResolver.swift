import FencelineCivilTime
import FencelinePositioning

/// Gives days to times of day.
///
/// A date counts for its epoch and is carried over those that follow, a day on where the time of day falls by more than 12 h.
/// Epochs before the first date are held back and get theirs from it, counted backwards in the same way.
struct DateResolver: Sendable {
  /// Held epochs beyond which the log counts as one without a date.
  static let mostHeld = 1_000_000

  /// Warnings that the dates give rise to.
  enum Finding: Hashable, Sendable {
    case noDate
    case tooManyUndated
    case startDateIgnored
  }

  private(set) var findings: Set<Finding> = []
  private(set) var repeated = 0
  /// Fixes that midnights have carried beyond the years 1 to 9999.
  private(set) var offTheCalendar = 0

  private let startDate: CivilDate?
  private let mostHeld: Int
  /// The day of the last epoch, since 1970; before a date is known, relative to the first fix.
  private var day = 0
  private var isDated = false
  private var hasOwnDate = false
  private var isDateless = false
  private var lastKey: Int?
  private var held: [Fix] = []
  private var lastTime: Timestamp?

  init(startDate: CivilDate?, mostHeld: Int = DateResolver.mostHeld) {
    self.startDate = startDate
    self.mostHeld = mostHeld
  }

  /// Takes an epoch and its fix, if it has one, whose time is yet to be set; appends fixes whose day is known.
  mutating func take(_ epoch: NMEAEpoch, _ fix: Fix?, into fixes: inout [Fix]) {
    carry(to: epoch.key)
    if !isDateless, let date = date(of: epoch, hasFix: fix != nil) { settle(date, into: &fixes) }
    guard var fix else { return }
    fix.time = Timestamp(milliseconds: Int64(day) * Timestamp.millisecondsPerDay + Int64(epoch.key))
    if isDated || isDateless {
      append(fix, to: &fixes)
    } else {
      if held.isEmpty {
        day = 0
        fix.time = Timestamp(milliseconds: Int64(epoch.key))
      }
      held.append(fix)
      if held.count >= mostHeld {
        findings.insert(.tooManyUndated)
        goDateless(into: &fixes)
      }
    }
  }

  /// Dates the next epoch by the clock, for as long as the receiver has given no date: what is live is not held back.
  ///
  /// - Parameters:
  ///   - now: When the epoch has come; it gets the day that brings it nearest.
  ///   - key: Its time of day in milliseconds.
  mutating func assume(_ now: Timestamp, for key: Int) {
    guard !hasOwnDate else { return }
    let (today, timeOfDay) = now.split(by: Timestamp.millisecondsPerDay)
    day = Int(today)
    if key - Int(timeOfDay) > 43_200_000 { day -= 1 }
    if key - Int(timeOfDay) < -43_200_000 { day += 1 }
    isDated = true
    lastKey = key
  }

  /// Takes the end of the log.
  mutating func finish(into fixes: inout [Fix]) {
    if !isDated, !isDateless, !held.isEmpty {
      if startDate == nil { findings.insert(.noDate) }
      goDateless(into: &fixes)
    }
    if isDated, startDate != nil { findings.insert(.startDateIgnored) }
  }

  private mutating func carry(to key: Int) {
    if let last = lastKey {
      if key - last < -43_200_000 { day += 1 }
      if key - last > 43_200_000 { day -= 1 }
    }
    lastKey = key
  }

  /// The epoch's own day: the RMC's, else a clock's where there is a fix, each moved to the nearest day where its time of day is
  /// on the other side of a midnight.
  private func date(of epoch: NMEAEpoch, hasFix: Bool) -> Int? {
    guard let report = epoch.recommendedDate ?? (hasFix ? epoch.clockDate : nil) else { return nil }
    var day = report.date.daysSince1970
    if let time = report.timeOfDay {
      if epoch.key - time < -43_200_000 { day += 1 }
      if epoch.key - time > 43_200_000 { day -= 1 }
    }
    return day
  }

  private mutating func settle(_ date: Int, into fixes: inout [Fix]) {
    hasOwnDate = true
    if !isDated {
      isDated = true
      release(shiftedBy: date - day, into: &fixes)
    }
    day = date
  }

  private mutating func goDateless(into fixes: inout [Fix]) {
    isDateless = true
    let start = startDate?.daysSince1970 ?? 0
    release(shiftedBy: start, into: &fixes)
    day += start
  }

  private mutating func release(shiftedBy days: Int, into fixes: inout [Fix]) {
    let shift = Int64(days) * Timestamp.millisecondsPerDay
    for var fix in held {
      fix.time.milliseconds += shift
      append(fix, to: &fixes)
    }
    held = []
  }

  private mutating func append(_ fix: Fix, to fixes: inout [Fix]) {
    guard fix.time >= .earliest, fix.time <= .latest else {
      offTheCalendar += 1
      return
    }
    guard fix.time != lastTime else {
      repeated += 1
      return
    }
    lastTime = fix.time
    fixes.append(fix)
  }
}
