import FencelineCivilTime
import FencelineService
import FencelineTestSupport
import Glibc
import Testing

private func time(_ text: String) throws -> Timestamp {
  try #require(ISO8601(parsing: text.utf8)).time
}

/// Whichever zone the tests run in.
struct LocalTimeTests {
  @Test func anInstantShowsWhatItWasMadeToShow() {
    forAll(seed: 60, count: 500) { random, seed in
      // Noon to evening: no zone changes its clock then.
      let day = Int64.random(in: -20_000...40_000, using: &random) * Timestamp.millisecondsPerDay
      let shown = Timestamp(milliseconds: day + Int64.random(in: 43_200_000...72_000_000, using: &random))
      let instant = LocalTime.instant(showing: shown)
      let text = shown.description.prefix(19).replacing("T", with: " ")
      guard LocalTime.text(instant) == text, (instant.milliseconds - shown.milliseconds) % 1000 == 0 else {
        Issue.record("seed \(seed): \(shown) becomes \(LocalTime.text(instant))")
        return
      }
    }
  }

  @Test(
    arguments: [
      // Twice: the first. In a gap: later by the gap.
      ("Europe/Zurich", "2026-10-25T02:30:00.000Z", "2026-10-25T00:30:00.000Z"),
      ("America/New_York", "2026-11-01T01:30:00.000Z", "2026-11-01T05:30:00.000Z"),
      ("Europe/Zurich", "2026-03-29T02:30:00.000Z", "2026-03-29T01:30:00.000Z"),
      ("Europe/Zurich", "2026-07-01T12:00:00.250Z", "2026-07-01T10:00:00.250Z"),
      ("Asia/Kathmandu", "2026-01-01T00:00:00.000Z", "2025-12-31T18:15:00.000Z"),
    ] as [(String, String, String)])
  func hoursThatAreTwiceOrNever(_ zone: String, _ shown: String, _ instant: String) async {
    await #expect(processExitsWith: .success) {
      [zone = zone as String, shown = shown as String, instant = instant as String] in
      unsafe setenv("TZ", zone, 1)
      tzset()
      // What was asked before does not matter.
      for before in ["2026-07-01T12:00:00.000Z", "2026-01-01T12:00:00.000Z"] {
        _ = LocalTime.instant(showing: try time(before))
        #expect(LocalTime.instant(showing: try time(shown)).description == instant)
      }
    }
  }

  @Test func daysBeginAtMidnight() {
    for days in [0, 1, 30, 400] {
      let date = CivilDate(daysSince1970: LocalTime.date(of: LocalTime.now).daysSince1970 - days)
      let text = LocalTime.text(LocalTime.start(of: date))
      // Where the clock goes forward at midnight the day begins at one.
      #expect(text == "\(date) 00:00:00" || text == "\(date) 01:00:00")
      #expect(LocalTime.date(of: LocalTime.start(of: date)) == date)
    }
    #expect(LocalTime.start(of: LocalTime.date(of: LocalTime.now)) <= LocalTime.now)
  }

  @Test(
    arguments: [
      ("now", "2026-03-19T09:30:00.000Z"), ("today", "2026-03-18T23:00:00.000Z"),
      ("Yesterday", "2026-03-17T23:00:00.000Z"), ("tomorrow", "2026-03-19T23:00:00.000Z"),
      // It is Thursday.
      ("thursday", "2026-03-18T23:00:00.000Z"), ("thu", "2026-03-18T23:00:00.000Z"),
      ("friday", "2026-03-12T23:00:00.000Z"), ("wednesday", "2026-03-17T23:00:00.000Z"),
      ("saturday", "2026-03-13T23:00:00.000Z"), ("tuesday", "2026-03-16T23:00:00.000Z"),
      ("this-week", "2026-03-15T23:00:00.000Z"), ("last-week", "2026-03-08T23:00:00.000Z"),
      ("this-month", "2026-02-28T23:00:00.000Z"), ("last-month", "2026-01-31T23:00:00.000Z"),
      ("this-year", "2025-12-31T23:00:00.000Z"), ("last-year", "2024-12-31T23:00:00.000Z"),
      ("08:15", "2026-03-19T07:15:00.000Z"), ("08:15:30Z", "2026-03-19T08:15:30.000Z"),
      ("2026-07-01", "2026-06-30T22:00:00.000Z"), ("2026-07", "2026-06-30T22:00:00.000Z"),
      ("2026", "2025-12-31T23:00:00.000Z"), ("2026-W12", "2026-03-15T23:00:00.000Z"),
      ("2020-w53", "2020-12-27T23:00:00.000Z"), ("2026-07-01T12:00", "2026-07-01T10:00:00.000Z"),
      ("2026-07-01T12:00Z", "2026-07-01T12:00:00.000Z"),
      ("2026-W54", nil), ("2025-W53", nil), ("someday", nil), ("last-day", nil), ("2026-13", nil), ("", nil),
      ("8", nil), ("25:00", nil),
    ] as [(String, String?)])
  func timesAreReadAsPeopleWriteThem(_ text: String, _ instant: String?) async {
    await #expect(processExitsWith: .success) { [text = text as String, instant = instant as String?] in
      unsafe setenv("TZ", "Europe/Zurich", 1)
      tzset()
      let now = try time("2026-03-19T09:30:00.000Z")
      #expect(LocalTime.instant(parsing: text, now: now)?.description == instant)
    }
  }

  @Test func aFileThatTZNamesGivesNoEscapes() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for (file, abbreviation, zone) in [("plain", "CET", "CET"), ("evil", "\u{1B}[2J", "the zone of TZ")] {
        // RFC 9636, version 1: one type of local time, no transitions.
        var bytes = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
        for count in [0, 0, 0, 0, 1, UInt8(abbreviation.utf8.count + 1)] { bytes += [0, 0, 0, count] }
        bytes += [0, 0, 14, 16, 0, 0] + Array(abbreviation.utf8) + [0]
        try folder.write(file, bytes)
        unsafe setenv("TZ", folder.path(file), 1)
        tzset()
        #expect(LocalTime.text(Timestamp(milliseconds: 0)) == "1970-01-01 01:00:00")
        #expect(LocalTime.zone == zone)
      }
    }
  }

  @Test func zonesAreLookedUp() {
    #expect(!LocalTime.zone.isEmpty)
    if LocalTime.hasZone("Europe/Zurich") { #expect(LocalTime.hasZone("UTC")) }
    #expect(!LocalTime.hasZone("Europe/Nowhere") || LocalTime.hasZone("No/Database"))
    #expect(!LocalTime.hasZone("Europe") || LocalTime.hasZone("No/Database"))
  }
}
