internal import FencelineCivilTime
package import FencelineEventJournal
package import FencelineJSONText
package import FencelineNotifying

extension StoredNotification {
  /// What has become of it, in a word or two: `delivered`, `held back (summary)`.
  package var outcome: String {
    switch state {
    case .asked: "waits for the app"
    case .held: "held back" + (reason.map { " (\($0))" } ?? "")
    case .delivered: "delivered"
    case .suppressed: "not shown" + (reason.map { " (\($0))" } ?? "")
    }
  }
}

extension JSONValue {
  /// A notification as every command prints it.
  package static func notification(_ notification: StoredNotification) -> JSONValue {
    var members: [Member] = [
      .init("number", .integer(Int(notification.number))), .init("app", .text(notification.app)),
      .init("request", .text(notification.identifier)),
    ]
    if case .object(let content) = notification.content.json { members += content }
    members.append(.init("due", .text(notification.due.description)))
    members.append(.init("at", .text(notification.at.description)))
    members.append(.init("state", .text(notification.state.rawValue)))
    members.append(.init("reason", notification.reason.map(JSONValue.text) ?? .null))
    members.append(.init("until", notification.until.map { .text($0.description) } ?? .null))
    members.append(.init("present", .array(notification.presentation.words.map(JSONValue.text))))
    members.append(.init("read", .boolean(notification.isRead)))
    members.append(.init("region", notification.region.map(JSONValue.text) ?? .null))
    members.append(.init("device", notification.device.map(JSONValue.text) ?? .null))
    if let (run, sequence) = notification.crossing {
      members.append(.init("run", .integer(Int(run))))
      members.append(.init("sequence", .integer(Int(sequence))))
    }
    return .object(members)
  }

  /// A pending request as every command prints it.
  package static func request(_ stored: StoredRequest) -> JSONValue {
    var members: [Member] = [
      .init("app", .text(stored.request.app)), .init("request", .text(stored.request.identifier)),
    ]
    if case .object(let content) = stored.request.content.json { members += content }
    members.append(.init("trigger", stored.request.trigger?.json ?? .null))
    members.append(.init("requested", .text(stored.requestedAt.description)))
    members.append(.init("next", stored.due.map { .text($0.description) } ?? .null))
    return .object(members)
  }

  /// A response as every command prints it.
  package static func response(_ response: NotificationResponse) -> JSONValue {
    [
      "response": .integer(Int(response.number)), "app": .text(response.app),
      "request": .text(response.request), "notification": .integer(Int(response.notification)),
      "action": .text(response.action), "text": response.text.map(JSONValue.text) ?? .null,
      "at": .text(response.at.description),
    ]
  }
}
