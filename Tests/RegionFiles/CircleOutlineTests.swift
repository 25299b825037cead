import FencelineGeodesy
import FencelineGeofencing
import FencelineTestSupport
import Testing

@testable import FencelineRegionFiles

struct CircleOutlineTests {
  @Test func cornersLieOnThePerimeterAndRingsAreClosedOnTheMap() {
    forAll(seed: 41, count: 400) { random, seed in
      let region = Region(id: "a", centre: random.coordinate(), radius: random.length(1...9_990_000))
      let rings = CircleOutline(region).rings
      guard (1...2).contains(rings.count) else {
        Issue.record("seed \(seed): \(rings.count) rings")
        return
      }
      for ring in rings {
        let isClosed = ring.count >= 4 && ring.first == ring.last && ring.allSatisfy(\.isValid)
        // Corners at the map's edge may be made by a cut.
        let onPerimeter = ring.allSatisfy { corner in
          abs(corner.longitude) == 180 || abs(corner.latitude) == 90
            || abs(region.centre.distance(to: corner) - region.radius) < 1e-3
        }
        guard isClosed, onPerimeter, area(ring) >= 0 else {
          Issue.record(
            "seed \(seed): \(region.centre) \(region.radius) closed \(isClosed) area \(area(ring))")
          return
        }
      }
    }
  }

  @Test func theInsideOnTheMapIsTheInsideOnTheGround() {
    forAll(seed: 42, count: 400) { random, seed in
      let region = Region(id: "a", centre: random.coordinate(), radius: random.length(10...9_990_000))
      let rings = CircleOutline(region).rings
      for _ in 0..<20 {
        let point = random.coordinate(within: min(2 * region.radius, 19_000_000), of: region.centre)
        let distance = region.centre.distance(to: point)
        // Lines between corners may be off by a thousandth; the map's own edges are in both halves.
        guard abs(distance - region.radius) > 0.0015 * region.radius, abs(point.longitude) < 179.999_999,
          abs(point.latitude) < 89.999_999
        else { continue }
        let isInside = rings.contains { holds($0, point) }
        guard isInside == (distance < region.radius) else {
          Issue.record("seed \(seed): \(region.centre) \(region.radius) \(point) \(distance) map \(isInside)")
          return
        }
      }
    }
  }

  @Test func circlesOfModerateSizeHaveNoMoreCornersThanTheyNeed() {
    let place = Coordinate(latitude: 47, longitude: 8)
    let small = CircleOutline(Region(id: "a", centre: place, radius: 100)).rings
    #expect(small.count == 1 && small[0].count == 91)
    let large = CircleOutline(Region(id: "a", centre: place, radius: 3_000_000)).rings
    #expect(large[0].count < 200)
  }

  /// Twice the area in square degrees, positive where the ring goes counterclockwise.
  private func area(_ ring: [Coordinate]) -> Double {
    var sum = 0.0
    guard let origin = ring.first else { return 0 }
    for (one, next) in zip(ring, ring.dropFirst()) {
      sum +=
        (one.longitude - origin.longitude) * (next.latitude - origin.latitude)
        - (next.longitude - origin.longitude) * (one.latitude - origin.latitude)
    }
    return sum
  }

  /// Whether a point lies in a ring, on a map in degrees.
  private func holds(_ ring: [Coordinate], _ point: Coordinate) -> Bool {
    var isInside = false
    for (one, next) in zip(ring, ring.dropFirst())
    where (one.latitude > point.latitude) != (next.latitude > point.latitude) {
      let part = (point.latitude - one.latitude) / (next.latitude - one.latitude)
      if point.longitude < one.longitude + part * (next.longitude - one.longitude) { isInside.toggle() }
    }
    return isInside
  }
}
