public import FencelineCivilTime

/// One of the times at which a request is due.
public struct Occurrence: Hashable, Sendable {
  /// Tells it from all others of the request, also when clocks are set: of an interval how many have passed, of a calendar rule the
  /// instant in milliseconds.
  public var key: Int64
  /// When it is due.
  public var at: Timestamp

  /// An occurrence.
  public init(key: Int64, at: Timestamp) {
    self.key = key
    self.at = at
  }
}
