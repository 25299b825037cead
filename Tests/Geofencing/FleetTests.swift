import Dispatch
import FencelineDecisions
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

/// Many devices on several threads.
struct FleetTests {
  /// The fixes of some devices, each with a world of its own, mixed as they would come.
  private static func mixed(_ worlds: [World], _ random: inout SplitMix64) -> [Fix] {
    var streams = worlds.enumerated().map { number, world in
      world.fixes.map { fix in
        var fix = fix
        // One name, spelled now this way, now that.
        fix.device = number == 0 ? (random.chance(0.5) ? "caf\u{E9}" : "cafe\u{301}") : "d\(number)"
        return fix
      }[...]
    }
    var fixes: [Fix] = []
    while let stream = streams.indices.filter({ !streams[$0].isEmpty }).randomElement(using: &random) {
      fixes.append(streams[stream].removeFirst())
    }
    return fixes
  }

  private static func regions(_ worlds: [World]) -> [Region] {
    worlds.enumerated().flatMap { number, world in
      world.regions.map { region in
        var region = region
        region.id = "\(number)-\(region.id)"
        return region
      }
    }
  }

  @Test func anyNumberOfLanesGivesWhatOnePipelineGives() {
    forAll(seed: 61, count: 12) { random, seed in
      let worlds = (0..<9).map { _ in World(&random, fixCount: 120) }
      let regions = FleetTests.regions(worlds)
      let fixes = FleetTests.mixed(worlds, &random)
      var pipeline = Pipeline(regions: RegionSet(regions))
      var expected: [Outcome] = []
      let verdicts = fixes.map { pipeline.process($0, into: &expected) }
      for lanes in [1, 2, 3, 8] {
        let fleet = Fleet(regions: RegionSet(regions), lanes: lanes)
        var (found, said): ([Outcome], [FixFilter.Verdict]) = ([], [])
        var rest = fixes[...]
        while !rest.isEmpty {
          let batch = rest.prefix(Int.random(in: 0...300, using: &random))
          said += fleet.process(Array(batch), into: &found) {
            DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
          }
          rest = rest.dropFirst(batch.count)
        }
        guard found == expected, said == verdicts, fleet.deviceCount == worlds.count else {
          Issue.record("seed \(seed): \(lanes) lanes")
          return
        }
      }
    }
  }

  @Test func editsEndTheSameVisitsWhateverTheLanes() {
    forAll(seed: 62, count: 12) { random, seed in
      let worlds = (0..<9).map { _ in World(&random, fixCount: 60) }
      let regions = FleetTests.regions(worlds)
      let fixes = FleetTests.mixed(worlds, &random)
      // Regions that concern another device than before, have moved, or are disabled; and one that is removed.
      var entries: [RegionSet.Entry] = []
      for var region in regions where random.chance(0.6) {
        let isNew = random.chance(0.7)
        if isNew { region.radius = min(1e7, region.radius * 1.5) } else { region.devices = ["d1", "d4"] }
        region.isEnabled = random.chance(0.8)
        entries.append(RegionSet.Entry(region, since: isNew ? 1 : 0, isNew: isNew))
      }
      var results: [[Outcome]] = []
      for lanes in [1, 2, 5] {
        let fleet = Fleet(regions: RegionSet(regions), lanes: lanes)
        var outcomes: [Outcome] = []
        fleet.process(Array(fixes.prefix(300)), into: &outcomes)
        fleet.put(entries, version: 1, into: &outcomes)
        fleet.remove(regions[0].id, version: 2, into: &outcomes)
        fleet.process(Array(fixes.dropFirst(300)), into: &outcomes)
        results.append(outcomes)
      }
      var pipeline = Pipeline(regions: RegionSet(regions))
      var expected: [Outcome] = []
      for fix in fixes.prefix(300) { pipeline.process(fix, into: &expected) }
      pipeline.put(entries, version: 1, into: &expected)
      pipeline.remove(regions[0].id, version: 2, into: &expected)
      for fix in fixes.dropFirst(300) { pipeline.process(fix, into: &expected) }
      guard results[0] == results[1], results[0] == results[2],
        Set(results[0]) == Set(expected), results[0].count == expected.count
      else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }
}
