/// What can be done with notifications of a kind.
public struct NotificationCategory: Hashable, Sendable {
  /// What notifications name.
  public var identifier: String
  /// In the order in which they are offered.
  public var actions: [NotificationAction]
  /// Whether the app wants to know that a notification was dismissed.
  public var customDismissAction: Bool
  /// What is shown in place of the text where it must not be seen; `%u` is how many there are.
  public var hiddenPreviewsBodyPlaceholder: String?
  /// Whether the title may be seen then.
  public var hiddenPreviewsShowTitle: Bool
  /// Whether the subtitle may be seen then.
  public var hiddenPreviewsShowSubtitle: Bool
  /// What stands below several of a thread: `%u` is how many more there are.
  public var summaryFormat: String?

  /// A category.
  public init(
    identifier: String, actions: [NotificationAction] = [], customDismissAction: Bool = false,
    hiddenPreviewsBodyPlaceholder: String? = nil, hiddenPreviewsShowTitle: Bool = false,
    hiddenPreviewsShowSubtitle: Bool = false, summaryFormat: String? = nil
  ) {
    self.identifier = identifier
    self.actions = actions
    self.customDismissAction = customDismissAction
    self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
    self.hiddenPreviewsShowTitle = hiddenPreviewsShowTitle
    self.hiddenPreviewsShowSubtitle = hiddenPreviewsShowSubtitle
    self.summaryFormat = summaryFormat
  }

  /// Every app has it: put off for a quarter of an hour, or done.
  public static let reminder = NotificationCategory(
    identifier: "REMINDER",
    actions: [
      .init(identifier: NotificationAction.snooze, title: "Snooze 15 minutes"),
      .init(identifier: NotificationAction.complete, title: "Complete"),
    ])

  /// Every app has it: answer, or mark as read.
  public static let message = NotificationCategory(
    identifier: "MESSAGE",
    actions: [
      .init(
        identifier: NotificationAction.reply, title: "Reply",
        textInput: .init(buttonTitle: "Send", placeholder: "Message")),
      .init(identifier: NotificationAction.markAsRead, title: "Mark as read"),
    ])

  /// Those that need not be registered.
  public static let builtIn = [reminder, message]

  /// Says what is wrong with it.
  ///
  /// - Throws: ``NotificationError``.
  public func check() throws(NotificationError) {
    func wrong(_ text: String) -> NotificationError { .init(.notificationInvalidNoContent, text) }
    guard !identifier.isEmpty, identifier.utf8.count <= 200 else {
      throw wrong("A category needs a name of 1 to 200 bytes. Give it one.")
    }
    guard !Self.builtIn.contains(where: { $0.identifier == identifier }) else {
      throw wrong("The category '\(identifier)' is built in. Give yours another name.")
    }
    var seen: Set<String> = []
    for action in actions {
      guard !action.identifier.isEmpty, !action.title.isEmpty else {
        throw wrong("An action of the category '\(identifier)' has no name or no title. Give it both.")
      }
      guard action.identifier != NotificationAction.defaultAction,
        action.identifier != NotificationAction.dismiss
      else {
        throw wrong(
          "The action '\(action.identifier)' of the category '\(identifier)' is one that every notification has. Call it otherwise."
        )
      }
      guard action.command.first.map({ $0.hasPrefix("/") }) ?? true else {
        throw wrong(
          "The program '\(action.command[0])' of the action '\(action.identifier)' must be named from the root of the file system, such as /usr/bin/logger."
        )
      }
      guard seen.insert(action.identifier).inserted else {
        throw wrong(
          "The category '\(identifier)' has the action '\(action.identifier)' twice. Leave one out.")
      }
    }
    guard actions.count <= 10 else {
      throw wrong("The category '\(identifier)' has \(actions.count) actions, more than 10. Leave some out.")
    }
  }
}
