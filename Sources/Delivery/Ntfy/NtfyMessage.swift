internal import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineNotifying
internal import FencelineTransfers

/// What a phone gets to show.
///
/// - Source: ntfy's documentation, "Publishing": as JSON, and with headers where the body is an attachment.
struct NtfyMessage: Sendable {
  var title: String
  var text: String
  var priority: Int
  var tags: [String]
  var click: String?
  var actions: [JSONValue] = []

  /// Longer texts would become files; in bytes.
  private static let mostText = 4000
  private static let mostTitle = 500

  /// - Parameters:
  ///   - parcel: What it is about.
  ///   - tags: Those that the user has added.
  ///   - click: What is opened.
  init(_ parcel: Parcel, tags: [String], click: String?) {
    title = NtfyMessage.cut(parcel.title, NtfyMessage.mostTitle)
    // An empty text would be shown as `triggered`.
    text = NtfyMessage.cut(parcel.body.isEmpty ? parcel.title : parcel.body, NtfyMessage.mostText)
    if parcel.body.isEmpty { title = "" }
    priority =
      switch parcel.level {
      case .passive: 2
      case .active: 3
      case .timeSensitive: 4
      case .critical: 5
      }
    self.tags = tags
    switch parcel.crossing?.kind {
    case .entry: self.tags.append("inbox_tray")
    case .exit: self.tags.append("outbox_tray")
    case .dwell: self.tags.append("hourglass_flowing_sand")
    case nil: break
    }
    if parcel.level == .critical { self.tags.append("rotating_light") }
    self.click = click
  }

  /// Cut between characters.
  private static func cut(_ text: String, _ most: Int) -> String {
    guard text.utf8.count > most else { return text }
    var result = ""
    var count = 0
    for character in text {
      count += character.utf8.count
      if count > most - 3 { break }
      result.append(character)
    }
    return result + "…"
  }

  /// To be posted to the server.
  func json(topic: String) -> JSONValue {
    var members: [JSONValue.Member] = [.init("topic", .text(topic)), .init("message", .text(text))]
    if !title.isEmpty { members.append(.init("title", .text(title))) }
    members.append(.init("priority", .integer(priority)))
    if !tags.isEmpty { members.append(.init("tags", .array(tags.map { JSONValue.text($0) }))) }
    if let click { members.append(.init("click", .text(click))) }
    if !actions.isEmpty { members.append(.init("actions", .array(actions))) }
    return .object(members)
  }

  /// To go with a file that is put to the topic.
  func headers(file: String) -> [(name: String, value: String)] {
    var headers = [("Message", NtfyMessage.word(text)), ("Priority", "\(priority)")]
    if !title.isEmpty { headers.append(("Title", NtfyMessage.word(title))) }
    if !tags.isEmpty { headers.append(("Tags", NtfyMessage.word(tags.joined(separator: ",")))) }
    if let click { headers.append(("Click", NtfyMessage.word(click))) }
    if !actions.isEmpty { headers.append(("Actions", NtfyMessage.ascii(JSONValue.array(actions).line))) }
    headers.append(("Filename", NtfyMessage.word(file)))
    return headers
  }

  /// One encoded word of any length: no text can begin another header.
  private static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) } && !text.contains("=?")
    return isPlain && !text.isEmpty ? text : "=?UTF-8?B?\(Base64.text(of: Array(text.utf8)))?="
  }

  /// JSON in ASCII.
  private static func ascii(_ json: String) -> String {
    var result = ""
    for unit in json.utf16 {
      if unit < 0x7f {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }
}
