import FencelineCivilTime

/// What is measured of calendar rules: the next time, from places that are spread over 60 years.
enum CalendarBench {
  private static let rules: [(name: String, CalendarRule.Components)] = [
    ("minutely", .init(second: 30)), ("hourly", .init(minute: 30)), ("daily", .init(hour: 9)),
    ("weekly", .init(weekday: 2, hour: 9)), ("monthly", .init(day: 31, hour: 9)),
    ("yearly", .init(month: 5, day: 17, hour: 9)), ("once", .init(year: 2026, month: 5, day: 17, hour: 9)),
    ("last-friday", .init(weekday: 6, weekdayOrdinal: -1, hour: 17)),
    ("fifth-sunday", .init(weekday: 1, weekdayOrdinal: 5)), ("month-weekday", .init(month: 3, weekday: 2)),
    ("any-minute-of-an-hour", .init(hour: 2, second: 30)),
    ("leap-friday", .init(month: 2, day: 29, weekday: 6)),
    ("leap-fifth-sunday", .init(month: 2, weekday: 1, weekdayOrdinal: 5, second: 30)),
  ]

  /// The times of all rules in a zone, in nanoseconds for each question.
  static func run(zone path: String) throws -> Answer {
    let zone = try CivilZone(tzif: readAll(path))
    var answer = Answer()
    for (name, components) in rules {
      let rule = try CalendarRule(components)
      let count = 50_000
      let one = measured(count) {
        var found = Answer()
        // 2000 to 2060; the step falls on all times of day.
        var time: Int64 = 946_684_800_000
        let step = 60 * 31_556_952_000 / Int64(count) + 7
        for _ in 0..<count {
          if let next = rule.next(after: Timestamp(milliseconds: time), in: zone) {
            found.hits += 1
            found.checksum &+= UInt64(bitPattern: next.milliseconds)
          }
          time += step
        }
        return found
      }
      answer.hits += one.hits
      answer.checksum &+= one.checksum
      answer.more.append((name, one.nanoseconds))
    }
    // One day in 9999, which hardly ever is a leap day on a Sunday: all of the 30 years are searched.
    let never = try CalendarRule(
      .init(month: 2, day: 29, weekday: 1),
      every: .init(days: 9999, anchor: CivilDate(daysSince1970: 0)))
    let one = measured(5000) {
      var found = Answer()
      for day in 0..<5000 {
        let time = CivilDate(daysSince1970: 11_000 + 4 * day).start
        if never.next(after: time, in: zone) != nil { found.hits += 1 }
      }
      return found
    }
    answer.more.append(("leap-sunday-every-9999", one.nanoseconds))
    return answer
  }
}
