/// A point in space, in metres from the Earth's centre.
///
/// Straight lines between points of the surface are never longer than geodesics, so what is too far in space is too far on
/// the ground: no case for poles or the antimeridian is needed to rule a circle out.
public struct EarthPoint: Hashable, Sendable {
  /// Metres towards latitude 0, longitude 0.
  public var x: Double
  /// Metres towards latitude 0, longitude 90.
  public var y: Double
  /// Metres towards the north pole.
  public var z: Double

  /// The point at three coordinates in metres.
  @inlinable
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The place of a valid point of the ellipsoid, within 4 nm.
  ///
  /// The same to the last bit on every machine.
  @inlinable
  public init(_ coordinate: Coordinate) {
    let (sines, cosines) = sinesAndCosines(degrees: SIMD2(coordinate.latitude, coordinate.longitude))
    self.init(sines: sines, cosines: cosines)
  }

  /// The place of a point whose latitude and longitude are known by their sines and cosines, in this order; as ``init(_:)``.
  @inlinable
  public init(sines: SIMD2<Double>, cosines: SIMD2<Double>) {
    // The radius of curvature across the meridian.
    let across =
      Ellipsoid.equatorialRadius / (1 - Ellipsoid.squaredEccentricity * (sines.x * sines.x)).squareRoot()
    let fromAxis = across * cosines.x
    self.init(
      x: fromAxis * cosines.y, y: fromAxis * sines.y,
      z: across * (1 - Ellipsoid.squaredEccentricity) * sines.x)
  }

  /// The square of the straight distance to `other`, in square metres.
  ///
  /// - Parameter other: Any point.
  /// - Returns: 0 or more.
  @inlinable
  public func squaredDistance(to other: EarthPoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// The square of the straight distance to the nearest point of a straight segment, in square metres.
  ///
  /// - Parameters:
  ///   - start: One end of the segment.
  ///   - end: The other end; may be the same point.
  /// - Returns: 0 or more.
  @inlinable
  public func squaredDistance(toSegmentFrom start: EarthPoint, to end: EarthPoint) -> Double {
    let (ex, ey, ez) = (end.x - start.x, end.y - start.y, end.z - start.z)
    let length2 = ex * ex + ey * ey + ez * ez
    guard length2 > 0 else { return squaredDistance(to: start) }
    let along = ((x - start.x) * ex + (y - start.y) * ey + (z - start.z) * ez) / length2
    let u = min(1, max(0, along))
    return squaredDistance(to: EarthPoint(x: start.x + u * ex, y: start.y + u * ey, z: start.z + u * ez))
  }
}
