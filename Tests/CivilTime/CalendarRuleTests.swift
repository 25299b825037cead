import FencelineCivilTime
import Testing

private typealias Components = CalendarRule.Components

private func time(_ text: String) throws -> Timestamp {
  try #require(ISO8601(parsing: text.utf8)).time
}

/// A rule in a zone, a time, and the times after it at which the rule is due; all in UTC, to the minute or second.
private struct Case: CustomTestStringConvertible {
  var name: String
  var zone: String
  var components: Components
  var after: String
  var due: [String?]
  var testDescription: String { name }

  init(_ name: String, _ zone: String, _ components: Components, after: String, _ due: String?...) {
    self.name = name
    self.zone = zone
    self.components = components
    self.after = after
    self.due = due
  }
}

struct CalendarRuleTests {
  private static let plain = [
    Case("daily", "Europe/Zurich", .init(hour: 9), after: "2026-03-01T08:00Z", "2026-03-02T08:00Z"),
    Case(
      "strictly after", "UTC", .init(hour: 9), after: "2026-03-01T08:59:59.999Z", "2026-03-01T09:00Z",
      "2026-03-02T09:00Z"),
    Case(
      "weekly", "Europe/Zurich", .init(weekday: 2, hour: 9), after: "2026-03-01T00:00Z", "2026-03-02T08:00Z"),
    Case(
      "a weekday is its midnight", "UTC", .init(weekday: 1), after: "2026-03-01T00:00Z", "2026-03-08T00:00Z"),
    Case("a month is its first day", "UTC", .init(month: 3), after: "2026-03-01T00:00Z", "2027-03-01T00:00Z"),
    Case(
      "a year is its first day", "UTC", .init(year: 2090), after: "2026-03-01T00:00Z", "2090-01-01T00:00Z",
      nil),
    Case("a year that is over", "UTC", .init(year: 2020, hour: 9), after: "2026-03-01T00:00Z", nil),
    Case(
      "a month and an hour are each of its days", "UTC", .init(month: 3, hour: 9), after: "2026-03-30T09:00Z",
      "2026-03-31T09:00Z", "2027-03-01T09:00Z"),
    Case(
      "the 31st is left out where there is none", "UTC", .init(day: 31), after: "2026-03-31T00:00Z",
      "2026-05-31T00:00Z", "2026-07-31T00:00Z", "2026-08-31T00:00Z"),
    Case(
      "29 February", "UTC", .init(month: 2, day: 29), after: "2096-03-01T00:00Z", "2104-02-29T00:00Z",
      "2108-02-29T00:00Z"),
    Case(
      "29 February on a Friday", "UTC", .init(month: 2, day: 29, weekday: 6), after: "2024-03-01T00:00Z",
      "2036-02-29T00:00Z", "2064-02-29T00:00Z", "2092-02-29T00:00Z"),
    Case(
      "none for 40 years", "UTC", .init(month: 2, day: 29, weekday: 7), after: "2072-01-01T00:00Z",
      "2076-02-29T00:00Z", nil),
    Case(
      "the second Tuesday", "UTC", .init(weekday: 3, weekdayOrdinal: 2, hour: 9), after: "2026-02-10T09:00Z",
      "2026-03-10T09:00Z"),
    Case(
      "the fifth Sunday", "UTC", .init(weekday: 1, weekdayOrdinal: 5), after: "2026-03-01T00:00Z",
      "2026-03-29T00:00Z", "2026-05-31T00:00Z", "2026-08-30T00:00Z"),
    Case(
      "the last Friday", "UTC", .init(weekday: 6, weekdayOrdinal: -1), after: "2026-01-30T00:00Z",
      "2026-02-27T00:00Z", "2026-03-27T00:00Z"),
    Case(
      "the fifth last Sunday", "UTC", .init(weekday: 1, weekdayOrdinal: -5), after: "2026-01-01T00:00Z",
      "2026-03-01T00:00Z", "2026-05-03T00:00Z"),
    Case(
      "the first seven days", "UTC", .init(weekdayOrdinal: 1), after: "2026-03-06T00:00Z",
      "2026-03-07T00:00Z",
      "2026-04-01T00:00Z"),
    Case(
      "the last seven days", "UTC", .init(weekdayOrdinal: -1), after: "2026-02-01T00:00Z", "2026-02-22T00:00Z"
    ),
    Case(
      "hourly", "UTC", .init(minute: 30), after: "2026-03-01T23:30Z", "2026-03-02T00:30Z", "2026-03-02T01:30Z"
    ),
    Case(
      "each minute", "UTC", .init(second: 30), after: "2026-03-01T23:59:30Z", "2026-03-02T00:00:30Z",
      "2026-03-02T00:01:30Z"),
    Case(
      "any minute of an hour", "UTC", .init(hour: 9, second: 30), after: "2026-03-01T09:59:29Z",
      "2026-03-01T09:59:30Z", "2026-03-02T09:00:30Z"),
    Case("in 1905", "Europe/Zurich", .init(hour: 9), after: "1905-01-01T12:00Z", "1905-01-02T08:00Z"),
    Case(
      "by local mean time", "Europe/Zurich", .init(hour: 9), after: "1850-01-01T12:00Z",
      "1850-01-02T08:25:52Z"),
    Case(
      "the end of what has a name", "UTC", .init(hour: 9), after: "9999-12-30T09:00Z", "9999-12-31T09:00Z",
      nil),
  ]

