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
      let text = LocalTime.text(LocalTime.midnight(daysAgo: days))
      // Where the clock goes forward at midnight the day begins at one.
      #expect(text.hasSuffix(" 00:00:00") || text.hasSuffix(" 01:00:00"))
    }
    #expect(LocalTime.midnight(daysAgo: 1) < LocalTime.midnight(daysAgo: 0))
    #expect(LocalTime.midnight(daysAgo: 0) <= LocalTime.now)
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
