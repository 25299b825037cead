import FencelineCivilTime
import FencelineDecisions
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

/// Fixes that cannot bring anything about are passed over, and nobody can tell.
struct CalmTests {
  /// Two pipelines that get the same: one passes fixes over, the other looks at each.
  private struct Twins {
    var calm: Pipeline
    var plain: Pipeline

    init(_ regions: [Region], _ profile: Profile) {
      let regions = RegionSet(regions, defaultProfile: profile)
      calm = Pipeline(regions: regions, notesChanges: true)
      plain = Pipeline(regions: regions, notesChanges: true, usesCalm: false)
    }

    /// Does the same with both.
    ///
    /// - Returns: Whether the same comes of it, and the same is known afterwards.
    mutating func agree(on device: String, _ body: (inout Pipeline, inout [Outcome]) -> Void) -> Bool {
      var (a, b): ([Outcome], [Outcome]) = ([], [])
      body(&calm, &a)
      body(&plain, &b)
      return a == b && calm.memory(of: device) == plain.memory(of: device)
        && known(calm, device) == known(plain, device) && calm.nextDue == plain.nextDue
    }

    /// What is known, but of regions that the device is plainly outside: of these some are noted as long as they may be near.
    private func known(_ pipeline: Pipeline, _ device: String) -> [String: RegionState] {
      pipeline.states(of: device).filter { $0.value.side != .outside || $0.value.candidate != nil }
    }
  }

  @Test func theSameComesOfEachFixAndEdit() {
    var passedOver = 0
    forAll(seed: 31, count: 200) { random, seed in
      let world = World(&random)
      var twins = Twins(world.regions, world.profile)
      var version: Int64 = 0
      for (place, fix) in world.fixes.enumerated() {
        let arrival = Int64(place) * 1_000
        guard twins.agree(on: fix.device, { $0.process(fix, arrival: arrival, into: &$1) }) else {
          Issue.record("seed \(seed): at \(fix.time)")
          return
        }
        if random.chance(0.05), var region = world.regions.randomElement(using: &random) {
          version += 1
          region.radius *= random.uniform(0.5...2)
          if region.radius > 1e7 || region.radius < 1 { region.radius = 100 }
          region.isEnabled = random.chance(0.8)
          let isRemoval = random.chance(0.2)
          let isSame = twins.agree(on: fix.device) { pipeline, outcomes in
            if isRemoval {
              pipeline.remove(region.id, version: version, into: &outcomes)
            } else {
              pipeline.put([RegionSet.Entry(region, since: version)], version: version, into: &outcomes)
            }
          }
          guard isSame else {
            Issue.record("seed \(seed): edit \(version) of \(region.id) at \(fix.time)")
            return
          }
        }
        if random.chance(0.05) {
          let later = arrival + Int64(random.uniform(0...200_000))
          guard twins.agree(on: fix.device, { $0.advance(fix.device, to: later, into: &$1) }) else {
            Issue.record("seed \(seed): advanced after \(fix.time)")
            return
          }
        }
      }
      passedOver += twins.calm.passedOver
      #expect(twins.plain.passedOver == 0)
    }
    #expect(passedOver > 5_000)
  }

  /// Slow and fast ways through many regions, whose accuracy gets better and worse: what most of the fixes of a service are like.
  @Test(arguments: [1.5, 20, 250])
  func oneThatDrivesIsMostlyPassedOver(speed: Double) {
    var (fixes, passedOver) = (0, 0)
    forAll(seed: UInt64(speed * 10), count: 6) { random, seed in
      let centre = Coordinate(latitude: random.uniform(-70...70), longitude: 179.9)
      let regions = (0..<150).map { number in
        var region = Region(
          id: "r\(number)", centre: random.coordinate(within: 20_000, of: centre),
          radius: random.length(20...3_000))
        if random.chance(0.3) { region.dwell = [60, 300] }
        return region
      }
      var twins = Twins(regions, Profile.allCases.randomElement(using: &random) ?? .fast)
      var (place, course, blur) = (centre, 0.0, 4.0)
      for second in 0..<1_500 {
        course += random.uniform(-4...4)
        if random.chance(0.01) { blur = random.length(2...60) }
        if place.distance(to: centre) > 15_000 { course = place.azimuth(to: centre) }
        place = place.destination(azimuth: course, distance: speed)
        let fix = Fix(
          device: "d", time: Timestamp(milliseconds: Int64(second) * 1_000), coordinate: place,
          accuracy: blur,
          speed: speed)
        guard twins.agree(on: "d", { $0.process(fix, arrival: Int64(second) * 1_000, into: &$1) }) else {
          Issue.record("seed \(seed): at second \(second)")
          return
        }
      }
      fixes += 1_500
      passedOver += twins.calm.passedOver
    }
    #expect(passedOver > (speed < 100 ? fixes / 3 : 0), "\(passedOver) of \(fixes)")
  }
}
