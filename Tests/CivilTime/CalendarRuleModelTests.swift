import FencelineCivilTime
import FencelineTestSupport
import Testing

/// What a rule means, local time by local time, with nothing known of a zone but its offsets.
private struct CalendarModel {
  let rule: CalendarRule.Components
  let zone: CivilZone

  private func offset(_ time: Int) -> Int { zone.offset(at: Timestamp(milliseconds: Int64(time) * 1000)) }

  /// The earliest time after `after` that belongs to a local time of the days round it; nil where there is none.
  func next(after: Int, days: Int) -> Int? {
    let today = Int((Double(after + offset(after)) / 86_400).rounded(.down))
    var best: Int?
    var last = today + days
    var day = today - 2
    while day <= last {
      if matches(day) {
        let offsets = offsets(round: day)
        for local in times(of: day) {
          for time in instants(local, on: day, offsets) where time > after && time < best ?? .max {
            best = time
            // No clock goes back by more than a day.
            last = min(last, day + 2)
          }
        }
      }
      day += 1
    }
    return best
  }

  /// All that the zone has round a day.
  private func offsets(round day: Int) -> Set<Int> {
    Set(stride(from: day * 86_400 - 180_000, through: day * 86_400 + 270_000, by: 900).map(offset))
  }

  private func matches(_ number: Int) -> Bool {
    let date = CivilDate(daysSince1970: number)
    let length = CivilDate.days(inMonth: date.month, of: date.year)
    let namesTime = rule.hour != nil || rule.minute != nil || rule.second != nil
    let namesDay = rule.day != nil || rule.weekday != nil || rule.weekdayOrdinal != nil
    if let year = rule.year, year != date.year { return false }
    if let month = rule.month, month != date.month { return false }
    if let day = rule.day, day != date.day { return false }
    if let weekday = rule.weekday, weekday != (date.daysSinceMonday + 1) % 7 + 1 { return false }
    if let ordinal = rule.weekdayOrdinal, ordinal != (date.day - 1) / 7 + 1,
      -ordinal != (length - date.day) / 7 + 1
    {
      return false
    }
    if !namesTime, !namesDay { return date.day == 1 && (rule.month != nil || date.month == 1) }
    return true
  }

  private var isAnyHour: Bool { rule.hour == nil && (rule.minute != nil || rule.second != nil) }

  private func times(of day: Int) -> [Int] {
    let hours = isAnyHour ? Array(0..<24) : [rule.hour ?? 0]
    let minutes = rule.minute == nil && rule.second != nil ? Array(0..<60) : [rule.minute ?? 0]
    return hours.flatMap { hour in
      minutes.map { day * 86_400 + hour * 3600 + $0 * 60 + (rule.second ?? 0) }
    }
  }

  private func instants(_ local: Int, on day: Int, _ offsets: Set<Int>) -> [Int] {
    let found = offsets.map { local - $0 }.filter { $0 + offset($0) == local }.sorted()
    if isAnyHour || !found.isEmpty { return isAnyHour ? found : [found[0]] }
    // The end of the gap, in which clocks come to be past the local time.
    var time = local - 100_000
    while time + offset(time) < local { time += time % 900 == 0 ? 900 : 1 }
    while time + offset(time) >= local { time -= 1 }
    return (time + 1 + offset(time + 1)) / 86_400 == day ? [time + 1] : []
  }
}

struct CalendarRuleModelTests {
  private static let zones = [
    "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "America/Asuncion", "Africa/Cairo",
    "Asia/Beirut",
    "Pacific/Apia", "Europe/Dublin", "Africa/Casablanca", "Antarctica/Troll", "America/Santiago",
    "Pacific/Chatham",
    "America/Havana", "America/St_Johns", "Asia/Kathmandu",
  ]

  /// Rules that ask for a time near a change of the clocks, and for other ones.
  @Test(arguments: zones) func theMatcherIsTheModel(_ name: String) throws {
    let zone = try systemZone(name)
    func shown(_ time: Int) -> Int { time + zone.offset(at: Timestamp(milliseconds: Int64(time) * 1000)) }
    forAll(seed: 11, count: 60) { random, seed in
      // From 1975 to 2065.
      var time = Int.random(in: 157_766_400...2_997_000_000, using: &random) / 900 * 900
      if random.chance(0.8) {
        // The next change, at most a year ahead.
        for _ in 0..<366 where shown(time + 86_400) - shown(time) == 86_400 { time += 86_400 }
        for _ in 0..<96 where shown(time + 900) - shown(time) == 900 { time += 900 }
      }
      let local = shown(time + Int.random(in: -5400...5400, using: &random))
      let date = CivilDate(daysSince1970: local / 86_400)
      func named(_ chance: Double, _ near: Int, _ range: ClosedRange<Int>) -> Int? {
        guard random.chance(chance) else { return nil }
        return random.chance(0.7) ? near : Int.random(in: range, using: &random)
      }
      var components = CalendarRule.Components(
        year: named(0.05, date.year, 1975...2065), month: named(0.1, date.month, 1...12),
        day: named(0.1, date.day, 1...31), weekday: named(0.25, (date.daysSinceMonday + 1) % 7 + 1, 1...7),
        weekdayOrdinal: random.chance(0.05) ? [1, 5, -1, -4].randomElement(using: &random) : nil,
        hour: named(0.7, local / 3600 % 24, 0...23), minute: named(0.6, local / 60 % 60, 0...59),
        second: named(0.15, local % 60, 0...59))
      if components == .init() { components.second = 0 }
      guard let rule = try? CalendarRule(components) else { return }
      let after =
        time + Int.random(in: random.chance(0.5) ? -4000...4000 : -500_000...100_000, using: &random)
      let found = rule.next(after: Timestamp(milliseconds: Int64(after) * 1000), in: zone)
      let expected = CalendarModel(rule: components, zone: zone).next(after: after, days: 40)
      if let expected {
        guard found?.milliseconds != Int64(expected) * 1000 else { return }
      } else {
        // The model has looked no further.
        guard let found, found.milliseconds / 1000 < after + 38 * 86_400 else { return }
      }
      let words =
        "seed \(seed): \(components) after \(after): \(String(describing: found)), not \(expected ?? 0)"
      Issue.record("\(words)")
    }
  }
}
