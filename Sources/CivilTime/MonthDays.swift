/// The days of a rule, found month by month: the days of a month are bits of one word, bit 1 for the first.
struct MonthDays: Hashable, Sendable {
  private let year: Int?
  private let month: Int?
  private let day: Int?
  private let weekday: Int?
  private let weekdayOrdinal: Int?
  private let interval: Int
  private let anchor: Int

  init(_ components: CalendarRule.Components, _ interval: CalendarRule.Interval?) {
    year = components.year
    weekday = components.weekday
    weekdayOrdinal = components.weekdayOrdinal
    self.interval = interval?.days ?? 1
    anchor = interval?.anchor.daysSince1970 ?? 0
    let namesDay =
      components.day != nil || weekday != nil || weekdayOrdinal != nil || interval != nil
      || components.hour != nil || components.minute != nil || components.second != nil
    day = namesDay ? components.day : 1
    month = namesDay ? components.month : components.month ?? 1
  }

  /// The first day from `day` on, up to `last`, both counted from 1970; nil where there is none.
  func first(from day: Int, through last: Int) -> Int? {
    let date = CivilDate(daysSince1970: day)
    var (year, month, earliest) = (date.year, date.month, date.day)
    if let wanted = self.year, year < wanted { (year, month, earliest) = (wanted, 1, 1) }
    while true {
      if let wanted = self.month, wanted != month {
        if month > wanted { year += 1 }
        (month, earliest) = (wanted, 1)
      }
      if let wanted = self.year, year != wanted { return nil }
      let first = CivilDate.firstDay(ofMonth: month, of: year)
      guard first <= last else { return nil }
      let found = days(inMonth: month, of: year, first: first) & (~0 << UInt64(earliest))
      if found != 0 {
        let day = first + found.trailingZeroBitCount - 1
        return day <= last ? day : nil
      }
      (year, month, earliest) = month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)
    }
  }

  private func days(inMonth month: Int, of year: Int, first: Int) -> UInt64 {
    let length = CivilDate.days(inMonth: month, of: year)
    var days: UInt64 = (2 << UInt64(length)) - 2
    if let day { days &= 1 << UInt64(day) }
    if let weekday {
      // One day of each week.
      let day = (weekday - 1 - CivilDate.daysSinceSunday(first) + 7) % 7 + 1
      days &= 0x1020_4081 << UInt64(day)
    }
    if let weekdayOrdinal {
      // Seven days, of which the fifth last may begin before the month.
      let begin = weekdayOrdinal > 0 ? 7 * weekdayOrdinal - 6 : length + 7 * weekdayOrdinal + 1
      days &= 0x7F << begin
    }
    guard interval > 1 else { return days }
    var (kept, day) = (UInt64(0), split(anchor - first, by: interval).rest + 1)
    while day <= length {
      kept |= 1 << UInt64(day)
      day += interval
    }
    return days & kept
  }

  /// Whether any day is so, in the 400 years after which the calendar begins anew.
  var canBe: Bool {
    let begin = CivilDate.firstDay(ofMonth: 1, of: year ?? 2000)
    return first(from: begin, through: begin + 146_097) != nil
  }
}

/// The times of day of a rule.
struct DayTimes: Hashable, Sendable {
  /// nil is each.
  let hour: Int?
  private let minute: Int?
  private let second: Int

  init(_ components: CalendarRule.Components) {
    second = components.second ?? 0
    minute = components.minute ?? (components.second == nil ? 0 : nil)
    hour = components.hour ?? (components.minute == nil && components.second == nil ? 0 : nil)
  }

  /// The first of the day, in seconds after midnight.
  var first: Int { (hour ?? 0) * 3600 + (minute ?? 0) * 60 + second }

  /// The first from a time on, both in seconds after midnight; nil where there is none left.
  func first(from time: Int) -> Int? {
    var (hour, minute) = (time / 3600, time / 60 % 60)
    if time % 60 > second { minute += 1 }
    if let wanted = self.minute {
      if minute > wanted { hour += 1 }
      minute = wanted
    } else if minute == 60 {
      (hour, minute) = (hour + 1, 0)
    }
    guard let wanted = self.hour else { return hour < 24 ? hour * 3600 + minute * 60 + second : nil }
    return hour < wanted ? first : hour == wanted ? hour * 3600 + minute * 60 + second : nil
  }
}
