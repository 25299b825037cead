package import FencelineCivilTime

/// What time it is, by both of the system's clocks.
package struct Moment: Hashable, Sendable {
  /// The time of day; it may be set.
  package var utc: Timestamp
  /// Milliseconds since the machine began, asleep or not; nobody sets it.
  package var boot: Int64
  /// Which beginning that was; empty where the system does not say.
  package var bootID: String

  /// A moment.
  package init(utc: Timestamp, boot: Int64, bootID: String) {
    self.utc = utc
    self.boot = boot
    self.bootID = bootID
  }
}
