import FencelineGeodesy
import FencelineTestSupport
import Testing

struct AzimuthalPlaneTests {
  @Test func theCentreIsTheOrigin() {
    let plane = AzimuthalPlane(centre: Coordinate(latitude: 47.3769, longitude: 8.5417))
    let place = plane.project(plane.centre)
    #expect(place.distance == 0)
    #expect(place.east == 0 && place.north == 0)
  }

  @Test func directionsAreThoseOnTheGround() {
    let plane = AzimuthalPlane(centre: Coordinate(latitude: 10, longitude: 20))
    let east = plane.project(plane.centre.destination(azimuth: 90, distance: 1_000))
    #expect(abs(east.east - 1_000) < 1e-6 && abs(east.north) < 1e-6)
    let south = plane.project(plane.centre.destination(azimuth: 180, distance: 1_000))
    #expect(abs(south.north + 1_000) < 1e-6 && abs(south.east) < 1e-6)
  }

  @Test func everyPointComesBackFromThePlane() {
    forAll(seed: 10, count: 3_000) { random, seed in
      let plane = AzimuthalPlane(centre: random.coordinate())
      let point = random.coordinate()
      let place = plane.project(point)
      let back = plane.unproject(east: place.east, north: place.north)
      guard back.distance(to: point) < 0.001, place.distance == plane.centre.distance(to: point),
        abs((place.east * place.east + place.north * place.north).squareRoot() - place.distance) < 1e-6
      else {
        Issue.record("seed \(seed): \(plane.centre), \(point)")
        return
      }
    }
  }
}
