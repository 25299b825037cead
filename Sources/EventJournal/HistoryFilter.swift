package import FencelineCivilTime
package import FencelineGeofencing

/// Which part of history is wanted.
package struct HistoryFilter: Hashable, Sendable {
  /// One run; every run where nil.
  package var run: Int64?
  /// A glob for identifiers of regions.
  package var region: String?
  /// A glob for devices.
  package var device: String?
  /// Kinds of crossings; every kind where empty.
  package var kinds: [Crossing.Kind] = []
  /// The earliest time that the perimeter was met, or a visit still went on; an open one goes on up to its run's last fix.
  package var since: Timestamp?
  /// The time before which the perimeter was met, or a visit began.
  package var until: Timestamp?
  /// How many at most, the latest ones.
  package var limit: Int?

  /// Everything.
  package init() {}
}
