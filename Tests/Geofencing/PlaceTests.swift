import FencelineCivilTime
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

/// Regions where coordinates have their edges, and receivers that stand still.
struct PlaceTests {
  @Test(
    arguments: [
      (0, 180), (0, -180), (-16.8, 179.9999), (65, -179.9999), (90, 0), (-90, 0), (89.9999, 10),
      (-89.9999, -170), (0, 0),
      (0.0001, -0.0001), (47.3769, 8.5417),
    ] as [(Double, Double)])
  func aWayThroughIsTheSameEverywhere(_ latitude: Double, _ longitude: Double) {
    let region = Region(id: "r", centre: Coordinate(latitude: latitude, longitude: longitude), radius: 100)
    let plane = AzimuthalPlane(centre: region.centre)
    for bearing in 0..<12 {
      let (east, north) = ([0.0, 1, 2, 0, -3, 1][bearing % 6], [1.0, 0, 1, -1, 1, -2][bearing % 6])
      let length = (east * east + north * north).squareRoot()
      let fixes = (0...120).map { second in
        let way = Double(second) * 5 - 302
        return Fix(
          time: Timestamp(milliseconds: Int64(second) * 1000),
          coordinate: plane.unproject(east: way * east / length + 0.01, north: way * north / length),
          accuracy: 3)
      }
      let told = crossings(fixes, [region]).map {
        "\($0.kind) \(Scene.tenths($0.at)) \(Scene.tenths($0.confirmedAt))"
      }
      #expect(told == ["entry 40.4 43", "exit 80.4 101"])
    }
  }

  @Test func largeRegionsAreCircles() {
    for radius in [1e5, 1e6, 1e7] {
      var region = Region(id: "r", centre: Coordinate(latitude: 40, longitude: -170), radius: radius)
      region.profile = .exact
      for azimuth in stride(from: 5.0, to: 360, by: 40) {
        let fixes = [radius - 500, radius + 500, radius - 500].enumerated().map { place, distance in
          Fix(
            time: Timestamp(milliseconds: Int64(place) * 10_000),
            coordinate: region.centre.destination(azimuth: azimuth, distance: distance))
        }
        let found = crossings(fixes, [region])
        #expect(found.map(\.kind) == [.exit, .entry])
        #expect(found.map(\.at.milliseconds) == [5_000, 15_000])
      }
    }
  }

  @Test(arguments: [Profile.balanced, .steady])
  func aParkedReceiverIsSilent(_ profile: Profile) {
    // 10,000 s at rest, in every distance from the middle; the error wanders with a sigma of 3 m and is given as 5 m.
    for distance in stride(from: 0.0, through: 200, by: 10) {
      var random = SplitMix64(seed: 27 + UInt64(distance))
      var region = Region(id: "r", centre: Scene.centre, radius: 100)
      region.profile = profile
      var (east, north) = (0.0, 0.0)
      let fixes = (0..<10_000).map { second in
        (east, north) = (0.98 * east + 0.6 * random.normal(), 0.98 * north + 0.6 * random.normal())
        return Scene.Report(Double(second), distance + north, east: east, accuracy: 7.55).fix
      }
      #expect(crossings(fixes, [region]).count <= 1, "\(distance) m")
    }
  }

  @Test func noiseInsideTheBandIsSilent() {
    forAll(seed: 28, count: 100) { random, seed in
      let profile: Profile = random.chance(0.5) ? .balanced : .steady
      let scene = Scene(profile, radius: random.length(30...2_000))
      let margin = profile.exitMargin(radius: scene.region.radius)
      let start = random.chance(0.5) ? 0 : 3 * scene.region.radius + 100
      var reports = (0..<60).map { Scene.Report(Double($0), start) }
      for second in 60..<600 {
        reports.append(
          .init(Double(second), scene.region.radius + random.uniform(-1.9...margin + 5.9), accuracy: 3))
      }
      let told = scene.told(reports, maxSpeed: 10_000)
      guard told.allSatisfy({ $0.hasPrefix("began") }), told.isEmpty == (start > 0) else {
        Issue.record("seed \(seed): \(told)")
        return
      }
    }
  }
}
