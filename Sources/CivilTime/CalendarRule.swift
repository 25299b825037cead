/// Which local times something is due at: each Monday at nine, the last Friday of a month, every third day.
///
/// ```swift
/// let rule = try CalendarRule(.init(weekday: 2, hour: 9))
/// rule.next(after: now, in: zone)  // the next Monday at nine
/// ```
///
/// - A unit that is not named may be anything if some smaller unit is named, else it has its lowest value.
/// - Days that a month does not have do not match: the 31st of April is left out, not moved.
/// - An hour that is named, or the lowest, and that the clocks leap over is due when they have, if that is still on the same day; where
///   any hour will do, times that do not exist are left out.
/// - A time of a named, or the lowest, hour that the clocks show twice is due the first time; where any hour will do, both times.
public struct CalendarRule: Hashable, Sendable {
  /// What a local time must be; nil may be anything, or is the lowest.
  public struct Components: Hashable, Sendable {
    /// 1 to 9999.
    public var year: Int?
    /// 1 to 12.
    public var month: Int?
    /// 1 to 31.
    public var day: Int?
    /// 1 for Sunday to 7 for Saturday.
    public var weekday: Int?
    /// Which such weekday of the month: 1 to 5, or -1 for the last down to -5. Without a weekday, the first to the fifth seven days.
    public var weekdayOrdinal: Int?
    /// 0 to 23.
    public var hour: Int?
    /// 0 to 59.
    public var minute: Int?
    /// 0 to 59.
    public var second: Int?

    /// Components, of which some are named.
    public init(
      year: Int? = nil, month: Int? = nil, day: Int? = nil, weekday: Int? = nil, weekdayOrdinal: Int? = nil,
      hour: Int? = nil, minute: Int? = nil, second: Int? = nil
    ) {
      self.year = year
      self.month = month
      self.day = day
      self.weekday = weekday
      self.weekdayOrdinal = weekdayOrdinal
      self.hour = hour
      self.minute = minute
      self.second = second
    }
  }

  /// One day out of so many.
  public struct Interval: Hashable, Sendable {
    /// 1 to 10,000.
    public var days: Int
    /// One of the days.
    public var anchor: CivilDate

    /// Every `days` days, `anchor` among them.
    public init(days: Int, anchor: CivilDate) {
      self.days = days
      self.anchor = anchor
    }
  }

  /// What is named.
  public let components: Components
  /// Which days count at all; nil is every day.
  public let interval: Interval?

  let days: MonthDays
  let clock: DayTimes

  /// A rule.
  ///
  /// - Throws: ``CalendarRuleError`` where no local time can ever be so. That all such times are over is no error.
  public init(_ components: Components, every interval: Interval? = nil) throws(CalendarRuleError) {
    try CalendarRule.check(components)
    if let interval, !(1...10_000).contains(interval.days) {
      throw .outOfRange("every", interval.days, 1...10_000)
    }
    guard components != Components() || interval != nil else { throw .nothingNamed }
    self.components = components
    self.interval = interval
    clock = DayTimes(components)
    days = MonthDays(components, interval)
    guard MonthDays(components, nil).canBe else { throw .never(components) }
  }

  private static func check(_ components: Components) throws(CalendarRuleError) {
    for (name, value, range) in [
      ("year", components.year, 1...9999), ("month", components.month, 1...12),
      ("day", components.day, 1...31), ("weekday", components.weekday, 1...7),
      ("weekdayOrdinal", components.weekdayOrdinal, -5...5), ("hour", components.hour, 0...23),
      ("minute", components.minute, 0...59), ("second", components.second, 0...59),
    ] as [(String, Int?, ClosedRange<Int>)] {
      guard let value, !range.contains(value) || (name == "weekdayOrdinal" && value == 0) else { continue }
      throw .outOfRange(name, value, range)
    }
  }
}

/// Why a rule can never be met.
public enum CalendarRuleError: Error, Hashable, Sendable {
  /// Neither a component nor an interval.
  case nothingNamed
  /// The component, what it is, and what it may be.
  case outOfRange(String, Int, ClosedRange<Int>)
  /// No day of the calendar is so: 30 February, or a third that is the second of its weekday.
  case never(CalendarRule.Components)
}

extension CalendarRuleError: CustomStringConvertible {
  /// The rest of a sentence, without a period.
  public var description: String {
    switch self {
    case .nothingNamed: "nothing is named; name what shall match, such as hour=9"
    case .outOfRange("weekdayOrdinal", let value, _):
      "weekdayOrdinal is 1 to 5, or -1 (the last) to -5, not \(value)"
    case .outOfRange("weekday", let value, _): "weekday is 1 (Sunday) to 7 (Saturday), not \(value)"
    case .outOfRange(let name, let value, let range):
      "\(name) is \(range.lowerBound) to \(range.upperBound), not \(value)"
    case .never(let components):
      if let day = components.day, let month = components.month, components.weekday == nil,
        components.weekdayOrdinal == nil
      {
        "there is never a day \(day) in month \(month)\(components.year.map { " of \($0)" } ?? "")"
      } else {
        "no day of the calendar is all of these at once; leave one of them out"
      }
    }
  }
}
