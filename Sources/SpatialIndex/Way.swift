internal import FencelineGeodesy

/// A straight way between two points, and where on the charts circles near to it may be.
struct Way {
  let start: EarthPoint
  let end: EarthPoint
  /// Metres from the way; negative for the inner parts of circles.
  let reach: Double
  let length: Double

  /// Metres: longer ways, and farther reaches, are not looked up but compared with all circles.
  static let longest = 200_000.0

  init(from start: EarthPoint, to end: EarthPoint, reach: Double) {
    self.start = start
    self.end = end
    self.reach = reach
    length = start.squaredDistance(to: end).squareRoot()
  }

  var isShort: Bool { length <= Way.longest && reach <= Way.longest }

  var middle: EarthPoint {
    EarthPoint(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2, z: (start.z + end.z) / 2)
  }

  /// Whether a ball comes within reach; a centimetre covers centres that are rounded to units.
  @inline(__always)
  func meets(_ centre: EarthPoint, radius: Double) -> Bool {
    let limit = radius + reach + 0.01
    return limit >= 0 && centre.squaredDistance(toSegmentFrom: start, to: end) <= limit * limit
  }

  /// The rectangles on the charts that hold every place within reach of the way over the ground; for a short way.
  ///
  /// That way departs from the chord by at most L² / 8R, and from the rectangle of its ends by tan φ times that: 3 up to 71°, and
  /// beyond 69.3° neither it nor what it reaches is in the band any more. Two metres are for the angles' errors.
  func forEachFootprint(_ body: (Footprint, Chart) -> Void) {
    let depth = length * length / (8 * Ellipsoid.smallestRadius)
    let pad = (max(0, reach) + 4 * depth + 2) / Ellipsoid.smallestRadius
    let (a, b) = (Way.angles(start), Way.angles(end))
    let low = min(a.latitude, b.latitude) - pad
    let high = max(a.latitude, b.latitude) + pad
    let edge = Chart.edge * (Double.pi / 180)
    if low <= edge, high >= -edge { body(band(a, b, low, high, pad), .band) }
    guard high >= edge || low <= -edge else { return }
    let half = GridPlace.unitsPerMetre * (pad * Ellipsoid.smallestRadius)
    let footprint = Footprint(
      around: GridPlace(cap: middle), halfU: abs(end.x - start.x) / 2 * GridPlace.unitsPerMetre + half,
      halfV: abs(end.y - start.y) / 2 * GridPlace.unitsPerMetre + half)
    if high >= edge { body(footprint, .north) }
    if low <= -edge { body(footprint, .south) }
  }

  private func band(
    _ a: (latitude: Double, longitude: Double), _ b: (latitude: Double, longitude: Double), _ low: Double,
    _ high: Double, _ pad: Double
  ) -> Footprint {
    var turn = b.longitude - a.longitude
    if turn > .pi { turn -= 2 * .pi }
    if turn < -.pi { turn += 2 * .pi }
    let cosine = sineAndCosine(degrees: max(-low, high) * (180 / Double.pi)).cosine
    let degrees = 180 / Double.pi
    let middle = Coordinate(
      latitude: (low + high) / 2 * degrees, longitude: (a.longitude + turn / 2) * degrees)
    // Where the band's edge is within reach the cosine is still above 0.3.
    let half = cosine > 0.1 ? abs(turn) / 2 + pad / cosine : 4
    return Footprint(
      around: GridPlace(band: middle), halfU: half * GridPlace.unitsPerRadian,
      halfV: (high - low) / 2 * GridPlace.unitsPerRadian)
  }

  /// Geodetic latitude and longitude of a point of the surface, in radians, within 0.2 m.
  private static func angles(_ point: EarthPoint) -> (latitude: Double, longitude: Double) {
    let fromAxis = (point.x * point.x + point.y * point.y).squareRoot()
    return (angle(point.z, fromAxis * (1 - Ellipsoid.squaredEccentricity)), angle(point.y, point.x))
  }

  /// The angle of (x, y) from the x axis, within 2e-8.
  ///
  /// - Source: Chebyshev fit over x² in 0...1 of atan(x)/x, 9 terms: mpmath's `chebyfit(f, [0, 1], 9)`.
  private static func angle(_ y: Double, _ x: Double) -> Double {
    let (ax, ay) = (abs(x), abs(y))
    let ratio = max(ax, ay) > 0 ? min(ax, ay) / max(ax, ay) : 0
    let t = ratio * ratio
    var series = 0.002766283501762026
    for coefficient in coefficients { series = series * t + coefficient }
    var angle = series * ratio
    if ay > ax { angle = .pi / 2 - angle }
    if x < 0 { angle = .pi - angle }
    return y < 0 ? -angle : angle
  }

  private static let coefficients = [
    -0.01573124912218365, 0.04213762358919304, -0.07456854826004547, 0.10618370636953849,
    -0.14197797794085124, 0.19991872029109073, -0.33333036709286273, 0.9999999817886557,
  ]
}
