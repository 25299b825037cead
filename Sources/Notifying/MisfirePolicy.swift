/// What becomes of occurrences that were missed: the machine was off, the service did not run, or the clock was set.
public struct MisfirePolicy: Hashable, Sendable {
  /// What is done.
  public enum Action: Hashable, Sendable {
    /// The last of them is delivered, and stands for all.
    case once
    /// All of them are delivered, but no more than the last so many.
    case all(Int)
    /// None of them is delivered.
    case skip
  }

  /// What is done.
  public var action: Action
  /// How late an occurrence may be and is not missed, in seconds.
  public var grace: Double

  /// A policy.
  public init(_ action: Action = .once, grace: Double = 60) {
    self.action = action
    self.grace = grace
  }

  /// As many as can be delivered afterwards.
  public static let most = 100
  /// The longest grace time, in seconds: a year.
  public static let longestGrace = 366 * 86_400.0

  func check(for trigger: NotificationTrigger?) throws(NotificationError) {
    func wrong(_ text: String) -> NotificationError { .init(.notificationInvalidNoDate, text) }
    guard (0...Self.longestGrace).contains(grace) else {
      throw wrong("The grace time is \(grace.plain) s, but it goes from 0 to a year. Choose another one.")
    }
    guard case .all(let number) = action else { return }
    guard (1...Self.most).contains(number) else {
      throw wrong(
        "Up to \(number) missed ones are to be delivered, but that can be 1 to \(Self.most). Choose another number."
      )
    }
    if case .interval = trigger {
      throw wrong(
        "What comes at intervals is delivered once at most when it was missed. Choose 'once' or 'skip'.")
    }
  }
}
