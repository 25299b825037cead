internal import CFencelineGeographic

extension Coordinate {
  /// The distance along the ellipsoid to `other`.
  ///
  /// - Parameter other: Any valid point.
  /// - Returns: Metres, 0 up to 20,003,931.5 (half a meridian); within 15 nm of the truth everywhere, antipodes included; NaN
  ///   if either point is not valid.
  /// - Source: C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87, 2013, as GeographicLib computes it.
  public func distance(to other: Coordinate) -> Double {
    fenceline_geodesic_inverse(latitude, longitude, other.latitude, other.longitude).metres
  }

  /// The direction in which the shortest path to `other` starts.
  ///
  /// - Parameter other: Any valid point.
  /// - Returns: Degrees clockwise from north, 0 up to 360; at a pole "north" is the direction away from the meridian of
  ///   this point's longitude. 180 for the point itself; one of the many for an exact antipode.
  /// - Source: As ``distance(to:)``.
  public func azimuth(to other: Coordinate) -> Double {
    let azimuth = fenceline_geodesic_inverse(latitude, longitude, other.latitude, other.longitude).azimuth
    return azimuth < 0 ? azimuth + 360 : azimuth
  }

  /// The point that lies `distance` metres away in the direction `azimuth`.
  ///
  /// - Parameters:
  ///   - azimuth: Degrees clockwise from north, any finite number.
  ///   - distance: Metres along the geodesic; a negative one goes the other way.
  /// - Returns: A point with its longitude in -180...180.
  /// - Source: As ``distance(to:)``.
  public func destination(azimuth: Double, distance: Double) -> Coordinate {
    let end = fenceline_geodesic_direct(latitude, longitude, azimuth, distance)
    return Coordinate(latitude: end.latitude, longitude: end.longitude)
  }
}

/// The azimuthal equidistant plane round a point: every other point at its true distance and direction from there.
///
/// A straight line in it is a geodesic only through the centre; elsewhere it departs from one by about L³ / R² for a
/// line of length L seen from a distance of that order (1 mm at 3 km).
public struct AzimuthalPlane: Hashable, Sendable {
  /// The point that lies at (0, 0).
  public let centre: Coordinate

  /// The plane round `centre`.
  public init(centre: Coordinate) {
    self.centre = centre
  }

  /// Where `point` lies in the plane.
  ///
  /// - Parameter point: Any valid point; an exact antipode has a place on the rim that is one of many.
  /// - Returns: Its place, with the geodesic distance from the centre.
  public func project(_ point: Coordinate) -> PlanePoint {
    let seen = fenceline_geodesic_inverse(
      centre.latitude, centre.longitude, point.latitude, point.longitude)
    return PlanePoint(east: seen.east, north: seen.north, distance: seen.metres)
  }

  /// The point on Earth that lies at a place of the plane.
  ///
  /// - Parameters:
  ///   - east: Metres to the east of the centre.
  ///   - north: Metres to the north of it.
  /// - Returns: A point with its longitude in -180...180.
  public func unproject(east: Double, north: Double) -> Coordinate {
    centre.destination(
      azimuth: fenceline_azimuth(east, north), distance: (east * east + north * north).squareRoot())
  }
}

/// A place in an ``AzimuthalPlane``.
public struct PlanePoint: Hashable, Sendable, Codable {
  /// Metres to the east of the centre.
  public var east: Double
  /// Metres to the north of it.
  public var north: Double
  /// Metres from it, along the geodesic.
  public var distance: Double

  /// A place at `east` and `north`, whose distance from the centre is known.
  public init(east: Double, north: Double, distance: Double) {
    self.east = east
    self.north = north
    self.distance = distance
  }
}
