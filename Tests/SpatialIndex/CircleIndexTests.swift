import FencelineGeodesy
import FencelineSpatialIndex
import FencelineTestSupport
import Testing

/// Circles in a plain list: what the index must agree with.
private struct LinearScan {
  var circles: [CircleIndex.Slot: (centre: Coordinate, radius: Double)] = [:]

  /// The circles whose straight distance to the way is at most radius and reach, and a little more or less.
  func circles(within reach: Double, from start: EarthPoint, to end: EarthPoint, slack: Double) -> Set<
    CircleIndex.Slot
  > {
    var found: Set<CircleIndex.Slot> = []
    for (slot, circle) in circles {
      let distance = EarthPoint(circle.centre).squaredDistance(toSegmentFrom: start, to: end).squareRoot()
      if distance <= circle.radius + reach + slack { found.insert(slot) }
    }
    return found
  }

  func circles(onTheGroundWithin reach: Double, of point: Coordinate) -> Set<CircleIndex.Slot> {
    Set(circles.filter { $0.value.centre.distance(to: point) <= $0.value.radius + reach }.keys)
  }
}

struct CircleIndexTests {
  @Test func anEmptyIndexFindsNothing() {
    let index = CircleIndex()
    var found: [CircleIndex.Slot] = [7]
    index.circles(within: 1e9, of: EarthPoint(Coordinate(latitude: 0, longitude: 0)), into: &found)
    #expect(found == [])
    #expect(index.count == 0)
  }

  @Test func slotsComeInAscendingOrder() {
    var index = CircleIndex()
    let centre = Coordinate(latitude: 47, longitude: 8)
    for slot: CircleIndex.Slot in [5, 3, 99, 0, 41] { index.insert(slot, centre: centre, radius: 10) }
    var found: [CircleIndex.Slot] = []
    index.circles(within: 0, of: EarthPoint(centre), into: &found)
    #expect(found == [0, 3, 5, 41, 99])
    index.remove(41)
    index.remove(41)
    index.remove(1_000)
    index.circles(within: 0, of: EarthPoint(centre), into: &found)
    #expect(found == [0, 3, 5, 99])
    #expect(index.count == 4)
  }

  @Test func identicalCirclesAreAllFound() {
    var index = CircleIndex()
    let centre = Coordinate(latitude: -33, longitude: 180)
    for slot: CircleIndex.Slot in 0..<500 { index.insert(slot, centre: centre, radius: 50) }
    var found: [CircleIndex.Slot] = []
    let near = EarthPoint(Coordinate(latitude: -33.0004, longitude: -180))
    index.circles(within: 0, of: near, into: &found)
    #expect(found == Array(0..<500))
    for slot: CircleIndex.Slot in stride(from: 0, to: 500, by: 2) { index.remove(slot) }
    index.circles(within: 0, of: near, into: &found)
    #expect(found == Array(stride(from: 1, to: 500, by: 2)))
    for slot: CircleIndex.Slot in 0..<500 { index.remove(slot) }
    index.circles(within: 0, of: near, into: &found)
    #expect(found == [])
    #expect(index.count == 0)
  }

  @Test func aNegativeReachAsksForTheInnerPart() {
    var index = CircleIndex()
    let centre = Coordinate(latitude: 0, longitude: 0)
    index.insert(0, centre: centre, radius: 100)
    var found: [CircleIndex.Slot] = []
    let edge = EarthPoint(centre.destination(azimuth: 40, distance: 90))
    index.circles(within: -5, of: edge, into: &found)
    #expect(found == [0])
    index.circles(within: -20, of: edge, into: &found)
    #expect(found == [])
    index.circles(within: -200, of: EarthPoint(centre), into: &found)
    #expect(found == [])
  }

  @Test func itAgreesWithALinearScanThroughAllChanges() {
    forAll(seed: 16, count: 60) { random, seed in
      var index = CircleIndex()
      var scan = LinearScan()
      let clusters = (0..<3).map { _ in random.coordinate() }
      var next: CircleIndex.Slot = 0
      var found: [CircleIndex.Slot] = []
      for _ in 0..<Int.random(in: 1...400, using: &random) {
        if random.chance(0.3), let slot = scan.circles.keys.sorted().randomElement(using: &random) {
          index.remove(slot)
          scan.circles[slot] = nil
        } else {
          let centre = place(&random, clusters)
          let radius = random.length(1...10_000_000)
          index.insert(next, centre: centre, radius: radius)
          scan.circles[next] = (centre, radius)
          next += 1
        }
      }
      for _ in 0..<20 {
        let (from, reach) = (place(&random, clusters), random.chance(0.3) ? 0 : random.length(1...100_000))
        let start = EarthPoint(from)
        let end = random.chance(0.5) ? start : EarthPoint(place(&random, clusters))
        index.circles(within: reach, ofSegmentFrom: start, to: end, into: &found)
        let least = scan.circles(within: reach, from: start, to: end, slack: -1e-5)
        let most = scan.circles(within: reach, from: start, to: end, slack: 1e-5)
        guard found == found.sorted(), least.isSubset(of: found), most.isSuperset(of: found),
          index.count == scan.circles.count
        else {
          Issue.record("seed \(seed): \(found), at least \(least.sorted())")
          return
        }
        index.circles(within: reach, of: start, into: &found)
        guard scan.circles(onTheGroundWithin: reach, of: from).isSubset(of: found) else {
          Issue.record("seed \(seed): a circle within reach on the ground is missed")
          return
        }
      }
    }
  }

  /// The way on the ground lies above the chord; with its depth added nothing along it is missed.
  @Test func nothingAlongTheWayOnTheGroundIsMissed() {
    forAll(seed: 17, count: 400) { random, seed in
      var index = CircleIndex()
      let from = random.coordinate()
      let length = random.length(10...18_000)
      let azimuth = random.uniform(0...360)
      var circles: [(Coordinate, Double)] = []
      for slot: CircleIndex.Slot in 0..<40 {
        let centre = from.destination(
          azimuth: azimuth + random.uniform(-20...20), distance: random.uniform(0...length))
        circles.append((centre, random.length(1...3_000)))
        index.insert(slot, centre: centre, radius: circles[Int(slot)].1)
      }
      var found: [CircleIndex.Slot] = []
      let end = from.destination(azimuth: azimuth, distance: length)
      index.circles(
        within: length * length / (8 * 6_335_439), ofSegmentFrom: EarthPoint(from), to: EarthPoint(end),
        into: &found)
      for (slot, circle) in circles.enumerated() {
        let isMet = (0...40).contains { step in
          from.destination(azimuth: azimuth, distance: length * Double(step) / 40).distance(to: circle.0)
            <= circle.1
        }
        guard !isMet || found.contains(CircleIndex.Slot(slot)) else {
          Issue.record("seed \(seed): circle \(slot) is missed")
          return
        }
      }
    }
  }

  private func place(_ random: inout SplitMix64, _ clusters: [Coordinate]) -> Coordinate {
    guard random.chance(0.7), let cluster = clusters.randomElement(using: &random) else {
      return random.coordinate()
    }
    return random.coordinate(within: 20_000, of: cluster)
  }
}
