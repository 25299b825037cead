public import FencelineGeodesy

/// A place and how far one may go from there without meeting a perimeter.
///
/// ```swift
/// let disc = index.safeDisc(at: here)
/// if disc.holds(next) { /* inside the same circles as at `here`, all the way to `next` */ }
/// ```
///
/// It holds until the index is changed.
public struct SafeDisc: Hashable, Sendable {
  /// Metres on the ground, 0 or more: no perimeter is nearer to the disc's centre.
  public let radius: Double
  @usableFromInline let centre: Coordinate
  /// Metres, never too few, for a degree of latitude, and for one of longitude anywhere in the disc.
  @usableFromInline let north: Double
  @usableFromInline let east: Double

  /// The disc round a place.
  ///
  /// - Parameters:
  ///   - centre: A valid coordinate.
  ///   - radius: Metres, 0 or more; infinite where there is no perimeter at all.
  public init(centre: Coordinate, radius: Double) {
    self.centre = centre
    self.radius = radius
    // Within the disc the cosine of the latitude grows by less than the angle that the radius spans.
    let cosine = sineAndCosine(degrees: centre.latitude).cosine + radius / Ellipsoid.smallestRadius
    north = Ellipsoid.largestRadius * (1 + 1e-12) * (Double.pi / 180)
    east = north * min(1, cosine)
  }

  /// Whether a place is surely so near to the centre that `margin` metres remain.
  ///
  /// The distance that it reckons with, √((Δφ M)² + (Δλ N cos φ)²) with the largest M and N of the ellipsoid and the largest cosine of
  /// the disc, is the length of a line on the ground of the largest sphere, hence never shorter than the geodesic: a place that is held
  /// is near enough; one at 99 % of the radius may not be held.
  ///
  /// - Parameters:
  ///   - place: Any coordinate; one beyond the antimeridian, or one that is not a number, is not held.
  ///   - margin: Metres, 0 or more.
  /// - Returns: Whether distance and margin together are at most the radius.
  @inlinable
  public func holds(_ place: Coordinate, keeping margin: Double = 0) -> Bool {
    let dy = (place.latitude - centre.latitude) * north
    let dx = (place.longitude - centre.longitude) * east
    let room = radius - margin
    return room >= 0 && dx * dx + dy * dy <= room * room
  }
}
