package import FencelineGeofencing

/// A crossing as the journal holds it.
package struct RecordedCrossing: Hashable, Sendable {
  /// Its run, and its number there, from 1.
  package var run: Int64
  package var sequence: Int64
  /// The title of its region.
  package var title: String?
  /// The crossing.
  package var crossing: Crossing
}
