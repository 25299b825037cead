internal import FencelineGeodesy

/// A circle as the trie tests it: a ball in space round the centre.
///
/// What distinguishes a chord from a geodesic within the circle, the rounding to units and that of single precision are
/// all in its radius: a point that it does not hold is outside the circle, one within ``inner(_:)`` is inside, and
/// only between does the geodesic decide.
struct Candidate {
  var slot: CircleIndex.Slot
  var centre: FinePoint
  /// Units of ``FinePoint``.
  var reach: Int32

  /// Metres: larger circles are not in the trie, as the bounds below were not made for them.
  static let largestRadius = 1_000_000.0
  /// Which part of the chord the reach is larger by.
  static let allowance = 1e-5
  /// Twice the units that it is larger by besides.
  static let slack = 8.0

  /// What unused lanes hold.
  static let none = Candidate(slot: -1, centre: FinePoint(x: 0, y: 0, z: 0), reach: 0)

  /// Within how many units a point surely is inside: twice the allowance less than the reach.
  @inline(__always)
  static func inner(_ reach: Double) -> Double {
    reach * (1 - 2 * allowance) - slack
  }
}

extension Candidate {
  /// The chord of a geodesic of r metres is 2 R sin(r / 2R) within 7e-18 r³ metres, where R² = M N, the product of the radii of
  /// curvature at the circle's centre (the difference is that of the curvatures of the directions, (1/M² - 1/N²) r³ / 24 at most):
  /// 7e-6 of r for the largest. A hundred-thousandth and three units cover this, the two roundings to units (√3), and
  /// single precision (4e-7).
  ///
  /// - Source: The series of the normal sections' curvature (Euler) in that of the chord; see the tests for how tight it is.
  init(_ slot: CircleIndex.Slot, _ record: Record, _ point: EarthPoint, sine: Double) {
    self.slot = slot
    centre = FinePoint(point)
    let curvature =
      (1 - Ellipsoid.squaredEccentricity * (sine * sine))
      * (1 / (Ellipsoid.equatorialRadius * 0.996647189335))
    let ratio = record.radius * curvature
    let q = ratio * ratio
    // The series of the sine; what is left out is below 4e-15 of it.
    let chord = record.radius * (1 - q * (1 / 24.0 - q * (1 / 1920.0 - q * (1 / 322_560.0))))
    reach = Int32(chord * (FinePoint.unitsPerMetre * (1 + Candidate.allowance)) + Candidate.slack / 2)
  }
}
