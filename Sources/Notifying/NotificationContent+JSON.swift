public import FencelineJSONText

extension NotificationContent {
  /// As it is stored and told.
  public var json: JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ text: String) {
      if !text.isEmpty { members.append(.init(name, .text(text))) }
    }
    add("title", title)
    add("subtitle", subtitle)
    add("body", body)
    if let sound { members.append(.init("sound", sound.json)) }
    if let badge { members.append(.init("badge", .integer(badge))) }
    if userInfo != .object([]) { members.append(.init("userInfo", userInfo)) }
    add("thread", threadIdentifier ?? "")
    add("category", categoryIdentifier ?? "")
    add("target", targetContentIdentifier ?? "")
    if relevanceScore != 0 { members.append(.init("relevance", .number(relevanceScore))) }
    members.append(.init("level", .text(interruptionLevel.rawValue)))
    if !attachments.isEmpty { members.append(.init("attachments", .array(attachments.map(\.json)))) }
    return .object(members)
  }

  /// What was stored; what another hand has spoilt is left out.
  public init(_ node: JSONNode) {
    title = node["title"]?.text ?? ""
    subtitle = node["subtitle"]?.text ?? ""
    body = node["body"]?.text ?? ""
    sound = node["sound"].flatMap(NotificationSound.init)
    badge = node["badge"]?.number.flatMap { Int(exactly: $0) }
    if let info = node["userInfo"], case .object = info.content { userInfo = JSONValue(info) }
    threadIdentifier = node["thread"]?.text
    categoryIdentifier = node["category"]?.text
    targetContentIdentifier = node["target"]?.text
    relevanceScore = node["relevance"]?.number ?? 0
    interruptionLevel = node["level"]?.text.flatMap(InterruptionLevel.init) ?? .active
    for element in node["attachments"]?.elements ?? [] {
      if let attachment = NotificationAttachment(element) { attachments.append(attachment) }
    }
  }
}

extension NotificationSound {
  var json: JSONValue {
    if self == .default { return "default" }
    var members: [JSONValue.Member] = []
    if let name { members.append(.init("name", .text(name))) }
    if isCritical { members.append(.init("critical", true)) }
    if let volume { members.append(.init("volume", .number(volume))) }
    return .object(members)
  }

  init?(_ node: JSONNode) {
    if node.isNull { return nil }
    self.init(
      name: node["name"]?.text, isCritical: node["critical"]?.content == .boolean(true),
      volume: node["volume"]?.number)
  }
}

extension NotificationAttachment {
  var json: JSONValue {
    [
      "id": .text(identifier), "hash": .text(hash), "type": .text(type), "size": .integer(size),
      "name": .text(name),
    ]
  }

  init?(_ node: JSONNode) {
    guard let hash = node["hash"]?.text, hash.utf8.count == 64 else { return nil }
    self.init(
      identifier: node["id"]?.text ?? "", hash: hash, type: node["type"]?.text ?? "",
      size: node["size"]?.number.flatMap { Int(exactly: $0) } ?? 0, name: node["name"]?.text ?? "")
  }
}
