import FencelineGeodesy
import FencelineTestSupport
import Testing

@testable import FencelineRegionFiles

struct CircleFitTests {
  private let place = Coordinate(latitude: 47.3769, longitude: 8.5417)

  @Test func circlesAreFoundWhereverTheyAre() {
    forAll(seed: 51, count: 500) { random, seed in
      let centre = random.coordinate()
      let radius = random.length(5...5_000_000)
      let corners = Int.random(in: 8...128, using: &random)
      let start = random.uniform(0...360)
      let ring = (0..<corners).map { corner in
        centre.destination(azimuth: start + 360 * Double(corner) / Double(corners), distance: radius)
      }
      guard case .success(let found) = CircleFit.fit(ring), abs(found.radius - radius) < 1e-3 + 1e-6 * radius,
        found.centre.distance(to: centre) < 1e-3 + 1e-6 * radius
      else {
        Issue.record("seed \(seed): \(centre) \(radius) gives \(CircleFit.fit(ring))")
        return
      }
    }
  }

  @Test func circlesDrawnOnASphereAreFoundNearly() throws {
    // Metres per degree on the usual sphere, as many tools draw circles.
    let metres = 6_371_000 * Double.pi / 180
    let ring = (0..<36).map { corner -> Coordinate in
      let east = AzimuthalPlane(centre: Coordinate(latitude: 0, longitude: 0)).unproject(
        east: 500 * sine(10 * corner), north: 500 * sine(10 * corner + 90))
      return Coordinate(
        latitude: place.latitude + east.latitude * 110_574 / metres,
        longitude: place.longitude + east.longitude * 111_320 / metres / 0.677_17)
    }
    let found = try CircleFit.fit(ring).get()
    #expect(abs(found.radius - 500) < 5)
    #expect(found.centre.distance(to: place) < 1)
  }

  private func sine(_ degrees: Int) -> Double {
    AzimuthalPlane(centre: Coordinate(latitude: 0, longitude: 0)).project(
      Coordinate(latitude: 0, longitude: 0).destination(azimuth: Double(degrees), distance: 1)
    ).east
  }

  @Test func otherShapesAreRefused() {
    func message(_ places: [(east: Double, north: Double)]) -> String {
      let plane = AzimuthalPlane(centre: place)
      switch CircleFit.fit(places.map { plane.unproject(east: $0.east, north: $0.north) }) {
      case .success: return "a circle"
      case .failure(let problem): return problem.message
      }
    }
    let square = [(-100.0, -100.0), (100, -100), (100, 100), (-100, 100)]
    #expect(message(square) == "Its outline is not a circle: it has 4 corners. Only circles can be regions.")
    let steps = (0..<40).map { Double($0) }
    #expect(
      message(steps.map { ($0, 2 * $0) })
        == "Its outline is not a circle: its corners lie on a line. Only circles can be regions.")
    let ellipse = (0..<36).map { (200 * sine(10 * $0), 100 * sine(10 * $0 + 90)) }
    #expect(message(ellipse).hasPrefix("Its outline is not a circle: its corners are "))
    let arc = (0..<28).map { (100 * sine(10 * $0), 100 * sine(10 * $0 + 90)) }
    #expect(
      message(arc) == "Its outline is not a circle: it is open on one side. Only circles can be regions.")
  }
}