  private static let changes = [
    Case(
      "a gap: the first instant after it", "Europe/Zurich", .init(hour: 2, minute: 30),
      after: "2026-03-28T01:30Z",
      "2026-03-29T01:00Z", "2026-03-30T00:30Z"),
    Case(
      "a weekly rule in a gap", "America/New_York", .init(weekday: 1, hour: 2, minute: 30),
      after: "2025-03-02T09:00Z", "2025-03-09T07:00Z", "2025-03-16T06:30Z"),
    Case(
      "a gap and any hour: left out", "Europe/Zurich", .init(minute: 30), after: "2026-03-29T00:30Z",
      "2026-03-29T01:30Z"),
    Case(
      "a gap and any minute: once", "Europe/Zurich", .init(hour: 2, second: 30),
      after: "2026-03-28T01:59:30Z",
      "2026-03-29T01:00Z", "2026-03-30T00:00:30Z"),
    Case(
      "an overlap: the first time", "Europe/Zurich", .init(hour: 2, minute: 30), after: "2026-10-24T00:30Z",
      "2026-10-25T00:30Z", "2026-10-26T01:30Z"),
    Case(
      "an overlap, asked between", "Europe/Zurich", .init(hour: 2, minute: 30), after: "2026-10-25T01:10Z",
      "2026-10-26T01:30Z"),
    Case(
      "an overlap and any minute: the first time", "Europe/Zurich", .init(hour: 2, second: 0),
      after: "2026-10-25T00:58Z", "2026-10-25T00:59Z", "2026-10-26T01:00Z"),
    Case(
      "an overlap and any hour: both times", "Europe/Zurich", .init(minute: 30), after: "2026-10-25T00:00Z",
      "2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-25T02:30Z"),
    Case(
      "half an hour's gap", "Australia/Lord_Howe", .init(hour: 2, minute: 15), after: "2026-10-03T00:00Z",
      "2026-10-03T15:30Z", "2026-10-04T15:15Z"),
    Case(
      "half an hour's gap and any hour", "Australia/Lord_Howe", .init(minute: 15), after: "2026-10-03T15:00Z",
      "2026-10-03T16:15Z"),
    Case(
      "half an hour's overlap", "Australia/Lord_Howe", .init(hour: 1, minute: 45), after: "2026-04-03T18:00Z",
      "2026-04-04T14:45Z", "2026-04-05T15:15Z"),
    Case(
      "half an hour's overlap and any hour", "Australia/Lord_Howe", .init(minute: 45),
      after: "2026-04-04T14:00Z",
      "2026-04-04T14:45Z", "2026-04-04T15:15Z", "2026-04-04T16:15Z"),
    Case(
      "no midnight in Asuncion", "America/Asuncion", .init(day: 6, hour: 0), after: "2024-09-30T00:00Z",
      "2024-10-06T04:00Z"),
    Case(
      "no midnight in Cairo", "Africa/Cairo", .init(weekday: 6), after: "2026-04-20T00:00Z",
      "2026-04-23T22:00Z",
      "2026-04-30T21:00Z"),
    Case(
      "no midnight in Beirut", "Asia/Beirut", .init(hour: 0, minute: 15), after: "2026-03-28T12:00Z",
      "2026-03-28T22:00Z", "2026-03-29T21:15Z"),
    Case(
      "a midnight that is twice", "America/Havana", .init(weekday: 1), after: "2026-10-30T00:00Z",
      "2026-11-01T04:00Z", "2026-11-08T05:00Z"),
    Case(
      "clocks that go back to the day before", "America/St_Johns", .init(second: 30),
      after: "2010-11-07T02:29:30Z", "2010-11-07T02:30:30Z", "2010-11-07T02:31:30Z", "2010-11-07T02:32:30Z"),
    Case(
      "a day that Apia skipped", "Pacific/Apia", .init(hour: 9), after: "2011-12-29T19:00Z",
      "2011-12-30T19:00Z"),
    Case(
      "that day itself", "Pacific/Apia", .init(year: 2011, month: 12, day: 30), after: "2011-12-01T00:00Z",
      nil),
    Case(
      "its weekday", "Pacific/Apia", .init(weekday: 6, hour: 9), after: "2011-12-25T00:00Z",
      "2012-01-05T19:00Z"),
    Case(
      "southern summer", "America/Santiago", .init(hour: 0), after: "2026-09-05T12:00Z", "2026-09-06T04:00Z",
      "2026-09-07T03:00Z"),
    Case(
      "negative daylight saving time", "Europe/Dublin", .init(hour: 1, minute: 30),
      after: "2026-03-28T12:00Z",
      "2026-03-29T01:00Z", "2026-03-30T00:30Z"),
    Case(
      "after the last change in the file", "Europe/Zurich",
      .init(month: 3, weekday: 1, weekdayOrdinal: -1, hour: 2),
      after: "2060-01-01T00:00Z", "2060-03-28T01:00Z", "2061-03-27T01:00Z"),
    Case(
      "two hours' gap", "Antarctica/Troll", .init(hour: 1, minute: 30), after: "2026-03-28T12:00Z",
      "2026-03-29T01:00Z"),
  ]

