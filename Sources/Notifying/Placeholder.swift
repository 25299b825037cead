/// Words in braces that stand for what is only known when a notification is delivered: `{region.title}`, `{crossing.at}`.
public enum Placeholder: String, Hashable, Sendable, CaseIterable {
  /// The region's title, else its identifier.
  case regionTitle = "region.title"
  /// The region's identifier.
  case region = "region.id"
  /// The device.
  case device = "device"
  /// `entry`, `exit` or `dwell`.
  case crossingKind = "crossing.kind"
  /// When the perimeter was met, in local time.
  case crossingAt = "crossing.at"
  /// When the visit began, in local time.
  case visitEntered = "visit.entered"
  /// How long the visit has lasted.
  case visitDuration = "visit.duration"
  /// When the notification was due, in local time.
  case due = "due"
  /// The app.
  case app = "app"

  /// Whether it is known only where a device has crossed a perimeter.
  public var needsCrossing: Bool { self != .due && self != .app }

  /// Fills a text.
  ///
  /// - Parameters:
  ///   - text: Any text; braces around anything else stay as they are.
  ///   - value: What stands for a placeholder; nil leaves it out.
  /// - Returns: The text without placeholders.
  public static func fill(_ text: String, _ value: (Placeholder) -> String?) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var filled = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      filled += rest[..<open]
      let name = rest[open...].dropFirst().prefix { $0 != "}" && $0 != "{" }
      if name.endIndex < rest.endIndex, rest[name.endIndex] == "}",
        let known = Placeholder(rawValue: String(name))
      {
        filled += value(known) ?? ""
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        filled += "{"
        rest = rest[rest.index(after: open)...]
      }
    }
    return filled + rest
  }

  /// Those that stand in a text.
  public static func found(in text: String) -> Set<Placeholder> {
    var found: Set<Placeholder> = []
    _ = fill(text) { placeholder in
      found.insert(placeholder)
      return nil
    }
    return found
  }
}

extension NotificationContent {
  /// The content with its placeholders filled.
  public func filled(_ value: (Placeholder) -> String?) -> NotificationContent {
    var content = self
    content.title = Placeholder.fill(title, value)
    content.subtitle = Placeholder.fill(subtitle, value)
    content.body = Placeholder.fill(body, value)
    return content
  }

  /// Words in braces that look like placeholders and are none, as they stand in its texts.
  public var unknownPlaceholders: [String] {
    var found: [String] = []
    for text in [title, subtitle, body] {
      for part in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
        guard let end = part.firstIndex(of: "}") else { continue }
        let name = String(part[..<end])
        let isWord =
          !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: ".") }
        if isWord, Placeholder(rawValue: name) == nil, !found.contains(name) { found.append(name) }
      }
    }
    return found
  }

  /// The placeholders in its texts.
  public var placeholders: Set<Placeholder> {
    Placeholder.found(in: title).union(Placeholder.found(in: subtitle)).union(Placeholder.found(in: body))
  }
}
