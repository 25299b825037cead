public import FencelineCivilTime

/// When clocks show what is asked for.
public struct CalendarTrigger: Hashable, Sendable {
  /// Whose clocks.
  public enum Zone: Hashable, Sendable {
    /// Those of wherever the device is.
    case floating
    /// Those of one zone, by its name.
    case fixed(String)
  }

  /// What is asked for.
  public var rule: CalendarRule
  /// Whose clocks.
  public var zone: Zone
  /// Whether it goes on after the first time.
  public var repeats: Bool
  /// The first instant that counts; nil is that of the request.
  public var start: Timestamp?
  /// The last instant that counts; nil is any.
  public var end: Timestamp?
  /// How often it is due at most, from the start or the request on; nil is any number.
  public var count: Int?

  /// A trigger.
  public init(
    _ rule: CalendarRule, zone: Zone = .floating, repeats: Bool = false, from start: Timestamp? = nil,
    until end: Timestamp? = nil, times count: Int? = nil
  ) {
    self.rule = rule
    self.zone = zone
    self.repeats = repeats
    self.start = start
    self.end = end
    self.count = count
  }

  /// As many times as can be counted.
  public static let mostTimes = 10_000

  func check() throws(NotificationError) {
    if let start, let end, end < start {
      throw NotificationError(
        .notificationInvalidNoDate, "The end \(end) is before the start \(start). Change one of them.")
    }
    if let count, !(1...Self.mostTimes).contains(count) {
      throw NotificationError(
        .notificationInvalidNoDate,
        "It is to fire \(count) times, but that can be 1 to \(Self.mostTimes). Choose another number.")
    }
  }
}
