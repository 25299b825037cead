/// A day of the Gregorian calendar, also for years before it was introduced.
public struct CivilDate: Hashable, Comparable, Sendable, Codable {
  /// The year; 1 is AD 1, 0 the year before it.
  public var year: Int
  /// 1 to 12.
  public var month: Int
  /// 1 to 31.
  public var day: Int

  /// The date, or nil where the calendar has no such day (2026-02-29).
  ///
  /// - Parameters:
  ///   - year: 0 to 9999.
  ///   - month: 1 to 12.
  ///   - day: 1 to the length of the month.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.days(inMonth: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date so many days after 1970-01-01.
  ///
  /// - Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`: years begin in March, so
  ///   that the leap day comes last, and go round in eras of 400 years, which all have 146,097 days.
  public init(daysSince1970 days: Int) {
    let shifted = days + 719_468  // days since 0000-03-01
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day of UTC that holds `time`.
  public init(_ time: Timestamp) {
    self.init(daysSince1970: Int(time.split(by: Timestamp.millisecondsPerDay).whole))
  }

  /// Days since 1970-01-01; negative before it.
  ///
  /// - Source: H. Hinnant, as above, `days_from_civil`.
  public var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The instant at which the day begins in UTC.
  public var start: Timestamp {
    Timestamp(milliseconds: Int64(daysSince1970) * Timestamp.millisecondsPerDay)
  }

  /// Days in a month.
  ///
  /// - Parameters:
  ///   - month: 1 to 12.
  ///   - year: Decides about 29 February.
  /// - Returns: 28 to 31.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Earlier days come first.
  public static func < (a: CivilDate, b: CivilDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}

extension CivilDate: CustomStringConvertible {
  /// `2026-03-01`.
  public var description: String {
    "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }
}

/// Decimal digits with leading zeros; wider numbers keep all of theirs.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
