import FencelineGeodesy
import FencelineTestSupport
import Testing

@testable import FencelineSpatialIndex

/// Which circles hold a place: exactly those that the geodesic says.
struct HoldingTests {
  private func found(_ index: CircleIndex, _ place: Coordinate) -> [Slot] {
    var found: [Slot] = [-5]
    index.circles(holding: place, into: &found)
    return found
  }

  @Test func itAgreesWithTheGeodesicEverywhere() {
    forAll(seed: 21, count: 300) { random, seed in
      let country = Country(&random)
      let scan = LinearScan(Int.random(in: 1...300, using: &random), in: country, &random) {
        $0.chance(0.02) ? 20_000_000.0 : $0.chance(0.1) ? 1_000_000 : nil
      }
      let index = scan.index
      for _ in 0..<60 {
        let place = country.place(&random)
        guard found(index, place) == scan.circles(holding: place) else {
          Issue.record("seed \(seed): \(place): \(found(index, place)), \(scan.circles(holding: place))")
          return
        }
      }
    }
  }

  /// Where chords, rounding and single precision can no longer tell, the geodesic decides; a place at the radius itself is inside.
  @Test func itIsExactWithinAMillimetreOfThePerimeter() {
    forAll(seed: 22, count: 20_000) { random, seed in
      let centre = random.chance(0.5) ? Country(&random).clusters[0] : random.coordinate()
      let radius = random.length(1...1_000_000)
      let index = CircleIndex([(slot: Slot(0), centre: centre, radius: radius)])
      let off = random.chance(0.1) ? 0 : random.length(0.000001...1) * (random.chance(0.5) ? 1 : -1)
      let place = centre.destination(azimuth: random.uniform(0...360), distance: max(0, radius + off))
      guard found(index, place) == (centre.distance(to: place) <= radius ? [0] : []) else {
        Issue.record("seed \(seed): \(centre), \(radius), \(place), \(off)")
        return
      }
    }
  }

  @Test(
    arguments: [
      // Across the antimeridian, from either side and with either sign of 180.
      (0, 179.9999, 50, 0, -179.9999, true), (0, 179.9999, 10, 0, -179.9999, false),
      (60, 180, 1_000, 60, -180, true), (-45, -180, 5, -45, 180, true),
      (-17, -179.99, 5_000, -17, 179.99, true),
      // A circle that holds a pole, and the pole under any longitude.
      (89.9, 0, 20_000, 89.9, 180, false), (89.9, 0, 23_000, 89.9, 180, true), (90, 0, 1, 90, 123, true),
      (-89.99, 20, 2_000, -90, -77, true), (-90, -179, 500, -89.996, 44, true),
      // Across the edge of the caps.
      (67.5, 10, 100, 67.5005, 10, true), (67.5, 10, 100, 67.4995, 10, true),
      (66, 0, 400_000, 69.5, 0.5, true),
      // No radius: only the centre itself.
      (47, 8, 0, 47, 8, true), (47, 8, 0, 47.0000001, 8, false),
      // Too large for the tree.
      (0, 0, 10_018_755, 0, 90, true), (0, 0, 10_018_755, 0, 90.001, false),
      (10, 20, 20_003_932, -10, -160, true),
    ] as [(Double, Double, Double, Double, Double, Bool)])
  func specialPlaces(
    _ latitude: Double, _ longitude: Double, _ radius: Double, _ atLatitude: Double, _ atLongitude: Double,
    _ isHeld: Bool
  ) {
    let centre = Coordinate(latitude: latitude, longitude: longitude)
    let index = CircleIndex([(slot: Slot(3), centre: centre, radius: radius)])
    #expect(found(index, Coordinate(latitude: atLatitude, longitude: atLongitude)) == (isHeld ? [3] : []))
    #expect(index.checkInvariants() == [])
  }

  @Test(
    arguments: [
      (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity), (90.001, 0), (-91, 0), (0, 180.001),
      (1e300, 1e300),
    ] as [(Double, Double)])
  func aPlaceThatIsNoneFindsNothing(_ latitude: Double, _ longitude: Double) {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    let index = CircleIndex([
      (slot: 0, centre: Coordinate(latitude: 0, longitude: 0), radius: 900_000),
      (slot: 1, centre: Coordinate(latitude: 90, longitude: 0), radius: 900_000),
      (slot: 2, centre: Coordinate(latitude: 0, longitude: 0), radius: 20_100_000),
    ])
    var found: [Slot] = [1]
    var ends: [Int] = []
    index.circles(holding: place, into: &found)
    #expect(found == [])
    #expect(index.circlesAndSafeDisc(holding: place, into: &found).radius == 0)
    #expect(found == [])
    index.circles(holding: [place, place], into: &found, ends: &ends)
    #expect(found == [] && ends == [0, 0])
    #expect(index.nearest(3, to: place).isEmpty)
  }

  @Test func concentricCirclesAMillimetreApartAreTold() {
    let centre = Coordinate(latitude: 47.3769, longitude: 8.5417)
    var scan = LinearScan()
    for slot: Slot in 0..<60 { scan[slot] = (centre, 100 + Double(slot) / 1_000) }
    let index = scan.index
    forAll(seed: 23, count: 2_000) { random, seed in
      let place = centre.destination(
        azimuth: random.uniform(0...360), distance: random.uniform(99.99...100.07))
      guard found(index, place) == scan.circles(holding: place) else {
        Issue.record("seed \(seed): \(place)")
        return
      }
    }
  }

  /// Splitting cannot separate them; it must not go on for ever, nor cost what the square of their number does.
  @Test func thousandsOfIdenticalCirclesAreAllFound() {
    var index = CircleIndex()
    let centre = Coordinate(latitude: -33, longitude: 180)
    for slot: Slot in 0..<2_000 { index.insert(slot, centre: centre, radius: 5) }
    #expect(found(index, Coordinate(latitude: -33.00001, longitude: -180)) == Array(0..<2_000))
    #expect(index.checkInvariants() == [])
  }

  @Test func batchesGiveWhatSingleCallsGive() {
    forAll(seed: 24, count: 60) { random, seed in
      let country = Country(&random)
      var scan = LinearScan(400, in: country, &random) { $0.chance(0.01) ? 5_000_000 : nil }
      // So many of one size at one place cannot be split: their list is longer than the rest of the world.
      let crowd = country.place(&random)
      if random.chance(0.3) {
        for slot: Slot in 400..<700 { scan[slot] = (crowd, 40) }
      }
      let index = scan.index
      let places = (0..<Int.random(in: 0...100, using: &random)).map { _ in
        random.chance(0.1) ? random.coordinate(within: 60, of: crowd) : country.place(&random)
      }
      var all: [Slot] = [9, 9]
      var ends = [7]
      // One after the other, and side by side as in a large index.
      index.circles(holding: places, into: &all, ends: &ends, sideBySideFrom: random.chance(0.2) ? .max : 0)
      var expected: [Slot] = []
      var expectedEnds: [Int] = []
      for place in places {
        expected += found(index, place)
        expectedEnds.append(expected.count)
      }
      guard all == expected, ends == expectedEnds else {
        Issue.record("seed \(seed): \(ends) instead of \(expectedEnds)")
        return
      }
    }
  }
}
