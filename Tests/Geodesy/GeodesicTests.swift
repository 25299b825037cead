import FencelineGeodesy
import FencelineTestSupport
import Testing

struct GeodesicTests {
  private static let nearlyAntipodal = 19_936_288.579

  /// Latitudes and longitudes of two points, metres, azimuth where it is published.
  @Test(
    arguments: [
      // A quarter and half a meridian, one degree of the equator, and the shortest way past the antipode.
      ([0, 0, 90, 0], 10_001_965.729, 0), ([-90, 0, 90, 0], 20_003_931.4586, nil),
      ([0, 0, 0, 180], 20_003_931.4586, 0),
      ([0, 0, 0, 1], 111_319.4908, 90), ([0, 179.5, 0, -179.5], 111_319.4908, 90),
      ([0, 0, 0.5, 179.5], nearlyAntipodal, nil),
      ([0, 0, 0, 90], 10_018_754.1714, 90), ([0, 0, 0, 0], 0, nil), ([90, 10, 90, -120], 0, nil),
      ([0, 180, 0, -180], 0, nil),
      // Wellington to Salamanca, from the documentation of GeographicLib.
      ([-41.32, 174.81, 40.96, -5.50], 19_959_679.267354, 161.06766998616),
      // New York to London, from the same.
      ([40.6, -73.8, 51.6, -0.5], 5_551_759.400319, 51.198882845579),
      // Flinders Peak to Buninyong, from the technical manual of the Geocentric Datum of Australia.
      (
        [-37.95103341666667, 144.42486788888888, -37.65282113888889, 143.92649552777777], 54_972.271,
        306.86815833
      ),
    ] as [([Double], Double, Double?)])
  func publishedDistances(_ ends: [Double], _ metres: Double, _ azimuth: Double?) {
    let start = Coordinate(latitude: ends[0], longitude: ends[1])
    let end = Coordinate(latitude: ends[2], longitude: ends[3])
    #expect(abs(start.distance(to: end) - metres) < 0.001)
    #expect(abs(end.distance(to: start) - metres) < 0.001)
    if let azimuth { #expect(abs(start.azimuth(to: end) - azimuth) < 1e-6) }
  }

  @Test func aPublishedDestination() {
    let end = Coordinate(latitude: -32.06, longitude: 115.74).destination(azimuth: 225, distance: 20_000_000)
    #expect(abs(end.latitude - 32.11195529) < 1e-8)
    #expect(abs(end.longitude - -63.95925278) < 1e-8)
  }

  @Test func vincentyAgreesWhereItConverges() {
    var compared = 0
    forAll(seed: 7, count: 2_000) { random, seed in
      let (a, b) = (random.coordinate(), random.coordinate())
      guard let metres = vincenty(a, b) else { return }
      compared += 1
      guard abs(a.distance(to: b) - metres) < 0.001 else {
        Issue.record("seed \(seed): \(a), \(b): \(metres)")
        return
      }
    }
    #expect(compared > 1_700)
  }

  @Test func aDestinationLiesWhereItShould() {
    forAll(seed: 8, count: 2_000) { random, seed in
      let start = random.coordinate()
      let (azimuth, distance) = (random.uniform(0...360), random.length(0.001...19_000_000))
      let end = start.destination(azimuth: azimuth, distance: distance)
      let back = start.destination(azimuth: azimuth + 180, distance: -distance)
      guard end.isValid, abs(start.distance(to: end) - distance) < 0.001, end.distance(to: back) < 0.001,
        start.destination(azimuth: start.azimuth(to: end), distance: distance).distance(to: end) < 0.001
      else {
        Issue.record("seed \(seed): \(start), \(azimuth), \(distance)")
        return
      }
    }
  }

  @Test func distancesAreThoseOfAMetric() {
    forAll(seed: 9, count: 1_000) { random, seed in
      let (a, b, c) = (random.coordinate(), random.coordinate(), random.coordinate())
      let turned = random.uniform(-180...180)
      let (a2, b2) = (a.turned(by: turned), b.turned(by: turned))
      guard abs(a.distance(to: b) - b.distance(to: a)) < 1e-6, a.distance(to: a) == 0,
        a.distance(to: c) <= a.distance(to: b) + b.distance(to: c) + 1e-6,
        a.distance(to: b) <= 20_003_931.4587, abs(a.distance(to: b) - a2.distance(to: b2)) < 1e-6
      else {
        Issue.record("seed \(seed): \(a), \(b), \(c)")
        return
      }
    }
  }

  @Test(
    arguments: [
      (0, 1, 0), (0, -1, 180), (1, 0, 90), (-1, 0, 270), (1, 1, 45),
    ] as [(Double, Double, Double)])
  func azimuthsGoClockwiseFromNorth(_ east: Double, _ north: Double, _ azimuth: Double) {
    let end = Coordinate(latitude: north * 1e-4, longitude: east * 1e-4)
    #expect(abs(Coordinate(latitude: 0, longitude: 0).azimuth(to: end) - azimuth) < 0.3)
  }

  @Test func anInvalidPointHasNoDistance() {
    #expect(
      Coordinate(latitude: .nan, longitude: 0).distance(to: Coordinate(latitude: 0, longitude: 0)).isNaN)
    #expect(Coordinate(latitude: 91, longitude: 0).distance(to: Coordinate(latitude: 0, longitude: 0)).isNaN)
  }

  @Test(
    arguments: [
      (90, 180, true), (-90, -180, true), (90.000001, 0, false), (0, 180.000001, false), (.nan, 0, false),
      (0, .nan, false), (.infinity, 0, false), (0, -.infinity, false),
    ] as [(Double, Double, Bool)])
  func onlyPlacesOnEarthAreValid(_ latitude: Double, _ longitude: Double, _ isValid: Bool) {
    #expect(Coordinate(latitude: latitude, longitude: longitude).isValid == isValid)
  }
}

extension Coordinate {
  /// The point further round the Earth's axis.
  fileprivate func turned(by degrees: Double) -> Coordinate {
    var east = longitude + degrees
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    return Coordinate(latitude: latitude, longitude: east)
  }
}
