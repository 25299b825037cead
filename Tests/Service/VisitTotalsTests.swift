import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineService
import FencelineTestSupport
import Glibc
import Testing

private func time(_ text: String) throws -> Timestamp {
  try #require(ISO8601(parsing: text.utf8)).time
}

private func visit(
  _ region: String, _ entered: Timestamp, _ left: Timestamp?, lastSeen: Timestamp? = nil, run: Int64 = 1,
  device: String = "default"
) -> Visit {
  Visit(
    run: run, number: 1, device: device, region: region, title: nil,
    centre: Coordinate(latitude: 0, longitude: 0), radius: 100, entered: entered, left: left,
    reason: left == nil ? nil : .exit, lastSeen: left ?? lastSeen ?? entered)
}

struct VisitTotalsTests {
  @Test func visitsAreCutAtLocalMidnights() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("TZ", "Europe/Zurich", 1)
      tzset()
      // From Saturday evening to Monday morning; on Sunday the clock goes forward, so that day has 23 hours.
      let stay = visit("home", try time("2026-03-28T20:00:00Z"), try time("2026-03-30T06:00:00Z"))
      var days = VisitTotals(per: .day)
      days.add(stay)
      #expect(days.rows.map { $0.start?.description } == ["2026-03-28", "2026-03-29", "2026-03-30"])
      #expect(days.rows.map { $0.seconds / 3600 } == [3, 23, 8])
      #expect(days.rows.map(\.visits) == [1, 1, 1] && days.visits == 1)
      var weeks = VisitTotals(per: .week)
      weeks.add(stay)
      #expect(weeks.rows.map { $0.start?.description } == ["2026-03-23", "2026-03-30"])
      #expect(weeks.rows.map { $0.seconds / 3600 } == [26, 8])
    }
  }

  @Test func aDayThatAZoneHasLeftOutTakesNoTime() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("TZ", "Pacific/Apia", 1)
      tzset()
      // There was no 30 December 2011 in Samoa.
      var days = VisitTotals(per: .day)
      days.add(visit("home", try time("2011-12-28T12:00:00Z"), try time("2012-01-01T12:00:00Z")))
      #expect(
        days.rows.map { $0.start?.description } == [
          "2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01", "2012-01-02",
        ])
      #expect(days.rows.map { $0.seconds / 3600 } == [22, 24, 24, 24, 2])
    }
  }

  @Test func timeOutsideTheSpanDoesNotCount() throws {
    var totals = VisitTotals(
      per: nil, since: try time("2026-03-02T12:00:00Z"), until: try time("2026-03-02T13:00:00Z"))
    totals.add(visit("a", try time("2026-03-02T11:00:00Z"), try time("2026-03-02T12:10:00Z")))
    totals.add(visit("b", try time("2026-03-02T11:30:00Z"), nil, lastSeen: try time("2026-03-02T20:00:00Z")))
    #expect(totals.rows.map(\.region) == ["b", "a"])
    #expect(totals.rows.map(\.seconds) == [3600, 600])
    #expect(totals.rows.map(\.open) == [1, 0])
  }

  @Test func timeThatSeveralRunsTellOfCountsOnce() throws {
    var totals = VisitTotals(per: nil)
    let (a, b, c) = (
      try time("2026-03-02T11:00:00Z"), try time("2026-03-02T12:00:00Z"), try time("2026-03-02T13:00:00Z")
    )
    totals.add(visit("a", a, c, run: 1))
    totals.add(visit("a", b, c.advanced(30), run: 2))
    totals.add(visit("a", b, c, run: 2, device: "other"))
    #expect(totals.rows.map(\.seconds) == [7230 + 3600])
    #expect(totals.rows.map(\.visits) == [3])
    #expect(totals.shared == 1 && totals.rows.map(\.longest) == [7200])
  }

  /// In whichever zone the tests run.
  @Test func periodsAddUpToTheWhole() {
    forAll(seed: 81, count: 300) { random, seed in
      var sums = ([nil] + CalendarPeriod.allCases.map(Optional.some)).map { VisitTotals(per: $0) }
      var at = Timestamp(milliseconds: Int64.random(in: 0...2_000_000_000_000, using: &random))
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let left = at.advanced(random.length(0.001...40_000_000))
        let region = random.chance(0.5) ? "a" : "b"
        let stay = visit(region, at, random.chance(0.2) ? nil : left, lastSeen: left)
        for index in sums.indices { sums[index].add(stay) }
        at = at.advanced(random.length(0.001...9_000_000))
      }
      for sum in sums {
        guard abs(sum.seconds - sums[0].seconds) < 1e-3, sum.visits == sums[0].visits else {
          Issue.record("seed \(seed): \(String(describing: sum.period)) \(sum.seconds) of \(sums[0].seconds)")
          return
        }
      }
    }
  }
}

extension Timestamp {
  fileprivate func advanced(_ seconds: Double) -> Timestamp {
    Timestamp(milliseconds: milliseconds + Int64(seconds * 1000))
  }
}
