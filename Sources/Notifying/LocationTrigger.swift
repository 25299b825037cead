/// When a device comes into a region or leaves it.
///
/// Only a device that was outside and comes in makes an entry, unless ``initial`` is set.
public struct LocationTrigger: Hashable, Sendable {
  /// The identifier of the region.
  public var region: String
  /// Whether entries make it due.
  public var onEntry: Bool
  /// Whether exits make it due.
  public var onExit: Bool
  /// Whether dwells make it due, as long as the region says.
  public var onDwell: Bool
  /// Whether the request stays when it has fired.
  public var repeats: Bool
  /// Whether a device that is inside already, or is found inside, makes it due.
  public var initial: Bool

  /// A trigger.
  public init(
    region: String, onEntry: Bool = true, onExit: Bool = true, onDwell: Bool = false, repeats: Bool = false,
    initial: Bool = false
  ) {
    self.region = region
    self.onEntry = onEntry
    self.onExit = onExit
    self.onDwell = onDwell
    self.repeats = repeats
    self.initial = initial
  }

  func check() throws(NotificationError) {
    guard !region.isEmpty else {
      throw NotificationError(
        .notificationInvalidNoDate, "The trigger names no region, so that it never fires. Name one.")
    }
    guard onEntry || onExit || onDwell else {
      throw NotificationError(
        .notificationInvalidNoDate,
        "The trigger wants neither entries nor exits nor dwells, so that it never fires. Want one of them.")
    }
  }
}
