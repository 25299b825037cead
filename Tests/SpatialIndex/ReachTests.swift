import FencelineGeodesy
import FencelineSpatialIndex
import FencelineTestSupport
import Testing

/// Circles within reach of a place or a way, and the nearest perimeters.
struct ReachTests {
  @Test func noneWithinReachIsMissedAndFewMoreAreFound() {
    forAll(seed: 41, count: 200) { random, seed in
      let country = Country(&random)
      let scan = LinearScan(200, in: country, &random) { $0.chance(0.02) ? 20_000_000.0 : nil }
      let index = scan.index
      var found: [Slot] = []
      for _ in 0..<30 {
        let place = country.place(&random)
        let reach = random.chance(0.2) ? 0 : random.length(0.1...500_000) * (random.chance(0.2) ? -1 : 1)
        let point = EarthPoint(place)
        index.circles(within: reach, of: point, into: &found)
        let most = scan.circles.filter {
          let limit = $0.value.radius + reach + 0.02
          return limit >= 0 && EarthPoint($0.value.centre).squaredDistance(to: point) <= limit * limit
        }
        guard found == found.sorted(), Set(found).count == found.count,
          Set(scan.circles(within: reach, of: place)).isSubset(of: found),
          Set(most.keys).isSuperset(of: found)
        else {
          Issue.record(
            "seed \(seed): \(place), \(reach): \(found), \(scan.circles(within: reach, of: place))")
          return
        }
      }
    }
  }

  /// The way on the ground lies above the chord; with its depth added nothing along it is missed.
  @Test func nothingAlongTheWayOnTheGroundIsMissed() {
    forAll(seed: 42, count: 600) { random, seed in
      let country = Country(&random)
      let from = random.chance(0.5) ? country.place(&random) : random.coordinate()
      let length = random.length(10...(random.chance(0.1) ? 3_000_000 : 199_000))
      let azimuth = random.uniform(0...360)
      var scan = LinearScan()
      for slot: Slot in 0..<40 {
        let on = from.destination(azimuth: azimuth, distance: random.uniform(-0.1...1.1) * length)
        scan[slot] = (random.coordinate(within: length / 5, of: on), random.length(1...3_000))
      }
      let end = from.destination(azimuth: azimuth, distance: length)
      let reach = random.chance(0.5) ? 0 : random.length(1...10_000)
      var found: [Slot] = []
      scan.index.circles(
        within: reach + length * length / (8 * 6_335_439), ofSegmentFrom: EarthPoint(from),
        to: EarthPoint(end), into: &found)
      guard found == found.sorted(), Set(found).count == found.count else {
        Issue.record("seed \(seed): \(found)")
        return
      }
      for (slot, circle) in scan.circles {
        let isMet = (0...60).contains { step in
          from.destination(azimuth: azimuth, distance: length * Double(step) / 60).distance(to: circle.centre)
            <= circle.radius + reach
        }
        guard !isMet || found.contains(slot) else {
          Issue.record("seed \(seed): circle \(slot) is missed")
          return
        }
      }
    }
  }

  @Test func aNegativeReachAsksForTheInnerPart() {
    let centre = Coordinate(latitude: 0, longitude: 0)
    let index = CircleIndex([(slot: 0, centre: centre, radius: 100)])
    var found: [Slot] = []
    let edge = EarthPoint(centre.destination(azimuth: 40, distance: 90))
    index.circles(within: -5, of: edge, into: &found)
    #expect(found == [0])
    index.circles(within: -20, of: edge, into: &found)
    #expect(found == [])
    index.circles(within: -200, of: EarthPoint(centre), into: &found)
    #expect(found == [])
  }

  @Test func theNearestPerimetersAreThoseOfAScan() {
    forAll(seed: 43, count: 300) { random, seed in
      let country = Country(&random)
      let scan = LinearScan(Int.random(in: 0...150, using: &random), in: country, &random) {
        $0.chance(0.05) ? 10_000_000.0 : nil
      }
      let place = country.place(&random)
      let count = Int.random(in: 0...12, using: &random)
      let isOdd = random.chance(0.3)
      let isWanted = { (slot: Slot) in !isOdd || slot & 1 == 1 }
      let nearest = scan.index.nearest(count, to: place, where: isWanted)
      guard nearest.map(\.slot) == scan.nearest(count, to: place, where: isWanted) else {
        Issue.record("seed \(seed): \(nearest), \(scan.nearest(count, to: place, where: isWanted))")
        return
      }
      for (slot, distance) in nearest {
        guard let circle = scan[slot], distance == circle.centre.distance(to: place) - circle.radius else {
          Issue.record("seed \(seed): slot \(slot), \(distance)")
          return
        }
      }
    }
  }
}
