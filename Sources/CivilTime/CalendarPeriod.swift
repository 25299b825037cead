/// A span of the calendar by which things are summed up.
public enum CalendarPeriod: String, Hashable, Sendable, CaseIterable {
  case day
  /// From Monday to Sunday.
  case week
  case month
  case year

  /// The first day of the period that holds `date`.
  public func start(of date: CivilDate) -> CivilDate {
    var first = date
    switch self {
    case .day: break
    case .week: first = CivilDate(daysSince1970: date.daysSince1970 - date.daysSinceMonday)
    case .month: first.day = 1
    case .year: (first.month, first.day) = (1, 1)
    }
    return first
  }

  /// The first day of the period after the one that begins with `start`.
  public func next(after start: CivilDate) -> CivilDate {
    let days =
      switch self {
      case .day: 1
      case .week: 7
      case .month: CivilDate.days(inMonth: start.month, of: start.year)
      case .year: 337 + CivilDate.days(inMonth: 2, of: start.year)
      }
    return CivilDate(daysSince1970: start.daysSince1970 + days)
  }

  /// The name of the period that begins with `start`: `2026-03-17`, `2026-W12`, `2026-03`, `2026`.
  ///
  /// - Source: ISO 8601-1:2019; a week belongs to the year of its Thursday.
  public func name(of start: CivilDate) -> String {
    switch self {
    case .day: return start.description
    case .week:
      let thursday = CivilDate(daysSince1970: start.daysSince1970 + 3)
      let first = CalendarPeriod.year.start(of: thursday)
      let week = (thursday.daysSince1970 - first.daysSince1970) / 7 + 1
      return "\(padded(thursday.year, to: 4))-W\(padded(week, to: 2))"
    case .month: return String(start.description.dropLast(3))
    case .year: return padded(start.year, to: 4)
    }
  }
}

extension CivilDate {
  /// 0 for Monday up to 6 for Sunday.
  public var daysSinceMonday: Int {
    // 1970-01-01 was a Thursday.
    let rest = (daysSince1970 + 3) % 7
    return rest < 0 ? rest + 7 : rest
  }
}
