import FencelineGeodesy
import FencelineTestSupport
import Testing

struct EarthPointTests {
  @Test(
    arguments: [
      (0, 0, 6_378_137, 0, 0), (0, 90, 0, 6_378_137, 0), (0, 180, -6_378_137, 0, 0),
      (90, 0, 0, 0, 6_356_752.314245), (-90, 77, 0, 0, -6_356_752.314245),
    ] as [(Double, Double, Double, Double, Double)])
  func knownPlaces(_ latitude: Double, _ longitude: Double, _ x: Double, _ y: Double, _ z: Double) {
    let point = EarthPoint(Coordinate(latitude: latitude, longitude: longitude))
    #expect(point.squaredDistance(to: EarthPoint(x: x, y: y, z: z)) < 1e-10)
  }

  @Test func noChordIsLongerThanItsGeodesic() {
    forAll(seed: 11, count: 3_000) { random, seed in
      let a = random.coordinate()
      let b = random.chance(0.5) ? random.coordinate() : random.coordinate(within: 10_000, of: a)
      let chord = EarthPoint(a).squaredDistance(to: EarthPoint(b)).squareRoot()
      let ground = a.distance(to: b)
      guard chord <= ground + 1e-6, ground <= chord * 1.58 + 1e-6 else {
        Issue.record("seed \(seed): \(a), \(b): \(chord), \(ground)")
        return
      }
    }
  }

  @Test func theNearestPointOfASegmentIsNeverFartherThanASample() {
    forAll(seed: 12, count: 1_000) { random, seed in
      func point() -> EarthPoint {
        EarthPoint(x: random.uniform(-9...9), y: random.uniform(-9...9), z: random.uniform(-9...9))
      }
      let (own, start) = (point(), point())
      let end = random.chance(0.1) ? start : point()
      let least = own.squaredDistance(toSegmentFrom: start, to: end)
      var sampled = Double.infinity
      for step in 0...500 {
        let u = Double(step) / 500
        let place = EarthPoint(
          x: start.x + u * (end.x - start.x), y: start.y + u * (end.y - start.y),
          z: start.z + u * (end.z - start.z))
        sampled = min(sampled, own.squaredDistance(to: place))
      }
      guard least <= sampled + 1e-9, sampled - least < 0.01 else {
        Issue.record("seed \(seed): \(least), \(sampled)")
        return
      }
    }
  }
}
