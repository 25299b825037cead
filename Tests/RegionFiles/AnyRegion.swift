import FencelineCivilTime
import FencelineGeodesy
import FencelineGeofencing
import FencelineTestSupport

/// A region with any values that regions may have.
func anyRegion(_ id: String, _ random: inout SplitMix64) -> Region {
  var region = Region(id: id, centre: random.coordinate(), radius: random.length(1...10_000_000))
  if random.chance(0.5) {
    region.title = ["\"Zürich\" \\ \(random.next())", "<A&B>, ;'", " edge ", "#1", "=2+3", id].randomElement(
      using: &random)
  }
  region.notifyOnEntry = random.chance(0.5)
  region.notifyOnExit = random.chance(0.5)
  region.dwell = [60, 0.001, 31_536_000, 12.5].filter { _ in random.chance(0.5) }
  region.repeats = random.chance(0.5)
  region.profile = random.chance(0.5) ? Profile.allCases.randomElement(using: &random) : nil
  region.enterAfter = random.chance(0.5) ? random.uniform(0...600) : nil
  region.exitAfter = random.chance(0.5) ? 0 : nil
  region.exitMargin = random.chance(0.5) ? random.uniform(0...1_000) : nil
  region.initial = random.chance(0.5) ? .entry : .none
  region.cooldown = random.chance(0.5) ? 900 : nil
  region.active = ["Mon-Fri 08:00-18:00 Europe/Zurich", "22:00-24:00 UTC"].filter { _ in random.chance(0.5)
  }
  .compactMap(ActiveWindow.init)
  if random.chance(0.5) {
    region.expires = Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random))
  }
  if random.chance(0.5) {
    region.devices = ["van-[0-9]", "phone", "?\"*"].filter { _ in random.chance(0.7) } + ["x"]
  }
  region.tags = ["home", "a b", "ü", "1; 2", "[x]", "\"q\",", " edge "].filter { _ in random.chance(0.5) }
  region.priority = Int.random(in: -1000...1000, using: &random)
  region.isEnabled = random.chance(0.5)
  return region
}
