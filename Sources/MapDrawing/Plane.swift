/// A place in a picture, in pixels from its upper left corner.
struct Point: Hashable {
  var x: Double
  var y: Double

  func squaredDistance(to other: Point) -> Double {
    (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
  }

  /// The square of the distance to the nearest point of a segment.
  func squaredDistance(toSegmentFrom start: Point, to end: Point) -> Double {
    let (ex, ey) = (end.x - start.x, end.y - start.y)
    let length2 = ex * ex + ey * ey
    guard length2 > 0 else { return squaredDistance(to: start) }
    let u = min(1, max(0, ((x - start.x) * ex + (y - start.y) * ey) / length2))
    return squaredDistance(to: Point(x: start.x + u * ex, y: start.y + u * ey))
  }

  /// The point so far away in the direction of a unit vector.
  func moved(_ direction: Point, by length: Double) -> Point {
    Point(x: x + direction.x * length, y: y + direction.y * length)
  }

  /// The unit vector from here to another point; nil where that is the same.
  func direction(to other: Point) -> Point? {
    let length = squaredDistance(to: other).squareRoot()
    return length > 0 ? Point(x: (other.x - x) / length, y: (other.y - y) / length) : nil
  }
}

/// An upright rectangle of a picture, in pixels.
struct Box: Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// The box of a size round a point.
  init(centre: Point, width: Double, height: Double) {
    self.init(
      left: centre.x - width / 2, top: centre.y - height / 2, right: centre.x + width / 2,
      bottom: centre.y + height / 2)
  }

  var width: Double { right - left }
  var height: Double { bottom - top }
  var centre: Point { Point(x: (left + right) / 2, y: (top + bottom) / 2) }

  func expanded(by margin: Double) -> Box {
    Box(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  func contains(_ point: Point) -> Bool {
    point.x >= left && point.x <= right && point.y >= top && point.y <= bottom
  }

  func contains(_ other: Box) -> Bool {
    other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom
  }

  func intersects(_ other: Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  /// The nearest point of the box.
  func nearest(to point: Point) -> Point {
    Point(x: min(right, max(left, point.x)), y: min(bottom, max(top, point.y)))
  }
}

extension Box {
  /// What of a line lies in the box: each visit is a line of its own.
  ///
  /// - Source: Y.-D. Liang, B. Barsky, "A new concept and method for line clipping", ACM Transactions on Graphics 3 (1), 1984.
  func clipped(line: [Point]) -> [[Point]] {
    guard line.count > 1 else { return line.first.map { contains($0) ? [[$0]] : [] } ?? [] }
    var parts: [[Point]] = []
    var current: [Point] = []
    for (a, b) in zip(line, line.dropFirst()) {
      guard let (from, to) = range(of: a, b) else {
        if !current.isEmpty { parts.append(current) }
        current = []
        continue
      }
      let start = from == 0 ? a : Point(x: a.x + from * (b.x - a.x), y: a.y + from * (b.y - a.y))
      if current.isEmpty { current = [start] }
      current.append(to == 1 ? b : Point(x: a.x + to * (b.x - a.x), y: a.y + to * (b.y - a.y)))
      if to < 1 {
        parts.append(current)
        current = []
      }
    }
    if !current.isEmpty { parts.append(current) }
    return parts
  }

  /// From which to which part of itself, 0 to 1, a segment lies in the box; nil where it does nowhere.
  private func range(of a: Point, _ b: Point) -> (Double, Double)? {
    var (from, to) = (0.0, 1.0)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    for (step, room) in [(-dx, a.x - left), (dx, right - a.x), (-dy, a.y - top), (dy, bottom - a.y)] {
      if step == 0 {
        if room < 0 { return nil }
      } else if step < 0 {
        from = max(from, room / step)
      } else {
        to = min(to, room / step)
      }
    }
    return from <= to ? (from, to) : nil
  }

  /// What of a polygon lies in the box; where it leaves and comes back, the way goes along the edge.
  ///
  /// - Source: I. Sutherland, G. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17 (1), 1974.
  func clipped(polygon: [Point]) -> [Point] {
    var result = polygon
    for side in 0..<4 {
      let edge = [left, right, top, bottom][side]
      let sign = side % 2 == 0 ? 1.0 : -1.0
      func inside(_ point: Point) -> Double { sign * ((side < 2 ? point.x : point.y) - edge) }
      var next: [Point] = []
      guard var before = result.last else { return [] }
      for point in result {
        let (a, b) = (inside(before), inside(point))
        if (a < 0) != (b < 0) {
          let u = a / (a - b)
          next.append(Point(x: before.x + u * (point.x - before.x), y: before.y + u * (point.y - before.y)))
        }
        if b >= 0 { next.append(point) }
        before = point
      }
      result = next
    }
    return result
  }
}
