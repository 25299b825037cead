public import FencelineGeofencing
public import FencelinePositioning

/// What is known of a device beside its regions.
public struct DeviceMemory: Hashable, Sendable {
  /// The last fix that counted.
  public var last: Fix
  /// What is held against it.
  public var suspects: FixFilter.Suspects?
  /// Milliseconds between its last fixes on one track.
  public var intervals: Intervals
  /// The best accuracies of its session.
  public var accuracies: BestAccuracies

  /// What is known of a device.
  public init(last: Fix, suspects: FixFilter.Suspects?, intervals: Intervals, accuracies: BestAccuracies) {
    self.last = last
    self.suspects = suspects
    self.intervals = intervals
    self.accuracies = accuracies
  }
}
