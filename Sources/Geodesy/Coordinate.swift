/// A point on the WGS 84 ellipsoid, at height 0.
public struct Coordinate: Hashable, Sendable, Codable {
  /// Geodetic latitude in degrees, north positive.
  public var latitude: Double
  /// Longitude in degrees, east positive.
  public var longitude: Double

  /// The point at a latitude and longitude in degrees, which may be any numbers: ``isValid`` tells whether they are on Earth.
  @inlinable
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both are finite, the latitude is in -90...90 and the longitude in -180...180.
  @inlinable
  public var isValid: Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
  }
}
