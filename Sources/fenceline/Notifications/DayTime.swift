import FencelineCivilTime
import FencelineCommandLineKit
import FencelineService

/// A day of the week.
enum Weekday: String, Sendable, CaseIterable {
  case mon, tue, wed, thu, fri, sat, sun

  /// 1 for Sunday to 7 for Saturday, as rules of the calendar number them.
  var number: Int { self == .sun ? 1 : (Self.allCases.firstIndex(of: self) ?? 0) + 2 }

  var fullName: String {
    switch self {
    case .mon: "Monday"
    case .tue: "Tuesday"
    case .wed: "Wednesday"
    case .thu: "Thursday"
    case .fri: "Friday"
    case .sat: "Saturday"
    case .sun: "Sunday"
    }
  }
}

/// A time to come, as people name it.
enum DayTime: Sendable {
  /// A day that is named by its place in the week or from today.
  enum Day: Hashable, Sendable {
    case today, tomorrow
    case weekday(Weekday)

    /// The day and the time on it, seen from what clocks show now.
    func components(_ clock: CalendarRule.Components, from now: Timestamp) -> CalendarRule.Components {
      let today = CivilDate(now)
      var days = 0
      switch self {
      case .today: break
      case .tomorrow: days = 1
      case .weekday(let day):
        let wanted = Weekday.allCases.firstIndex(of: day) ?? 0
        days = (wanted - today.daysSinceMonday + 7) % 7
        let minutes = (clock.hour ?? 0) * 60 + (clock.minute ?? 0)
        let passed = Int((now.milliseconds - today.start.milliseconds) / 60_000)
        if days == 0, minutes <= passed { days = 7 }
      }
      let date = CivilDate(daysSince1970: today.daysSince1970 + days)
      var components = clock
      (components.year, components.month, components.day) = (date.year, date.month, date.day)
      return components
    }
  }

  /// The next time that clocks show it.
  case clock(CalendarRule.Components)
  /// A time on a day.
  case day(Day, CalendarRule.Components)
  /// What clocks show, as UTC would show it at this instant.
  case shown(Timestamp)
  /// A date and a time that no calendar may have: 30 February.
  case named(CalendarRule.Components)
  case instant(Timestamp)
}

extension CalendarRule.Components {
  /// All that clocks show, as UTC shows it at `time`.
  init(exactly time: Timestamp) {
    let date = CivilDate(time)
    let seconds = Int((time.milliseconds - date.start.milliseconds) / 1000)
    self.init(
      year: date.year, month: date.month, day: date.day, hour: seconds / 3600, minute: seconds / 60 % 60,
      second: seconds % 60)
  }

  /// `2026-02-30T10:00`, whether there is such a day or not; nil for anything else.
  init?(dateTime text: String) {
    let parts = text.split(whereSeparator: { $0 == "T" || $0 == " " })
    let numbers = parts.first?.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) } ?? []
    guard (1...2).contains(parts.count), numbers.count == 3, let year = numbers[0], let month = numbers[1],
      let day = numbers[2], let clock = parts.count == 2 ? Self(clock: parts[1]) : Self(hour: 0)
    else { return nil }
    self = clock
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// `07:30` or `07:30:15`; nil for anything else.
  init?(clock text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard (1...2).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(part)
      else { return nil }
      numbers.append(number)
    }
    guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    self.init(hour: numbers[0], minute: numbers[1], second: numbers.count > 2 ? numbers[2] : nil)
  }
}

extension CivilZone {
  /// What the zone's clocks show at an instant, as UTC would show it at this one.
  func shown(_ time: Timestamp) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + Int64(offset(at: time)) * 1000)
  }
}

extension ValueType where Value == CalendarRule.Components {
  /// `07:30`.
  static var clock: Self {
    .init(name: "HH:MM", hint: .time) { text throws(ValueError) in
      guard let components = CalendarRule.Components(clock: text) else {
        throw ValueError("a time of day reads like 07:30")
      }
      return components
    }
  }
}

extension ValueType where Value == Weekday {
  /// `mon` or `Monday`.
  static var weekday: Self {
    .init(name: "DAY", hint: .choices(Weekday.allCases.map(\.rawValue))) { text throws(ValueError) in
      let word = text.lowercased()
      guard
        let day = Weekday.allCases.first(where: { word == $0.rawValue || word == $0.fullName.lowercased() })
      else {
        throw ValueError(
          "'\(text)' is no day of the week; choose \(Weekday.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      return day
    }
  }
}

extension ValueType where Value == DayTime {
  static var dayTime: Self {
    .init(name: "TIME", hint: .time) { words in
      // 'tomorrow 08:30' may be two words.
      words.count > 1 && CalendarRule.Components(clock: words[words.startIndex + 1]) != nil ? 2 : 1
    } parse: { text throws(ValueError) in
      if let clock = CalendarRule.Components(clock: text) { return .clock(clock) }
      let words = text.split(separator: " ")
      if words.count == 2, let clock = CalendarRule.Components(clock: words[1]) {
        let word = words[0].lowercased()
        let weekday = Weekday.allCases.first { word == $0.rawValue || word == $0.fullName.lowercased() }
        if let day = word == "today"
          ? .today : word == "tomorrow" ? .tomorrow : weekday.map(DayTime.Day.weekday)
        {
          return .day(day, clock)
        }
        if let read = ISO8601(parsing: "\(words[0])T\(words[1])".utf8), !read.hasZone {
          return .shown(read.time)
        }
      }
      switch try? ValueType<ZonedTime>.zonedTime.parse(text) {
      case .instant(let time): return .instant(time)
      case .shown(let time): return .shown(time)
      case nil:
        if let components = CalendarRule.Components(dateTime: text) { return .named(components) }
        throw ValueError(
          "a time to come reads like 18:00, 'tomorrow 08:30', 'fri 18:00', 2026-12-24T18:00 or +2h")
      }
    }
  }
}
