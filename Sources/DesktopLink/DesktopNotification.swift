/// What a notification server is asked to show.
///
/// All of it is plain text: whatever a server would take for markup is escaped, characters that control are left out.
package struct DesktopNotification: Hashable, Sendable {
  /// A button.
  package struct Action: Hashable, Sendable {
    /// What ``DesktopLink/Event/action(identifier:key:reply:)`` tells; `default` stands for a click on the notification itself.
    package var key: String
    /// What the button says.
    package var label: String

    /// A button.
    package init(key: String, label: String) {
      self.key = key
      self.label = label
    }
  }

  /// How important it is; servers keep a critical one until it is closed, and may hold back even that one while the user wants no
  /// disturbance.
  package enum Urgency: UInt8, Hashable, Sendable, CaseIterable { case low, normal, critical }

  /// When it goes by itself.
  package enum Expiry: Hashable, Sendable {
    /// When the server thinks fit.
    case serversChoice
    /// After so many milliseconds, 1 or more.
    case milliseconds(Int32)
    /// Not before somebody closes it.
    case never
  }

  /// Who notifies, such as the name of an app.
  package var appName: String
  /// The first line.
  package var summary: String
  /// The rest, several lines perhaps; empty where there is none.
  package var body: String
  /// The name of an icon of the desktop's theme, or the path of a file; empty for none.
  package var icon: String
  /// Its buttons, in order; servers without any leave them out.
  package var actions: [Action]
  /// How important it is.
  package var urgency: Urgency
  /// Whether the server should not keep it in its list. It is not shown again where the server has to be started again.
  package var isTransient: Bool
  /// Whether it stays after a button was pressed.
  package var isResident: Bool
  /// Whether the server should make no sound.
  package var suppressesSound: Bool
  /// The name of a sound of the desktop's theme, such as `message-new-instant`; nil where the server shall choose.
  package var soundName: String?
  /// The path of a picture that is shown with it.
  package var imagePath: String?
  /// What it is stacked by: of several with the same one, some servers show the newest alone.
  package var stackTag: String?
  /// When it goes by itself.
  package var expiry: Expiry
  /// What stands in the empty field of a reply; nil where there is no such field. Servers that cannot do that leave it out
  /// (``ServerInfo/takesReplies``); a reply comes as the action ``replyKey``.
  package var replyPlaceholder: String?
  /// What the button says that opens the field of a reply, and the one that sends it.
  package var replyLabel = "Reply"
  package var replyButton = "Send"
  /// The name of the app's desktop file without `.desktop`; nil where there is none.
  package var desktopEntry: String?

  /// The key of the action that a reply comes with.
  package static let replyKey = "inline-reply"

  /// A notification.
  package init(
    appName: String, summary: String, body: String = "", icon: String = "", actions: [Action] = [],
    urgency: Urgency = .normal, isTransient: Bool = false, isResident: Bool = false,
    suppressesSound: Bool = false, soundName: String? = nil, imagePath: String? = nil,
    stackTag: String? = nil, expiry: Expiry = .serversChoice, replyPlaceholder: String? = nil,
    desktopEntry: String? = nil
  ) {
    self.appName = appName
    self.summary = summary
    self.body = body
    self.icon = icon
    self.actions = actions
    self.urgency = urgency
    self.isTransient = isTransient
    self.isResident = isResident
    self.suppressesSound = suppressesSound
    self.soundName = soundName
    self.imagePath = imagePath
    self.stackTag = stackTag
    self.expiry = expiry
    self.replyPlaceholder = replyPlaceholder
    self.desktopEntry = desktopEntry
  }
}
