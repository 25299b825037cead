import FencelinePositioning
import Glibc

/// Makes gpsd's estimates of the horizontal error the 68 % radius.
package struct GPSDErrors: Sendable {
  private let radiusPerSigma: Double

  /// - Parameter confidence: The probability with which gpsd's radius holds the true position; above 0, below 1.
  package init(confidence: Double) {
    radiusPerSigma =
      confidence == 0.95 ? Accuracy.radius95PerSigma : (-2 * log(1 - confidence)).squareRoot()
  }

  /// The 68 % radius.
  ///
  /// - Parameters:
  ///   - eph: The radius in metres; nil and NaN where there is none.
  ///   - epx: The error along the parallel in metres, for where there is no radius.
  ///   - epy: The error along the meridian in metres, likewise.
  /// - Returns: Metres; nil where gpsd gives none.
  package func accuracy(eph: Double?, epx: Double?, epy: Double?) -> Double? {
    if let eph, eph > 0, eph.isFinite { return Accuracy.fromSigma(eph / radiusPerSigma) }
    guard let epx, let epy, epx >= 0, epy >= 0, epx + epy > 0, (epx + epy).isFinite else { return nil }
    return Accuracy.fromSigma((epx * epx + epy * epy).squareRoot() / radiusPerSigma)
  }
}
