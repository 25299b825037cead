public import FencelineJSONText

extension NotificationCategory {
  /// As it is stored and told.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .text(identifier)), .init("actions", .array(actions.map(\.json))),
    ]
    if customDismissAction { members.append(.init("customDismissAction", true)) }
    if let text = hiddenPreviewsBodyPlaceholder {
      members.append(.init("hiddenPreviewsBodyPlaceholder", .text(text)))
    }
    if hiddenPreviewsShowTitle { members.append(.init("hiddenPreviewsShowTitle", true)) }
    if hiddenPreviewsShowSubtitle { members.append(.init("hiddenPreviewsShowSubtitle", true)) }
    if let summaryFormat { members.append(.init("summaryFormat", .text(summaryFormat))) }
    return .object(members)
  }

  /// What was stored or written by hand; nil where it has no name.
  public init?(_ node: JSONNode) {
    guard let identifier = node["id"]?.text else { return nil }
    var actions: [NotificationAction] = []
    for element in node["actions"]?.elements ?? [] {
      guard let action = NotificationAction(element) else { return nil }
      actions.append(action)
    }
    func isTrue(_ name: String) -> Bool { node[name]?.content == .boolean(true) }
    self.init(
      identifier: identifier, actions: actions, customDismissAction: isTrue("customDismissAction"),
      hiddenPreviewsBodyPlaceholder: node["hiddenPreviewsBodyPlaceholder"]?.text,
      hiddenPreviewsShowTitle: isTrue("hiddenPreviewsShowTitle"),
      hiddenPreviewsShowSubtitle: isTrue("hiddenPreviewsShowSubtitle"),
      summaryFormat: node["summaryFormat"]?.text)
  }
}

extension NotificationAction {
  var json: JSONValue {
    var members: [JSONValue.Member] = [.init("id", .text(identifier)), .init("title", .text(title))]
    if let textInput {
      members.append(
        .init(
          "textInput", ["button": .text(textInput.buttonTitle), "placeholder": .text(textInput.placeholder)]))
    }
    if authenticationRequired { members.append(.init("authenticationRequired", true)) }
    if destructive { members.append(.init("destructive", true)) }
    if foreground { members.append(.init("foreground", true)) }
    if !command.isEmpty { members.append(.init("run", .array(command.map(JSONValue.text)))) }
    return .object(members)
  }

  init?(_ node: JSONNode) {
    guard let identifier = node["id"]?.text, let title = node["title"]?.text else { return nil }
    func isTrue(_ name: String) -> Bool { node[name]?.content == .boolean(true) }
    let field = node["textInput"].map {
      TextInput(buttonTitle: $0["button"]?.text ?? "Send", placeholder: $0["placeholder"]?.text ?? "")
    }
    self.init(
      identifier: identifier, title: title, textInput: field,
      authenticationRequired: isTrue("authenticationRequired"), destructive: isTrue("destructive"),
      foreground: isTrue("foreground"), command: (node["run"]?.elements ?? []).compactMap(\.text))
  }
}
