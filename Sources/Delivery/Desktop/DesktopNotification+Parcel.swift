internal import FencelineDesktopLink
internal import FencelineNotifying

extension Parcel {
  /// Whether it is to be seen at all.
  var isVisible: Bool {
    guard let notification, level != .critical else { return true }
    return !notification.presentation.isDisjoint(with: [.banner, .list])
  }

  /// What the link calls it: another one of the same name takes its place.
  var desktopIdentifier: String {
    notification.map { "\($0.app)\0\($0.identifier)" } ?? "\0\(key)"
  }

  /// The action for which a text is asked. Of several the first: desktops have one field.
  private var reply: NotificationAction? { notification?.actions.first { $0.textInput != nil } }

  /// The identifier of that action.
  var replyAction: String? { reply?.identifier }
}

extension DesktopNotification {
  /// How long one is shown that is to disturb nobody, in milliseconds.
  private static let quietExpiry: Int32 = 5000

  /// How a parcel is shown.
  ///
  /// | level | urgency | sound | goes |
  /// | --- | --- | --- | --- |
  /// | passive, or without a banner | low | none | after 5 s |
  /// | active, time-sensitive | normal | where it has one | when the server thinks fit |
  /// | critical | critical | where it has one | when somebody closes it |
  ///
  /// - Parameters:
  ///   - parcel: What is shown.
  ///   - appName: Who notifies; nil for the app.
  init(_ parcel: Parcel, appName: String?) {
    let content = parcel.notification?.content
    let presentation = parcel.notification?.presentation ?? [.banner, .list, .sound]
    let isCritical = parcel.level == .critical
    let isQuiet = !isCritical && (parcel.level == .passive || !presentation.contains(.banner))
    let app = parcel.notification?.app ?? ""
    let name = appName ?? (app.isEmpty ? "Fenceline" : app)

    let title = content?.title ?? parcel.title
    var lines = [content?.subtitle ?? "", content?.body ?? parcel.body]
    lines.removeAll(where: \.isEmpty)
    self.init(
      appName: name, summary: DesktopNotification.cut(title.isEmpty ? name : title, to: 100),
      body: DesktopNotification.cut(lines.joined(separator: "\n"), to: 500),
      urgency: isCritical ? .critical : isQuiet ? .low : .normal, isResident: isCritical,
      expiry: isCritical ? .never : isQuiet ? .milliseconds(DesktopNotification.quietExpiry) : .serversChoice)
    // What is critical is kept whatever is set.
    isTransient = !isCritical && !presentation.contains(.list)

    let sound = content.map(\.sound) ?? .default
    let mayBeHeard = isCritical || !isQuiet && presentation.contains(.sound)
    suppressesSound = !mayBeHeard || sound == nil
    if let sound, mayBeHeard {
      // The names of the freedesktop Sound Naming Specification, which are those of the theme's files.
      let name = sound.name ?? (isCritical ? "dialog-warning" : "message-new-instant")
      soundName = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    if let notification = parcel.notification { add(notification, isCritical: isCritical) }
  }

  /// No more of a text than a screen has room for beside the buttons: some servers make a window as long as the text.
  private static func cut(_ text: String, to most: Int) -> String {
    let lines = text.split(separator: "\n", maxSplits: 15, omittingEmptySubsequences: false)
    let short = lines.count > 15 ? lines[..<15].joined(separator: "\n") + "…" : text
    return short.count <= most ? short : short.prefix(most - 1) + "…"
  }

  private mutating func add(_ notification: Parcel.Notification, isCritical: Bool) {
    for (attachment, file) in zip(notification.content.attachments, notification.files)
    where imagePath == nil && attachment.type.hasPrefix("image/") {
      imagePath = file
    }
    // Some servers show the newest of a stack alone, which is too few of what is critical.
    if let thread = notification.content.threadIdentifier, !thread.isEmpty, !isCritical {
      stackTag = "\(notification.app)/\(thread)"
    }
    actions = [Action(key: NotificationAction.defaultAction, label: "Open")]
    for action in notification.actions {
      guard let input = action.textInput else {
        actions.append(Action(key: action.identifier, label: action.title))
        continue
      }
      guard replyPlaceholder == nil else { continue }
      replyPlaceholder = input.placeholder
      replyLabel = action.title
      replyButton = input.buttonTitle
    }
  }
}
