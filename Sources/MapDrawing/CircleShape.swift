internal import FencelineGeodesy

/// What a geodesic circle looks like in a map.
enum CircleShape {
  /// Nothing of it is in the map.
  case elsewhere
  /// All of the map is inside.
  case everywhere
  /// A circle, to a third of a pixel.
  case round(Point, radius: Double)
  /// A closed line; only what lies in the map is exact.
  case line([Point])
  /// The same of a circle that holds the antipode of the middle: inside is what the line does not surround.
  case inverted([[Point]])

  /// The largest circle in pixels that renderers are trusted with.
  private static let largestRound = 4_000.0
  /// The radius in pixels below which no shape can be seen, be it drawn out threefold as far from the middle as it may be.
  private static let smallestShape = 0.3

  /// The circle of a region.
  init(_ centre: Coordinate, _ radius: Double, in frame: Frame) {
    let middle = frame.plane.project(centre)
    let place = frame.place(middle)
    let pixels = radius * frame.scale
    let isLocal = middle.distance + radius < 3_000_000
    let nearest = frame.area.nearest(to: place)
    if isLocal, nearest.squaredDistance(to: place).squareRoot() > 1.05 * pixels + 4 {
      self = .elsewhere
      return
    }
    if pixels < CircleShape.smallestShape, middle.distance < View.rim * 0.75 {
      self = nearest == place ? .round(place, radius: pixels) : .elsewhere
      return
    }
    let line = CircleLine(frame, centre, radius)
    let eight = (0..<8).map { line.place(Double($0) * 45) }
    if pixels < CircleShape.largestRound, isLocal {
      let x = eight.reduce(0) { $0 + $1.x } / 8
      let y = eight.reduce(0) { $0 + $1.y } / 8
      let own = Point(x: x, y: y)
      let distances = eight.map { own.squaredDistance(to: $0).squareRoot() }
      let mean = distances.reduce(0, +) / 8
      if distances.allSatisfy({ abs($0 - mean) < 1 / 3.0 }) {
        self =
          frame.area.nearest(to: own).squaredDistance(to: own).squareRoot() > mean + 2
          ? .elsewhere
          : CircleShape.farthestCorner(of: frame.area, from: own) < mean
            ? .everywhere : .round(own, radius: mean)
        return
      }
    }
    let points = line.points()
    let antipode = Coordinate(
      latitude: -frame.plane.centre.latitude,
      longitude: frame.plane.centre.longitude + (frame.plane.centre.longitude > 0 ? -180 : 180))
    if antipode.distance(to: centre) <= radius {
      self = .inverted(CircleShape.cut(points, at: View.rim * frame.scale / 2))
      return
    }
    let seen = frame.area.clipped(line: points)
    if !seen.isEmpty {
      self = .line(points)
    } else {
      self = frame.middle.distance(to: centre) <= radius ? .everywhere : .elsewhere
    }
  }

  private static func farthestCorner(of box: Box, from point: Point) -> Double {
    let dx = max(abs(point.x - box.left), abs(point.x - box.right))
    let dy = max(abs(point.y - box.top), abs(point.y - box.bottom))
    return (dx * dx + dy * dy).squareRoot()
  }

  private static func cut(_ points: [Point], at length: Double) -> [[Point]] {
    var parts: [[Point]] = [[]]
    for point in points {
      if let last = parts[parts.count - 1].last, last.squaredDistance(to: point) > length * length {
        parts.append([])
      }
      parts[parts.count - 1].append(point)
    }
    return parts
  }
}

/// The points of a geodesic circle, as many as are needed where it can be seen.
private struct CircleLine {
  let frame: Frame
  let centre: Coordinate
  let radius: Double
  private let seen: Box

  init(_ frame: Frame, _ centre: Coordinate, _ radius: Double) {
    self.frame = frame
    self.centre = centre
    self.radius = radius
    seen = frame.area.expanded(by: 20)
  }

  func place(_ azimuth: Double) -> Point {
    frame.place(centre.destination(azimuth: azimuth, distance: radius))
  }

  /// A closed line, its first point at the end again.
  func points() -> [Point] {
    let count = 64
    var result = [place(0)]
    for number in 0..<count {
      let (from, to) = (Double(number) * 360 / Double(count), Double(number + 1) * 360 / Double(count))
      let end = number + 1 == count ? result[0] : place(to)
      refine(from, result[result.count - 1], to, end, 24, into: &result)
      result.append(end)
    }
    return result
  }

  /// Adds the points between two, halving the arc as long as its middle is seen to leave the straight line.
  private func refine(
    _ from: Double, _ a: Point, _ to: Double, _ b: Point, _ depth: Int, into result: inout [Point]
  ) {
    let azimuth = (from + to) / 2
    let middle = place(azimuth)
    let bend = middle.squaredDistance(toSegmentFrom: a, to: b).squareRoot()
    guard depth > 0, bend > 0.2 else { return }
    // The arc lies within the box of the three points, widened by what it may still bend.
    let box = Box(
      left: min(a.x, b.x, middle.x), top: min(a.y, b.y, middle.y), right: max(a.x, b.x, middle.x),
      bottom: max(a.y, b.y, middle.y)
    ).expanded(by: bend)
    guard box.intersects(seen) else { return }
    refine(from, a, azimuth, middle, depth - 1, into: &result)
    result.append(middle)
    refine(azimuth, middle, to, b, depth - 1, into: &result)
  }
}
