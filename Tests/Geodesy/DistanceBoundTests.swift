import FencelineGeodesy
import FencelineTestSupport
import Testing

struct DistanceBoundTests {
  @Test func itIsNeverTooShortAndSeldomMuchTooLong() {
    forAll(seed: 51, count: 20_000) { random, seed in
      let isPlain = random.chance(0.5)
      let a =
        isPlain ? Coordinate(latitude: random.uniform(-60...60), longitude: 180) : random.coordinate()
      let isNear = random.chance(0.7)
      let b =
        isNear
        ? a.destination(azimuth: random.uniform(0...360), distance: random.length(0.001...100_000))
        : random.coordinate()
      let (bound, distance) = (a.distanceBound(to: b), a.distance(to: b))
      let isTight = abs(a.latitude) < 60 && abs(b.latitude) < 60 && distance < 1_000
      guard bound >= distance, bound == b.distanceBound(to: a),
        !isTight || bound <= distance * 1.011 + 1e-6
      else {
        Issue.record("seed \(seed): \(a) \(b), \(bound) for \(distance)")
        return
      }
    }
  }

  @Test func whatIsNoPlaceHasNone() {
    let place = Coordinate(latitude: 1, longitude: 2)
    #expect(place.distanceBound(to: place) == 0)
    #expect(place.distanceBound(to: Coordinate(latitude: .nan, longitude: 0)).isNaN)
  }
}
