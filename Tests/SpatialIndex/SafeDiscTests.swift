import FencelineGeodesy
import FencelineSpatialIndex
import FencelineTestSupport
import Testing

struct SafeDiscTests {
  /// A disc is a lie if a perimeter is nearer than its radius, or if a place that it holds is farther away than that.
  @Test func noPerimeterIsNearerThanTheRadius() {
    forAll(seed: 31, count: 400) { random, seed in
      let country = Country(&random)
      let scan = LinearScan(Int.random(in: 0...200, using: &random), in: country, &random) {
        $0.chance(0.02) ? 20_000_000.0 : nil
      }
      let index = scan.index
      var found: [Slot] = []
      for _ in 0..<40 {
        let place = country.place(&random)
        let disc = index.circlesAndSafeDisc(holding: place, into: &found)
        guard disc.radius <= scan.distanceToPerimeter(from: place), disc.radius >= 0,
          found == scan.circles(holding: place), disc == index.safeDisc(at: place)
        else {
          Issue.record("seed \(seed): \(place): \(disc), \(scan.distanceToPerimeter(from: place))")
          return
        }
      }
    }
  }

  /// What a disc holds has the circles of its centre; moving exactly its radius in all directions, near poles and the antimeridian too.
  @Test func whatItHoldsIsInsideTheSameCircles() {
    var looked = 0
    forAll(seed: 32, count: 150) { random, seed in
      let country = Country(&random)
      let scan = LinearScan(100, in: country, &random)
      let index = scan.index
      let place = country.place(&random)
      var (before, after): ([Slot], [Slot]) = ([], [])
      let disc = index.circlesAndSafeDisc(holding: place, into: &before)
      guard disc.radius > 0 else { return }
      looked += 1
      for azimuth in 0..<360 {
        let share = azimuth.isMultiple(of: 2) ? 1 : random.uniform(0...1.2)
        let next = place.destination(azimuth: Double(azimuth), distance: disc.radius * share)
        index.circles(holding: next, into: &after)
        let isNear = place.distance(to: next) <= disc.radius
        guard !isNear || after == before, isNear || !disc.holds(next) else {
          Issue.record("seed \(seed): \(place), \(next), \(disc.radius), \(before), \(after)")
          return
        }
      }
    }
    #expect(looked > 120)
  }

  @Test func itNeverUnderestimatesADistance() {
    var held = 0
    forAll(seed: 33, count: 20_000) { random, seed in
      let centre = random.chance(0.3) ? Country(&random).clusters[0] : random.coordinate()
      let radius = random.length(0.1...1_000_000)
      let margin = random.chance(0.5) ? 0 : random.uniform(0...radius * 1.1)
      let place = centre.destination(
        azimuth: random.uniform(0...360), distance: random.uniform(0...radius * 1.2))
      let disc = SafeDisc(centre: centre, radius: radius)
      guard disc.holds(place, keeping: margin) else { return }
      held += 1
      if centre.distance(to: place) + margin > radius + 1e-6 {
        Issue.record("seed \(seed): \(centre), \(place), \(radius), \(margin)")
      }
    }
    #expect(held > 5_000)
  }

  /// Conservative, but not so much that nothing is gained: away from the poles 98 % of the radius is held.
  @Test func itHoldsNearlyAllOfItsRadius() {
    forAll(seed: 34, count: 2_000) { random, seed in
      let centre = Coordinate(latitude: random.uniform(-60...60), longitude: random.uniform(-170...170))
      let radius = random.length(1...20_000)
      let disc = SafeDisc(centre: centre, radius: radius)
      let place = centre.destination(azimuth: random.uniform(0...360), distance: radius * 0.98)
      guard disc.holds(place) else {
        Issue.record("seed \(seed): \(centre), \(radius)")
        return
      }
    }
  }

  @Test func oddPlacesAreNotHeld() {
    let centre = Coordinate(latitude: 10, longitude: 179.999)
    let disc = SafeDisc(centre: centre, radius: 10_000)
    #expect(disc.holds(centre))
    #expect(disc.holds(centre, keeping: 10_000))
    #expect(!disc.holds(centre, keeping: 10_000.1))
    #expect(!disc.holds(centre, keeping: .infinity))
    #expect(!disc.holds(centre, keeping: .nan))
    #expect(!disc.holds(Coordinate(latitude: 10, longitude: -179.999)))
    #expect(!disc.holds(Coordinate(latitude: .nan, longitude: 179.999)))
    #expect(!disc.holds(Coordinate(latitude: 10, longitude: .nan)))
    #expect(!disc.holds(Coordinate(latitude: .infinity, longitude: 0)))
  }

  @Test func withoutCirclesItIsEverywhere() {
    let disc = CircleIndex().safeDisc(at: Coordinate(latitude: 1, longitude: 2))
    #expect(disc.radius == .infinity)
    #expect(disc.holds(Coordinate(latitude: -80, longitude: 170), keeping: 1e9))
    #expect(!disc.holds(Coordinate(latitude: .nan, longitude: 170)))
  }

  /// The disc is worth something: of a lone circle in sight it reaches on average nine tenths of the way to the perimeter.
  @Test func itReachesFar() {
    var sum = 0.0
    let turns = 500
    forAll(seed: 35, count: turns) { random, _ in
      let centre = random.coordinate(within: 5_000_000, of: Coordinate(latitude: 20, longitude: 10))
      let index = CircleIndex([(slot: 0, centre: centre, radius: 500)])
      let place = random.coordinate(within: 50_000, of: centre)
      sum += index.safeDisc(at: place).radius / abs(centre.distance(to: place) - 500)
    }
    #expect(sum / Double(turns) > 0.9)
  }
}
