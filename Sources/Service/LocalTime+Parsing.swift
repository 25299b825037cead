package import FencelineCivilTime

extension LocalTime {
  /// Reads an instant as people write it.
  ///
  /// - Parameters:
  ///   - text: ISO 8601 with or without a zone; a day, month, week or year (`2026-03-01`, `2026-03`, `2026-W12`, `2026`), which means its
  ///     beginning; a time of today (`08:30`); `now`, `today`, `yesterday`, `tomorrow`; a day of the week, which means the latest one,
  ///     today included; `this-week`, `last-month` and the like.
  ///   - now: The present.
  /// - Returns: nil where the text is none of these.
  package static func instant(parsing text: String, now: Timestamp = LocalTime.now) -> Timestamp? {
    let word = text.lowercased()
    if word == "now" { return now }
    if let date = day(named: word, today: date(of: now)) { return start(of: date) }
    if let read = ISO8601(parsing: text.utf8) {
      return read.hasZone ? read.time : instant(showing: read.time)
    }
    if let clock = ISO8601(parsing: "\(date(of: now))T\(text)".utf8),
      text.utf8.first.map({ (0x30...0x39).contains($0) }) == true
    {
      return clock.hasZone ? clock.time : instant(showing: clock.time)
    }
    for whole in [text, text + "-01", text + "-01-01"] {
      if let read = ISO8601(parsing: (whole + "T00:00").utf8) { return instant(showing: read.time) }
    }
    return week(text).map(start)
  }

  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  private static func day(named word: String, today: CivilDate) -> CivilDate? {
    switch word {
    case "today": return today
    case "yesterday": return CivilDate(daysSince1970: today.daysSince1970 - 1)
    case "tomorrow": return CivilDate(daysSince1970: today.daysSince1970 + 1)
    default: break
    }
    for (number, name) in weekdays.enumerated() where word == name || word == fullName(of: name) {
      return CivilDate(daysSince1970: today.daysSince1970 - (today.daysSinceMonday - number + 7) % 7)
    }
    for period in CalendarPeriod.allCases where period != .day {
      let this = period.start(of: today)
      if word == "this-\(period.rawValue)" { return this }
      if word == "last-\(period.rawValue)" {
        return period.start(of: CivilDate(daysSince1970: this.daysSince1970 - 1))
      }
    }
    return nil
  }

  private static func fullName(of weekday: String) -> String {
    switch weekday {
    case "tue": "tuesday"
    case "wed": "wednesday"
    case "thu": "thursday"
    case "sat": "saturday"
    default: weekday + "day"
    }
  }

  /// The Monday of a week such as `2026-W12`.
  private static func week(_ text: String) -> CivilDate? {
    let parts = text.uppercased().split(separator: "-W", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 2, let year = Int(parts[0]),
      let week = Int(parts[1]), (1...53).contains(week), let fourth = CivilDate(year: year, month: 1, day: 4)
    else { return nil }
    // The first week is the one that holds 4 January.
    let first = CalendarPeriod.week.start(of: fourth).daysSince1970
    let monday = CivilDate(daysSince1970: first + 7 * (week - 1))
    return CalendarPeriod.week.name(of: monday) == text.uppercased() ? monday : nil
  }
}
