import FencelineCivilTime
import FencelineNotifying
import Testing

private func time(_ text: String) throws -> Timestamp { try #require(ISO8601(parsing: text.utf8)).time }

private func request(
  _ trigger: NotificationTrigger, misfire: MisfirePolicy = .init(), pastGrace: Double? = nil
) -> NotificationRequest {
  NotificationRequest(
    app: "a", identifier: "r", content: NotificationContent(), trigger: trigger, misfire: misfire,
    pastGrace: pastGrace)
}

struct FiringPlanTests {
  private static func daily(_ hour: Int, repeats: Bool = true, times: Int? = nil) throws
    -> NotificationTrigger
  {
    .calendar(CalendarTrigger(try CalendarRule(.init(hour: hour)), repeats: repeats, times: times))
  }

  private static func zone(_ rule: String) throws -> CivilZone { try #require(CivilZone(posixRule: rule)) }

  @Test func intervalsKeepTheirPhaseAndCatchUpOnce() throws {
    let every = request(.interval(.init(seconds: 600, repeats: true)))
    let begin = try time("2026-03-01T12:00Z")
    let late = FiringPlan(every, .init(requestedAt: begin), at: try time("2026-03-01T13:05Z"), in: .utc)
    #expect(late.deliver == [Occurrence(key: 6, at: try time("2026-03-01T13:00Z"))] && late.hasMissed)
    #expect(late.next?.at == (try time("2026-03-01T13:10Z")))
    // One that is not due yet delivers nothing, however often it is asked.
    let early = FiringPlan(every, .init(requestedAt: begin), at: try time("2026-03-01T12:09Z"), in: .utc)
    #expect(early.deliver.isEmpty && early.next?.key == 1 && !early.hasMissed)
    // Passed intervals do not come again, wherever the clock was put.
    let back = FiringPlan(
      every, .init(requestedAt: begin, last: late.last), at: try time("2026-02-01T00:00Z"), in: .utc)
    #expect(back.deliver.isEmpty && back.next?.key == 7)
  }

  @Test func onceIsOnce() throws {
    let once = request(try Self.daily(9, repeats: false))
    let plan = FiringPlan(
      once, .init(requestedAt: try time("2026-03-01T12:00Z")), at: try time("2026-03-09T12:00Z"), in: .utc)
    #expect(plan.deliver.map(\.at) == [try time("2026-03-02T09:00Z")] && plan.next == nil)
  }

  @Test func aMillionMissedOnesTakeNoMoreThanAFew() throws {
    // Every minute for 27 years, and every leap day.
    let minutely = request(
      .calendar(.init(try CalendarRule(.init(second: 0)), repeats: true)), misfire: .init(.all(3)))
    let begin = try time("2000-01-01T00:00:30Z")
    let plan = FiringPlan(minutely, .init(requestedAt: begin), at: try time("2026-11-30T22:00:10Z"), in: .utc)
    #expect(
      plan.deliver.map(\.at) == [
        try time("2026-11-30T21:58Z"), try time("2026-11-30T21:59Z"), try time("2026-11-30T22:00Z"),
      ])
    let leap = request(
      .calendar(.init(try CalendarRule(.init(month: 2, day: 29)), repeats: true)), misfire: .init(.all(100)))
    let days = FiringPlan(leap, .init(requestedAt: begin), at: try time("2026-11-30T22:00Z"), in: .utc)
    #expect(days.deliver.count == 7 && !days.hasMissed)
  }

  @Test func aCountIsKeptWhateverIsMissed() throws {
    let three = request(try Self.daily(9, times: 3))
    let begin = try time("2026-03-01T12:00Z")
    let first = FiringPlan(three, .init(requestedAt: begin), at: try time("2026-03-03T10:00Z"), in: .utc)
    #expect(first.next?.at == (try time("2026-03-04T09:00Z")))
    let last = FiringPlan(
      three, .init(requestedAt: begin, last: first.last), at: try time("2026-04-01T00:00Z"), in: .utc)
    #expect(last.deliver.map(\.at) == [try time("2026-03-04T09:00Z")] && last.next == nil)
  }

  @Test func whatMayBeLateComesAtOnceEvenIfMissedOnesAreSkipped() throws {
    let now = try time("2026-03-01T12:00Z")
    let past = request(
      .calendar(.init(try CalendarRule(.init(year: 2026, month: 3, day: 1, hour: 11, minute: 30)))),
      misfire: .init(.skip), pastGrace: 3600)
    #expect(FiringPlan(past, .init(requestedAt: now), at: now, in: .utc).deliver.count == 1)
  }

  @Test func clocksThatChangeAreFollowed() throws {
    let zurich = try Self.zone("CET-1CEST,M3.5.0,M10.5.0/3")
    let half = request(.calendar(.init(try CalendarRule(.init(hour: 2, minute: 30)), repeats: true)))
    var standing = FiringPlan.Standing(requestedAt: try time("2026-03-28T12:00Z"))
    let gap = FiringPlan(half, standing, at: standing.requestedAt, in: zurich)
    #expect(gap.next?.at == (try time("2026-03-29T01:00Z")))
    standing.requestedAt = try time("2026-10-24T12:00Z")
    let overlap = FiringPlan(half, standing, at: try time("2026-10-25T02:00Z"), in: zurich)
    #expect(overlap.deliver.map(\.at) == [try time("2026-10-25T00:30Z")])
    #expect(overlap.next?.at == (try time("2026-10-26T01:30Z")))
  }

  @Test func whatWasDeliveredIsNotDeliveredAgainAfterTheClockWasPutBack() throws {
    let nine = request(try Self.daily(9))
    let delivered = try time("2026-03-02T09:00Z")
    let standing = FiringPlan.Standing(
      requestedAt: try time("2026-03-01T12:00Z"),
      last: Occurrence(key: delivered.milliseconds, at: try time("2026-03-02T08:30Z")),
      delivered: [delivered.milliseconds])
    let plan = FiringPlan(nine, standing, at: try time("2026-03-02T09:30Z"), in: .utc)
    let next = try time("2026-03-03T09:00Z")
    #expect(plan.deliver.isEmpty && plan.next?.at == next)
  }
}
