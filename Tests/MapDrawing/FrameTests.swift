import FencelineGeodesy
import FencelineTestSupport
import Testing

@testable import FencelineMapDrawing

@Suite("View and frame") struct FrameTests {
  private func frame(_ places: [Coordinate]) -> Frame {
    Frame(View(of: places), left: 16, top: 60, width: 928)
  }

  @Test func everythingIsInTheMapAndTheMiddleIsTrue() {
    var failures: [UInt64] = []
    forAll(seed: 21, count: 150) { random, seed in
      let middle = random.coordinate()
      let reach = random.length(10...3_000_000)
      let places = (0..<30).map { _ in random.coordinate(within: reach, of: middle) }
      let frame = frame(places)
      let isSeen = places.allSatisfy { frame.area.expanded(by: -39).contains(frame.place($0)) }
      // A short way from the middle of the map is as long as the scale says, north is up and east is right.
      let centre = frame.place(frame.middle)
      let isCentred = centre.squaredDistance(to: frame.area.centre) < 0.01
      let metres = 50 / frame.scale
      var isTrue = true
      for (azimuth, x, y) in [(0.0, 0.0, -50.0), (90, 50, 0), (180, 0, 50)] where reach < 1_000_000 {
        // Near a pole "north" turns under the feet; the test asks it of the rest of the world.
        guard abs(frame.middle.latitude) < 80 else { continue }
        let end = frame.place(frame.middle.destination(azimuth: azimuth, distance: metres))
        if abs(end.x - centre.x - x) > 0.8 || abs(end.y - centre.y - y) > 0.8 { isTrue = false }
      }
      if !isSeen || !isCentred || !isTrue { failures.append(seed) }
    }
    #expect(failures == [])
  }

  @Test func theAntimeridianIsNoSeam() {
    let places = stride(from: 178.0, through: 182, by: 0.1).map {
      Coordinate(latitude: -17, longitude: $0 > 180 ? $0 - 360 : $0)
    }
    let frame = frame(places)
    let line = frame.lines(places)
    #expect(line.count == 1)
    let points = places.map(frame.place)
    #expect(zip(points, points.dropFirst()).allSatisfy { $1.x > $0.x && $1.x - $0.x < 30 })
  }

  @Test func aLineOverThePoleIsStraight() {
    let places =
      [89.5, 89.7, 89.9].map { Coordinate(latitude: $0, longitude: 30) }
      + [89.9, 89.7, 89.5].map { Coordinate(latitude: $0, longitude: -150) }
    let frame = frame(places)
    #expect(frame.lines(places).map(\.count) == [2])
  }

  @Test func placesAllOverTheWorldAreAllSeen() {
    let round = stride(from: -180.0, to: 180, by: 5).map { Coordinate(latitude: 0, longitude: $0) }
    let frame = frame(round)
    #expect(abs(frame.middle.latitude) == 90)
    #expect(round.allSatisfy { frame.area.contains(frame.place($0)) })
    // Nothing is drawn right across the world where the line passes by the antipode.
    let far = frame.plane.centre
    let antipode = Coordinate(latitude: -far.latitude, longitude: 0)
    let way = stride(from: -40.0, through: 40, by: 1).map {
      Coordinate(
        latitude: antipode.latitude + ($0 < 0 ? -$0 : $0) * (far.latitude > 0 ? 0.1 : -0.1),
        longitude: $0 < 0 ? 0 : 170)
    }
    #expect(frame.lines(way).count == 2)
  }

  @Test func aSinglePlaceIsShown() {
    let frame = frame([Coordinate(latitude: 90, longitude: 0)])
    #expect(frame.area.contains(frame.place(Coordinate(latitude: 90, longitude: 0))))
    #expect(frame.scale.isFinite && frame.scale > 0)
  }

  @Test func longWaysAreGeodesics() {
    // From San Francisco to Tokyo the shortest way leads far north of the parallel.
    let (a, b) = (Coordinate(latitude: 37.6, longitude: -122.4), Coordinate(latitude: 35.6, longitude: 139.8))
    let frame = frame([a, b, Coordinate(latitude: 0, longitude: -170)])
    let half = a.destination(azimuth: a.azimuth(to: b), distance: a.distance(to: b) / 2)
    let line = frame.lines([a, b]).flatMap(\.self)
    let nearest = zip(line, line.dropFirst()).map {
      frame.place(half).squaredDistance(toSegmentFrom: $0, to: $1)
    }.min()
    #expect(half.latitude > 45)
    #expect(nearest.map { $0 < 1 } == true)
  }
}

