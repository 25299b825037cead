public import FencelineCivilTime

/// What a user did with a notification.
public struct NotificationResponse: Hashable, Sendable {
  /// Its number, which no other response ever gets.
  public var number: Int64
  /// The app, the request and the number of the notification.
  public var app: String
  /// The identifier of the request.
  public var request: String
  /// The number of the notification.
  public var notification: Int64
  /// The identifier of the action.
  public var action: String
  /// The text that was entered; nil where the action asks for none.
  public var text: String?
  /// When.
  public var at: Timestamp

  /// A response.
  public init(
    number: Int64, app: String, request: String, notification: Int64, action: String, text: String?,
    at: Timestamp
  ) {
    self.number = number
    self.app = app
    self.request = request
    self.notification = notification
    self.action = action
    self.text = text
    self.at = at
  }
}
