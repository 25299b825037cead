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
  /// The interface and the name of the property that says whether notifications are held back now.
  ///
  /// - Source: dunst's source, `src/dbus.c`; the `inhibitions` of KDE's notification server, which others have taken over.
  var pausing: (interface: String, property: String) {
    name == "dunst" ? ("org.dunstproject.cmd0", "paused") : ("org.freedesktop.Notifications", "Inhibited")
  }
  /// Whether it takes the body for markup.
  var markup: ServerText.Markup {
    if capabilities.contains("body-markup") { return .read }
    // dunst 1.9.0 reads it as well where its configuration does not say, and does not tell.
    return name == "dunst" ? .unknown : .none
  }
  /// Whether it takes the labels of buttons for markup, which they are not: one that it cannot read stays empty.
  var labelMarkup: ServerText.Markup { isGNOMEDaemon ? .read : .none }
  /// Whether it leaves the window of what was closed on the screen, until its time is over.
  var keepsClosedWindows: Bool { isGNOMEDaemon }

  /// notification-daemon 3.20.0, which has come to its end: later versions need not be told apart.
  private var isGNOMEDaemon: Bool { name == "Notification Daemon" }
}
