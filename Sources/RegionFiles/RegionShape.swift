internal import FencelineGeodesy

/// What a file draws where a region is meant.
enum RegionShape {
  case point(Coordinate)
  /// The outlines of one area, in one piece or in several where it was cut at the antimeridian.
  case rings([[Coordinate]])
  /// Something else; a sentence says what.
  case none(String)

  /// The circle that the shape is.
  ///
  /// - Parameters:
  ///   - latitude: Degrees, where the entry says that its centre is; believed where its outline agrees.
  ///   - longitude: Likewise.
  ///   - radius: Metres, the entry's own radius, likewise.
  /// - Returns: The circle, without a radius where the shape has none; a problem where it is no circle.
  func circle(latitude: Double?, longitude: Double?, radius: Double?) -> Result<
    (centre: Coordinate, radius: Double?), RegionFileError
  > {
    switch self {
    case .point(let centre): return .success((centre, nil))
    case .none(let problem): return .failure(RegionFileError(.content, problem))
    case .rings(let rings):
      let corners = RegionShape.corners(rings)
      guard corners.allSatisfy(\.isValid) else {
        return .failure(.init(.content, "A corner of its outline is not on Earth."))
      }
      if let radius, let latitude, let longitude {
        let centre = Coordinate(latitude: latitude, longitude: longitude)
        if centre.isValid, corners.count >= CircleFit.fewestCorners,
          corners.allSatisfy({ abs(centre.distance(to: $0) - radius) <= CircleFit.tolerance * radius })
        {
          return .success((centre, radius))
        }
      }
      switch CircleFit.fit(corners) {
      case .failure(let problem): return .failure(problem)
      case .success(let circle):
        let agrees = radius.map { abs($0 - circle.radius) <= CircleFit.tolerance * circle.radius } ?? false
        return .success((circle.centre, agrees ? radius : circle.radius))
      }
    }
  }

  /// The corners of the outline itself, without those that only a cut at the antimeridian or a pole has made.
  private static func corners(_ rings: [[Coordinate]]) -> [Coordinate] {
    var all = rings.flatMap { ring in ring.count > 1 && ring.first == ring.last ? ring.dropLast() : ring[...]
    }
    if rings.count > 1 || all.contains(where: { abs($0.latitude) == 90 }) {
      all.removeAll { abs($0.longitude) == 180 || abs($0.latitude) == 90 }
    }
    return all
  }
}

/// The circle whose perimeter goes through points, as nearly as may be.
enum CircleFit {
  /// Fewer corners may be any polygon.
  static let fewestCorners = 8
  /// How far a corner may be from the perimeter, as a part of the radius: programs that draw circles on a sphere are wrong by up to
  /// 0.6 %, and by more where they round.
  static let tolerance = 0.02
  /// Degrees between neighbouring corners as seen from the centre: an arc alone is no circle.
  private static let widestGap = 60.0

  /// Fits a circle.
  ///
  /// - Parameter corners: Valid points.
  /// - Returns: Its centre and its radius in metres; a problem where the corners do not lie on a circle.
  /// - Source: I. Kåsa, IEEE Transactions on Instrumentation and Measurement 25 (1976), in the azimuthal plane round
  ///   the centre found before.
  static func fit(_ corners: [Coordinate]) -> Result<(centre: Coordinate, radius: Double), RegionFileError> {
    func refused(_ why: String) -> Result<(centre: Coordinate, radius: Double), RegionFileError> {
      .failure(.init(.content, "Its outline is not a circle: \(why). Only circles can be regions."))
    }
    guard corners.count >= fewestCorners else {
      return refused(corners.count == 1 ? "it has one corner" : "it has \(corners.count) corners")
    }
    var plane = AzimuthalPlane(centre: corners[0])
    for _ in 0..<50 {
      guard let shift = centre(of: corners.map(plane.project)) else {
        return refused("its corners lie on a line")
      }
      plane = AzimuthalPlane(centre: plane.unproject(east: shift.east, north: shift.north))
      if shift.distance < 1e-4 { break }
    }
    let seen = corners.map(plane.project)
    let radius = seen.map(\.distance).reduce(0, +) / Double(seen.count)
    let nearest = seen.map(\.distance).min() ?? 0
    let farthest = seen.map(\.distance).max() ?? 0
    guard nearest >= (1 - tolerance) * radius, farthest <= (1 + tolerance) * radius else {
      return refused("its corners are \(nearest.trimmed(0)) to \(farthest.trimmed(0)) m from its middle")
    }
    let directions = corners.map { plane.centre.azimuth(to: $0) }.sorted()
    var widest = (directions.first ?? 0) + 360 - (directions.last ?? 0)
    for (one, next) in zip(directions, directions.dropFirst()) { widest = max(widest, next - one) }
    guard widest <= widestGap else { return refused("it is open on one side") }
    return .success((plane.centre, radius))
  }

  /// The centre of the circle that fits points of a plane best; nil where they lie on a line.
  private static func centre(of points: [PlanePoint]) -> PlanePoint? {
    let count = Double(points.count)
    let meanEast = points.map(\.east).reduce(0, +) / count
    let meanNorth = points.map(\.north).reduce(0, +) / count
    var (uu, uv, vv, uw, vw) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let (u, v) = (point.east - meanEast, point.north - meanNorth)
      let square = u * u + v * v
      uu += u * u
      uv += u * v
      vv += v * v
      uw += u * square
      vw += v * square
    }
    let determinant = uu * vv - uv * uv
    guard determinant > 1e-12 * (uu + vv) * (uu + vv) else { return nil }
    let east = meanEast + (uw * vv - vw * uv) / (2 * determinant)
    let north = meanNorth + (vw * uu - uw * uv) / (2 * determinant)
    return PlanePoint(east: east, north: north, distance: (east * east + north * north).squareRoot())
  }
}
