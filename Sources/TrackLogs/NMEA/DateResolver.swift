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
  /// The date that was read last, and the days from 1970 to it.
  private var lastDate: (date: CivilDate, day: Int)?

  init(startDate: CivilDate?, mostHeld: Int = DateResolver.mostHeld) {
    self.startDate = startDate
    self.mostHeld = mostHeld
  }

  /// Takes an epoch.
  ///
  /// - Parameters:
  ///   - epoch: What was said.
  ///   - hasFix: Whether it has given a fix: the last of `fixes`, whose time is yet to be set.
  ///   - fixes: Whose day is known stays there or is appended; the others are taken out, to come back later or never.
  mutating func take(_ epoch: borrowing NMEAEpoch, hasFix: Bool, into fixes: inout [Fix]) {
    carry(to: epoch.key)
    if !isDateless, let date = date(of: epoch, hasFix: hasFix) { settle(date, before: hasFix, in: &fixes) }
    guard hasFix else { return }
    let isKnown = isDated || isDateless
    if !isKnown, held.isEmpty { day = 0 }
    let time = Timestamp(milliseconds: Int64(day) * Timestamp.millisecondsPerDay + Int64(epoch.key))
    if isKnown {
      if counts(time) { fixes[fixes.count - 1].time = time } else { fixes.removeLast() }
    } else if var fix = fixes.popLast() {
      fix.time = time
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
  private mutating func date(of epoch: borrowing NMEAEpoch, hasFix: Bool) -> Int? {
    guard let report = epoch.said.recommendedDate ?? (hasFix ? epoch.said.clockDate : nil) else { return nil }
    if report.date != lastDate?.date { lastDate = (report.date, report.date.daysSince1970) }
    var day = lastDate?.day ?? 0
    if let time = report.timeOfDay {
      if epoch.key - time < -43_200_000 { day += 1 }
      if epoch.key - time > 43_200_000 { day -= 1 }
    }
    return day
  }

  /// Takes it that an epoch is of a day; what was held goes before its fix, if it has one.
  private mutating func settle(_ date: Int, before hasFix: Bool, in fixes: inout [Fix]) {
    hasOwnDate = true
    if !isDated {
      isDated = true
      let last = hasFix ? fixes.popLast() : nil
      release(shiftedBy: date - day, into: &fixes)
      if let last { fixes.append(last) }
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
      if counts(fix.time) { fixes.append(fix) }
    }
    held = []
  }

  /// Whether a fix of a time counts: on the calendar, and not at the time of the one before.
  private mutating func counts(_ time: Timestamp) -> Bool {
    guard time >= .earliest, time <= .latest else {
      offTheCalendar += 1
      return false
    }
    guard time != lastTime else {
      repeated += 1
      return false
    }
    lastTime = time
    return true
  }
}
