import FencelineCivilTime
import FencelineTestSupport
import Testing

struct CalendarPeriodTests {
  private func date(_ text: String) throws -> CivilDate {
    CivilDate(try #require(ISO8601(parsing: (text + "T00:00Z").utf8)).time)
  }

  @Test(
    arguments: [
      // The examples of ISO 8601 and the ends of years with and without week 53.
      ("2026-03-17", "2026-03-17", "2026-W12", "2026-03", "2026"),
      ("2026-03-16", "2026-03-16", "2026-W12", "2026-03", "2026"),
      ("2026-03-15", "2026-03-15", "2026-W11", "2026-03", "2026"),
      ("2027-01-03", "2027-01-03", "2026-W53", "2027-01", "2027"),
      ("2024-12-30", "2024-12-30", "2025-W01", "2024-12", "2024"),
      ("2000-02-29", "2000-02-29", "2000-W09", "2000-02", "2000"),
      ("1969-12-28", "1969-12-28", "1969-W52", "1969-12", "1969"),
      ("1969-12-29", "1969-12-29", "1970-W01", "1969-12", "1969"),
    ] as [(String, String, String, String, String)])
  func periodsHaveTheNamesOfISO8601(
    _ text: String, _ day: String, _ week: String, _ month: String, _ year: String
  ) throws {
    let date = try date(text)
    let names = CalendarPeriod.allCases.map { $0.name(of: $0.start(of: date)) }
    #expect(names == [day, week, month, year])
  }

  @Test func periodsFollowOneAnotherWithoutGaps() {
    forAll(seed: 71, count: 2_000) { random, seed in
      let date = CivilDate(daysSince1970: Int.random(in: -200_000...200_000, using: &random))
      for period in CalendarPeriod.allCases {
        let start = period.start(of: date)
        let next = period.next(after: start)
        let last = CivilDate(daysSince1970: next.daysSince1970 - 1)
        guard start <= date, date < next, period.start(of: last) == start, period.start(of: next) == next
        else {
          Issue.record("seed \(seed): \(date) in the \(period) from \(start) to \(next)")
          return
        }
      }
    }
  }
}
