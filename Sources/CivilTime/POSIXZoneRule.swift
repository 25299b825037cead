/// A rule by which clocks change each year, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// - Source: POSIX.1-2024, Base Definitions 8.3, `TZ`; RFC 9636, section 3.3.1.
struct POSIXZoneRule: Hashable, Sendable {
  /// A day of the year and a time on the clocks as they are until then.
  struct Change: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// 1 to 365; 29 February is never counted.
      case julian(Int)
      /// 0 to 365.
      case ordinal(Int)
      /// Of a month, the week from 1 to 5 (the last), and the weekday, 0 for Sunday.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    var day: Day
    /// After midnight, from -167 to 167 hours.
    var seconds: Int
  }

  /// What clocks show in one part of the year.
  struct Daylight: Hashable, Sendable {
    /// Seconds east of UTC.
    var offset: Int
    var start: Change
    var end: Change
  }

  /// Seconds east of UTC.
  let standard: Int
  let daylight: Daylight?

  /// Reads a rule; nil where the text is none.
  init?(_ text: some Collection<UInt8>) {
    var reader = DigitReader(text)
    guard reader.takeName(), let west = reader.time(hours: 24) else { return nil }
    standard = -west
    guard !reader.isAtEnd else {
      daylight = nil
      return
    }
    guard reader.takeName() else { return nil }
    var offset = 3600 - west
    if !reader.isAtEnd, !reader.isAt(",") {
      guard let west = reader.time(hours: 24) else { return nil }
      offset = -west
    }
    guard !reader.isAtEnd else {
      daylight = Daylight(
        offset: offset, start: Change(day: .weekday(month: 3, week: 2, weekday: 0), seconds: 7200),
        end: Change(day: .weekday(month: 11, week: 1, weekday: 0), seconds: 7200))
      return
    }
    guard reader.take(","), let start = reader.change(), reader.take(","), let end = reader.change(),
      reader.isAtEnd
    else { return nil }
    daylight = Daylight(offset: offset, start: start, end: end)
  }

  /// The stretch that holds a time, in seconds since 1970.
  func stretch(at time: Int) -> CivilZone.Stretch {
    guard let daylight else {
      return .init(start: CivilZone.beginning, end: CivilZone.end, offset: standard)
    }
    let year = CivilDate(daysSince1970: split(time, by: 86_400).whole).year
    var found = CivilZone.Stretch(start: CivilZone.beginning, end: CivilZone.end, offset: standard)
    // A change belongs to the year of its day, and may come a week later.
    for year in year - 1...year + 1 {
      let start = daylight.start.time(in: year) - standard
      let end = daylight.end.time(in: year) - daylight.offset
      for turn in 0...1 {
        let isStart = (turn == 0) == (start <= end)
        let change = isStart ? start : end
        guard change <= time else {
          found.end = change
          return found
        }
        found.start = change
        found.offset = isStart ? daylight.offset : standard
      }
    }
    return found
  }
}

extension POSIXZoneRule.Change {
  /// The local time of the change, in seconds since 1970 as UTC counts them.
  func time(in year: Int) -> Int {
    let days =
      switch day {
      case .julian(let number):
        CivilDate.firstDay(ofMonth: 1, of: year) + number - 1
          + (number > 59 && CivilDate.days(inMonth: 2, of: year) == 29 ? 1 : 0)
      case .ordinal(let number): CivilDate.firstDay(ofMonth: 1, of: year) + number
      case .weekday(let month, let week, let weekday):
        POSIXZoneRule.Change.day(month: month, week: week, weekday: weekday, in: year)
      }
    return days * 86_400 + seconds
  }

  private static func day(month: Int, week: Int, weekday: Int, in year: Int) -> Int {
    let first = CivilDate.firstDay(ofMonth: month, of: year)
    let day = (weekday - CivilDate.daysSinceSunday(first) + 7) % 7 + 7 * (week - 1)
    return first + (day < CivilDate.days(inMonth: month, of: year) ? day : day - 7)
  }
}

extension CivilDate {
  /// Days since 1970 of the first day of a month, of any year.
  static func firstDay(ofMonth month: Int, of year: Int) -> Int {
    var date = CivilDate(daysSince1970: 0)
    (date.year, date.month, date.day) = (year, month, 1)
    return date.daysSince1970
  }

  /// 0 for Sunday up to 6 for Saturday, of a day counted from 1970.
  static func daysSinceSunday(_ day: Int) -> Int {
    // 1970-01-01 was a Thursday.
    split(day + 4, by: 7).rest
  }
}

/// Whole units, rounded down, and what is left.
func split(_ number: Int, by unit: Int) -> (whole: Int, rest: Int) {
  let (whole, rest) = number.quotientAndRemainder(dividingBy: unit)
  return rest < 0 ? (whole - 1, rest + unit) : (whole, rest)
}

extension DigitReader {
  fileprivate var isAtEnd: Bool { place == bytes.endIndex }

  fileprivate func isAt(_ mark: Unicode.Scalar) -> Bool { !isAtEnd && UInt32(bytes[place]) == mark.value }

  /// Passes by three letters or more, or by anything in `<>`.
  fileprivate mutating func takeName() -> Bool {
    let begin = place
    if take("<") {
      while !isAtEnd, !isAt(">") { place = bytes.index(after: place) }
      return take(">")
    }
    while !isAtEnd, (0x41...0x5A).contains(bytes[place] & 0xDF) { place = bytes.index(after: place) }
    return bytes.distance(from: begin, to: place) >= 3
  }

  /// A number of one to three digits.
  fileprivate mutating func number(through limit: Int) -> Int? {
    guard var value = digit() else { return nil }
    for _ in 0..<2 {
      guard let next = digit() else { break }
      value = value * 10 + next
    }
    return value <= limit ? value : nil
  }

  /// `[+-]hh[:mm[:ss]]`, in seconds.
  fileprivate mutating func time(hours limit: Int) -> Int? {
    let sign = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    guard let hours = number(through: limit) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] {
      guard take(":") else { break }
      guard let part = number(through: 59) else { return nil }
      seconds += part * unit
    }
    return sign * seconds
  }

  /// `Jn`, `n` or `Mm.w.d`, then `/time` or two o'clock.
  fileprivate mutating func change() -> POSIXZoneRule.Change? {
    var change = POSIXZoneRule.Change(day: .julian(1), seconds: 7200)
    if take("J") {
      guard let day = number(through: 365), day >= 1 else { return nil }
      change.day = .julian(day)
    } else if take("M") {
      guard let month = number(through: 12), month >= 1, take("."), let week = number(through: 5), week >= 1,
        take("."), let weekday = number(through: 6)
      else { return nil }
      change.day = .weekday(month: month, week: week, weekday: weekday)
    } else {
      guard let day = number(through: 365) else { return nil }
      change.day = .ordinal(day)
    }
    if take("/") {
      guard let seconds = time(hours: 167) else { return nil }
      change.seconds = seconds
    }
    return change
  }
}