@Suite("Circles") struct CircleShapeTests {
  /// Points of the true circle that lie in the map, compared with what is drawn.
  private func error(_ centre: Coordinate, _ radius: Double, _ frame: Frame) -> Double {
    let outline: (Point) -> Double
    switch CircleShape(centre, radius, in: frame) {
    case .elsewhere, .everywhere: outline = { _ in .infinity }
    case .round(let middle, let r): outline = { abs(middle.squaredDistance(to: $0).squareRoot() - r) }
    case .line(let points):
      outline = { point in
        zip(points, points.dropFirst()).map { point.squaredDistance(toSegmentFrom: $0, to: $1) }.min()?
          .squareRoot() ?? .infinity
      }
    case .inverted(let parts):
      outline = { point in
        parts.flatMap { zip($0, $0.dropFirst()) }.map { point.squaredDistance(toSegmentFrom: $0, to: $1) }
          .min()?.squareRoot() ?? .infinity
      }
    }
    var worst = 0.0
    // Densely enough that some points lie in the map wherever the perimeter does.
    for step in 0..<7_200 {
      let point = frame.place(centre.destination(azimuth: Double(step) / 20, distance: radius))
      if frame.area.contains(point) { worst = max(worst, outline(point)) }
    }
    return worst
  }

  @Test func whatIsSeenOfACircleIsRightToHalfAPixel() {
    var failures: [String] = []
    forAll(seed: 31, count: 60) { random, seed in
      let middle = random.coordinate()
      let reach = random.length(100...2_000_000)
      let frame = Frame(
        View(of: (0..<12).map { _ in random.coordinate(within: reach, of: middle) }), left: 0, top: 0,
        width: 900)
      let centre = random.coordinate(within: 2 * reach, of: middle)
      let radius = random.length(max(1, 5 / frame.scale)...max(2, 4 * reach))
      let error = error(centre, radius, frame)
      if !(error < 0.5) { failures.append("seed \(seed): \(error)") }
    }
    #expect(failures == [])
  }

  @Test func aHugeCircleRoundACityIsEverywhereOrElsewhere() {
    let city = Coordinate(latitude: 47.4, longitude: 8.5)
    let frame = Frame(
      View(of: [city, city.destination(azimuth: 45, distance: 5_000)]), left: 0, top: 0, width: 900)
    guard
      case .everywhere = CircleShape(city.destination(azimuth: 10, distance: 400_000), 1_000_000, in: frame)
    else {
      Issue.record("inside the perimeter")
      return
    }
    guard
      case .elsewhere = CircleShape(city.destination(azimuth: 10, distance: 1_400_000), 1_000_000, in: frame)
    else {
      Issue.record("outside the perimeter")
      return
    }
    guard
      case .line(let points) = CircleShape(
        city.destination(azimuth: 10, distance: 1_002_000), 1_000_000, in: frame)
    else {
      Issue.record("on the perimeter")
      return
    }
    #expect(points.count < 400)
  }
}

@Suite("Clipping") struct ClippingTests {
  private let box = Box(left: 0, top: 0, right: 100, bottom: 100)

  @Test func whatIsLeftOfALineIsThePartInside() {
    var failures: [UInt64] = []
    forAll(seed: 41, count: 300) { random, seed in
      let line = (0..<20).map { _ in Point(x: random.uniform(-100...200), y: random.uniform(-100...200)) }
      let parts = box.clipped(line: line)
      let isInside = parts.joined().allSatisfy { box.expanded(by: 1e-9).contains($0) }
      // Sampled densely, the length inside is that of the parts.
      var inside = 0.0
      for (a, b) in zip(line, line.dropFirst()) {
        let length = a.squaredDistance(to: b).squareRoot()
        for step in 0..<400 {
          let u = (Double(step) + 0.5) / 400
          if box.contains(Point(x: a.x + u * (b.x - a.x), y: a.y + u * (b.y - a.y))) {
            inside += length / 400
          }
        }
      }
      let kept = parts.reduce(0) { sum, part in
        sum + zip(part, part.dropFirst()).reduce(0) { $0 + $1.0.squaredDistance(to: $1.1).squareRoot() }
      }
      if !isInside || abs(kept - inside) > 20 { failures.append(seed) }
    }
    #expect(failures == [])
  }

  @Test func aPolygonRoundTheBoxBecomesTheBox() {
    let round = [(-50.0, -50.0), (150, -50), (150, 150), (-50, 150)].map { Point(x: $0.0, y: $0.1) }
    #expect(
      Set(box.clipped(polygon: round))
        == Set([(0.0, 0.0), (100, 0), (100, 100), (0, 100)].map { Point(x: $0.0, y: $0.1) }))
    #expect(box.clipped(polygon: round.map { Point(x: $0.x + 400, y: $0.y) }).isEmpty)
  }
}
