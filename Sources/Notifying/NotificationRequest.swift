/// A notification that is wanted, and when.
public struct NotificationRequest: Hashable, Sendable {
  /// The app that asks for it.
  public var app: String
  /// Its name within the app; another one of the same name takes its place.
  public var identifier: String
  /// What it says.
  public var content: NotificationContent
  /// What makes it due; nil is now.
  public var trigger: NotificationTrigger?
  /// What becomes of occurrences that were missed.
  public var misfire: MisfirePolicy
  /// How many seconds a time that is over may lie back for the notification to be delivered at once; nil makes that an error.
  public var pastGrace: Double?

  /// A request.
  public init(
    app: String = NotificationRequest.ownApp, identifier: String, content: NotificationContent,
    trigger: NotificationTrigger? = nil, misfire: MisfirePolicy = .init(), pastGrace: Double? = nil
  ) {
    self.app = app
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
    self.misfire = misfire
    self.pastGrace = pastGrace
  }

  /// The app that the command line and the regions are.
  public static let ownApp = "fenceline"

  /// Says what is wrong with it in itself.
  ///
  /// - Throws: ``NotificationError``.
  public func check() throws(NotificationError) {
    for (what, name) in [("request", identifier), ("app", app)] {
      guard !name.isEmpty, name.utf8.count <= 200 else {
        throw NotificationError(
          .notificationInvalidNoContent,
          "The name of the \(what) must have 1 to 200 bytes. Give it another one.")
      }
    }
    try content.check()
    switch trigger {
    case .interval(let trigger): try trigger.check()
    case .calendar(let trigger): try trigger.check()
    case .location(let trigger): try trigger.check()
    case .push, nil: break
    }
    try misfire.check(for: trigger)
    if let pastGrace, !(0...MisfirePolicy.longestGrace).contains(pastGrace) {
      throw NotificationError(
        .notificationInvalidNoDate,
        "A time that is over may lie back 0 s to a year, not \(pastGrace.plain) s. Choose another span.")
    }
  }
}
