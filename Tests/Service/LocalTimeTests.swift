import FencelineCivilTime
import FencelineService
import FencelineTestSupport
import Testing

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

  @Test func daysBeginAtMidnight() {
    for days in [0, 1, 30, 400] {
      let text = LocalTime.text(LocalTime.midnight(daysAgo: days))
      // Where the clock goes forward at midnight the day begins at one.
      #expect(text.hasSuffix(" 00:00:00") || text.hasSuffix(" 01:00:00"))
    }
    #expect(LocalTime.midnight(daysAgo: 1) < LocalTime.midnight(daysAgo: 0))
    #expect(LocalTime.midnight(daysAgo: 0) <= LocalTime.now)
  }

  @Test func zonesAreLookedUp() {
    #expect(!LocalTime.zone.isEmpty)
    if LocalTime.hasZone("Europe/Zurich") { #expect(LocalTime.hasZone("UTC")) }
    #expect(!LocalTime.hasZone("Europe/Nowhere") || LocalTime.hasZone("No/Database"))
    #expect(!LocalTime.hasZone("Europe") || LocalTime.hasZone("No/Database"))
  }
}
