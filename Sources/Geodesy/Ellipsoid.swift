/// The shape of the Earth: the ellipsoid of WGS 84.
///
/// Whatever angle σ lies between two places whose geodetic latitudes and longitudes are taken as on a sphere, the geodesic between
/// them is no shorter than σ times the smallest radius of curvature and no longer than σ times the largest: the length of
/// every line, M² dφ² + N² cos² φ dλ² summed up, is between those of the two spheres.
///
/// - Source: NGA.STND.0036, "Department of Defense World Geodetic System 1984", version 1.0.0, 2014, table 3.1.
public enum Ellipsoid: Sendable {
  /// Metres.
  @inlinable public static var equatorialRadius: Double { 6_378_137 }
  /// f (2 - f), where the flattening f is 1 / 298.257223563.
  @inlinable public static var squaredEccentricity: Double { 6.69437999014131699614e-3 }
  /// Metres, rounded down: the smallest radius of curvature, that along the meridian at the equator, a (1 - e²).
  @inlinable public static var smallestRadius: Double { 6_335_439.327292 }
  /// Metres, rounded up: the largest radius of curvature, that at the poles, a / √(1 - e²).
  @inlinable public static var largestRadius: Double { 6_399_593.625759 }
}
