internal import FencelineJSONText
internal import FencelineNotifying

/// What a button on a phone sends: which action of which notification was chosen, with a code that only this channel can make.
struct NtfyAnswer {
  /// ntfy shows no more.
  static let mostActions = 3

  /// The buttons for a notification. Actions that ask for a text have none, since ntfy cannot ask.
  ///
  /// - Parameters:
  ///   - notification: The notification.
  ///   - topic: Where answers go.
  ///   - token: What lets a phone send there; nil where everybody may.
  ///   - seal: The channel's.
  /// - Returns: Three at most, as ntfy takes them.
  static func buttons(
    for notification: Parcel.Notification, to topic: NtfyTopic, token: String?, seal: String
  ) -> [JSONValue] {
    var buttons: [JSONValue] = []
    for action in notification.actions where action.textInput == nil && buttons.count < mostActions {
      let body: JSONValue = [
        "notification": .integer(Int(notification.number)), "action": .text(action.identifier),
        "code": .text(Authentication.digits(of: code(notification.number, action.identifier, seal))),
      ]
      var members: [JSONValue.Member] = [
        .init("action", "http"), .init("label", .text(action.title)), .init("url", .text(topic.url)),
        .init("method", "POST"), .init("body", .text(body.line)), .init("clear", true),
      ]
      if let token { members.append(.init("headers", ["Authorization": .text("Bearer \(token)")])) }
      buttons.append(.object(members))
    }
    return buttons
  }

  /// What was sent by a button of this channel's; nil where anybody else has sent it.
  static func read(_ message: String, seal: String) -> ChannelContext.Answer? {
    guard !seal.isEmpty, let node = try? JSONNode(parsing: message.utf8),
      let number = node["notification"]?.number.flatMap({ Int64(exactly: $0) }),
      let action = node["action"]?.text, let given = node["code"]?.text
    else { return nil }
    let right = Authentication.digits(of: code(number, action, seal))
    guard Authentication.isSame(Array(given.utf8), Array(right.utf8)) else { return nil }
    return ChannelContext.Answer(notification: number, action: action)
  }

  private static func code(_ number: Int64, _ action: String, _ seal: String) -> [UInt8] {
    Authentication.code(of: Array("ntfy answer\n\(number)\n\(action)".utf8), key: Array(seal.utf8))
  }
}