  @Test(arguments: plain + changes) private func due(_ rule: Case) throws {
    let zone = try systemZone(rule.zone)
    let matcher = try CalendarRule(rule.components)
    var after = try time(rule.after)
    for expected in rule.due {
      let next = matcher.next(after: after, in: zone)
      let wanted = try expected.map(time)
      #expect(next == wanted)
      after = next ?? after
    }
  }

  @Test func nothingAsksForMoreThanThereIs() throws {
    let rule = try CalendarRule(.init(second: 30))
    for zone in [CivilZone.utc, try systemZone("Europe/Zurich"), try systemZone("Pacific/Apia")] {
      #expect(rule.next(after: Timestamp(milliseconds: .max), in: zone) == nil)
      #expect(try #require(rule.next(after: Timestamp(milliseconds: .min), in: zone)) >= .earliest)
    }
  }

  @Test(
    arguments: [
      (.init(), "nothing is named; name what shall match, such as hour=9"),
      (.init(month: 13), "month is 1 to 12, not 13"), (.init(year: 0), "year is 1 to 9999, not 0"),
      (.init(day: 0), "day is 1 to 31, not 0"),
      (.init(weekday: 8), "weekday is 1 (Sunday) to 7 (Saturday), not 8"),
      (.init(weekdayOrdinal: 6), "weekdayOrdinal is 1 to 5, or -1 (the last) to -5, not 6"),
      (.init(weekdayOrdinal: 0), "weekdayOrdinal is 1 to 5, or -1 (the last) to -5, not 0"),
      (.init(hour: 24), "hour is 0 to 23, not 24"), (.init(minute: -1), "minute is 0 to 59, not -1"),
      (.init(second: 60), "second is 0 to 59, not 60"),
      (.init(month: 2, day: 30), "there is never a day 30 in month 2"),
      (.init(year: 2027, month: 2, day: 29, hour: 9), "there is never a day 29 in month 2 of 2027"),
      (
        .init(day: 3, weekdayOrdinal: 2),
        "no day of the calendar is all of these at once; leave one of them out"
      ),
      (
        .init(year: 2026, month: 3, day: 1, weekday: 2),
        "no day of the calendar is all of these at once; leave one of them out"
      ),
    ] as [(CalendarRule.Components, String)])
  func whatCanNeverBeIsATypedError(_ components: CalendarRule.Components, _ sentence: String) {
    do throws(CalendarRuleError) {
      _ = try CalendarRule(components)
      Issue.record("\(components) was taken")
    } catch {
      #expect(error.description == sentence)
    }
  }
}

struct CalendarScheduleTests {
  private func due(_ schedule: CalendarSchedule, after: String, _ count: Int = 9) throws -> [String] {
    var (found, after): ([String], Timestamp) = ([], try time(after))
    while found.count < count, let next = schedule.next(after: after) {
      found.append(String(next.description.prefix(16)))
      after = next
    }
    return found
  }

