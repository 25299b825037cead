/// Something that a notification offers to do.
public struct NotificationAction: Hashable, Sendable {
  /// A text that the user is asked for.
  public struct TextInput: Hashable, Sendable {
    /// What sends it.
    public var buttonTitle: String
    /// What stands in the empty field.
    public var placeholder: String

    /// A field for a text.
    public init(buttonTitle: String = "Send", placeholder: String = "") {
      self.buttonTitle = buttonTitle
      self.placeholder = placeholder
    }
  }

  /// What a response names.
  public var identifier: String
  /// What the user reads.
  public var title: String
  /// The text that it asks for; nil asks for none.
  public var textInput: TextInput?
  /// Whether the device must be unlocked for it.
  public var authenticationRequired: Bool
  /// Whether it destroys something, and is shown so.
  public var destructive: Bool
  /// Whether it brings the app to the front.
  public var foreground: Bool
  /// A program with its arguments that the service runs when it is chosen; empty runs none.
  public var command: [String]

  /// An action.
  public init(
    identifier: String, title: String, textInput: TextInput? = nil, authenticationRequired: Bool = false,
    destructive: Bool = false, foreground: Bool = false, command: [String] = []
  ) {
    self.identifier = identifier
    self.title = title
    self.textInput = textInput
    self.authenticationRequired = authenticationRequired
    self.destructive = destructive
    self.foreground = foreground
    self.command = command
  }

  /// The notification itself was chosen.
  public static let defaultAction = "default"
  /// The notification was put away.
  public static let dismiss = "dismiss"
  /// Again in 15 minutes.
  public static let snooze = "snooze"
  /// What it reminds of is done.
  public static let complete = "complete"
  /// An answer.
  public static let reply = "reply"
  /// It needs no more attention.
  public static let markAsRead = "mark-as-read"

  /// After how many seconds one that was put off comes again.
  public static let snoozeInterval = 900.0
}
