/// Why something that concerns notifications cannot be done.
public struct NotificationError: Error, Hashable, Sendable {
  /// The kinds, by the numbers that UserNotifications gives them (`UNError.Code`).
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// The app may not notify.
    case notificationsNotAllowed = 1
    /// An attachment is not there, or no file.
    case attachmentInvalidURL = 100
    /// An attachment is of no type that can be shown.
    case attachmentUnrecognizedType = 101
    /// An attachment is too large, or empty.
    case attachmentInvalidFileSize = 102
    /// A stored attachment is not there any more.
    case attachmentNotInDataStore = 103
    /// An attachment could not be stored.
    case attachmentMoveIntoDataStoreFailed = 104
    /// An attachment is damaged.
    case attachmentCorrupt = 105
    /// The trigger never fires.
    case notificationInvalidNoDate = 1400
    /// There is nothing to show, or it cannot be shown as it is asked for.
    case notificationInvalidNoContent = 1401
    /// A badge is below 0.
    case badgeInputInvalid = 1600
  }

  /// What kind of failure it is.
  public var code: Code
  /// A sentence or two that name what is wrong and say what to do.
  public var message: String

  /// An error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension NotificationError {
  /// Says what is wrong with a badge.
  ///
  /// - Throws: ``NotificationError``.
  public static func check(badge: Int) throws(NotificationError) {
    guard !(0...1_000_000_000).contains(badge) else { return }
    throw NotificationError(
      .badgeInputInvalid, "The badge is \(badge), but a badge is 0 (none) to 1000000000. Choose another one.")
  }
}

extension NotificationError: CustomStringConvertible {
  /// The message with the code: `… (notificationInvalidNoDate, 1400)`.
  public var description: String { "\(message) (\(code), \(code.rawValue))" }
}
