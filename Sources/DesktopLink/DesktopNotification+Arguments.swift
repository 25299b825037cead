extension DesktopNotification {
  /// The arguments of `Notify`.
  ///
  /// - Parameters:
  ///   - replaced: What the server calls the one that it replaces; 0 for none.
  ///   - server: Who is called.
  ///   - isRepeated: Whether the user has seen it before, on a server that has gone.
  /// - Returns: They, in order.
  /// - Source: Desktop Notifications Specification 1.2; `inline-reply` and its hint are KDE's, the stack tags dunst's and Canonical's.
  func arguments(replacing replaced: UInt32, on server: ServerInfo, isRepeated: Bool) -> [BusArgument] {
    var buttons: [String] = []
    if server.takesActions {
      for action in actions {
        buttons += [ServerText.line(action.key), ServerText.line(action.label, server.labelMarkup)]
      }
    }

    var hints: [String: BusArgument.Variant] = ["urgency": .byte(urgency.rawValue)]
    if isTransient { hints["transient"] = .truth(true) }
    if isResident { hints["resident"] = .truth(true) }
    if suppressesSound || isRepeated { hints["suppress-sound"] = .truth(true) }
    hints["sound-name"] = soundName.map { .text(ServerText.line($0)) }
    hints["image-path"] = imagePath.map { .text(ServerText.image($0)) }
    hints["desktop-entry"] = desktopEntry.map { .text(ServerText.line($0)) }
    for key in ["x-dunst-stack-tag", "x-canonical-private-synchronous"] {
      hints[key] = stackTag.map { .text(ServerText.line($0)) }
    }
    if let replyPlaceholder, server.takesReplies {
      buttons += [DesktopNotification.replyKey, ServerText.line(replyLabel)]
      hints["x-kde-reply-submit-button-text"] = .text(ServerText.line(replyButton))
      hints["x-kde-reply-placeholder-text"] = .text(ServerText.line(replyPlaceholder))
    }

    let milliseconds: Int32 =
      switch expiry {
      case .serversChoice: -1
      case .milliseconds(let count): max(1, count)
      case .never: 0
      }
    return [
      .text(ServerText.line(appName)), .unsigned(replaced), .text(ServerText.image(icon)),
      .text(ServerText.line(summary)), .text(ServerText.lines(body, server.markup)),
      .texts(buttons), .variants(hints), .signed(milliseconds),
    ]
  }
}