  @Test func everyThirdDayCountsFromItsAnchor() throws {
    let anchor = try #require(CivilDate(year: 2026, month: 2, day: 27))
    let rule = try CalendarRule(.init(hour: 9), every: .init(days: 3, anchor: anchor))
    let schedule = CalendarSchedule(rule, in: .utc)
    #expect(
      try due(schedule, after: "2026-02-27T08:00Z", 3) == [
        "2026-02-27T09:00", "2026-03-02T09:00", "2026-03-05T09:00",
      ])
    // The days before the anchor are counted too.
    #expect(try due(schedule, after: "2026-02-20T10:00Z", 2) == ["2026-02-21T09:00", "2026-02-24T09:00"])
    let sparse = try CalendarRule(.init(weekday: 1), every: .init(days: 10_000, anchor: anchor))
    #expect(try due(CalendarSchedule(sparse, in: .utc), after: "2026-01-01T00:00Z") == [])
    let alone = try CalendarRule(.init(), every: .init(days: 40, anchor: anchor))
    #expect(
      try due(CalendarSchedule(alone, in: .utc), after: "2026-02-27T00:00Z", 2) == [
        "2026-04-08T00:00", "2026-05-18T00:00",
      ])
    for days in [0, 10_001, -3] {
      #expect(throws: CalendarRuleError.outOfRange("every", days, 1...10_000)) {
        try CalendarRule(.init(hour: 9), every: .init(days: days, anchor: anchor))
      }
    }
  }

  @Test func theFirstAndTheLastInstantCount() throws {
    let rule = try CalendarRule(.init(hour: 9))
    let schedule = CalendarSchedule(
      rule, in: .utc, from: try time("2026-03-01T09:00Z"), until: try time("2026-03-03T09:00Z"))
    let all = ["2026-03-01T09:00", "2026-03-02T09:00", "2026-03-03T09:00"]
    #expect(try due(schedule, after: "2020-01-01T00:00Z") == all)
    #expect(try due(schedule, after: "2026-03-01T09:00Z") == Array(all.dropFirst()))
    #expect(try due(schedule, after: "2026-03-03T09:00Z") == [])
    // A start far ahead is searched from itself.
    let late = CalendarSchedule(rule, in: .utc, from: try time("2090-01-01T00:00Z"))
    #expect(try due(late, after: "2026-01-01T00:00Z", 1) == ["2090-01-01T09:00"])
  }

  @Test func timesAreCountedFromTheStart() throws {
    let rule = try CalendarRule(.init(hour: 9))
    let start = try time("2026-03-01T09:00Z")
    let schedule = CalendarSchedule(rule, in: .utc, from: start, times: 2)
    #expect(try due(schedule, after: "2020-01-01T00:00Z") == ["2026-03-01T09:00", "2026-03-02T09:00"])
    #expect(try due(schedule, after: "2026-03-01T12:00Z") == ["2026-03-02T09:00"])
    let ends = CalendarSchedule(rule, in: .utc, from: start, until: try time("2026-03-02T00:00Z"), times: 2)
    #expect(try due(ends, after: "2020-01-01T00:00Z") == ["2026-03-01T09:00"])
    let never = CalendarSchedule(try CalendarRule(.init(year: 2020)), in: .utc, from: start, times: 2)
    #expect(try due(never, after: "2020-01-01T00:00Z") == [])
  }

  @Test func changesOfTheClocksAreTold() throws {
    func occurrence(_ zone: String, _ components: CalendarRule.Components, after: String) throws
      -> CalendarOccurrence
    {
      let schedule = CalendarSchedule(try CalendarRule(components), in: try systemZone(zone))
      return try #require(schedule.occurrence(after: time(after)))
    }
    func shown(_ change: CalendarOccurrence.ClockChange?) -> [String] {
      change.map { [String($0.from.description.prefix(16)), String($0.to.description.prefix(16))] } ?? []
    }
    let gap = try occurrence("Europe/Zurich", .init(hour: 2, minute: 30), after: "2026-03-28T12:00Z")
    guard case .never(let forward) = gap.moment else { return #expect(Bool(false), "\(gap)") }
    #expect(shown(forward) == ["2026-03-29T02:00", "2026-03-29T03:00"])
    let meant = try time("2026-03-29T02:30Z")
    #expect(gap.offset == 7200 && gap.matching == meant)
    for (after, isFirst) in [("2026-10-25T00:00Z", true), ("2026-10-25T00:30Z", false)] {
      let moment = try occurrence("Europe/Zurich", .init(minute: 30), after: after).moment
      switch moment {
      case .first(let back) where isFirst, .second(let back) where !isFirst:
        #expect(shown(back) == ["2026-10-25T03:00", "2026-10-25T02:00"])
      default: Issue.record("\(String(describing: moment))")
      }
    }
    let skipped = try occurrence("Pacific/Apia", .init(hour: 9), after: "2011-12-29T19:00Z")
    #expect(shown(skipped.leftOut) == ["2011-12-30T00:00", "2011-12-31T00:00"])
    let plain = try occurrence("Pacific/Apia", .init(hour: 9), after: "2026-12-29T19:00Z")
    #expect(plain.moment == nil && plain.leftOut == nil)
  }
}
