/// Who shows notifications, and what it can.
package struct ServerInfo: Hashable, Sendable {
  /// Its name, such as `dunst`.
  package var name: String
  /// Its version.
  package var version: String
  /// What it can, by the words of the Desktop Notifications Specification and those of its own.
  package var capabilities: Set<String>

  /// Whether it shows buttons.
  package var takesActions: Bool { capabilities.contains("actions") }
  /// Whether it has a field for a reply.
  package var takesReplies: Bool { capabilities.contains("inline-reply") }
  /// Whether it takes the body for markup.
  var readsMarkup: Bool { capabilities.contains("body-markup") }
}
