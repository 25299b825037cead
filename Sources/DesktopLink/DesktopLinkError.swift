/// Why nothing can be shown on the desktop.
package struct DesktopLinkError: Error, Hashable, Sendable {
  /// The kinds that callers tell apart.
  package enum Code: Hashable, Sendable {
    /// There is no session bus, or it cannot be reached.
    case noBus
    /// Nobody on the session bus shows notifications, and nobody can be started who would.
    case noServer
    /// The bus or the server does not answer in time.
    case noAnswer
    /// The server has answered that it will not show it.
    case refused
    /// The link was stopped, or has no thread of its own.
    case stopped
    /// The link was asked on its own thread, which would have to wait for itself.
    case wrongThread
  }

  /// What kind of failure it is.
  package var code: Code
  /// A sentence that says what is wrong and another one that says what to do.
  package var message: String

  init(_ code: Code, _ reason: String, _ advice: String) {
    self.code = code
    message = "Cannot reach the desktop: \(reason). \(advice)"
  }

  static let stopped = DesktopLinkError(
    .stopped, "there is no link to it any more", "Start the service again.")

  static let wrongThread = DesktopLinkError(
    .wrongThread, "its own events cannot wait for it", "Show the notification from another thread.")

  static let noServer = DesktopLinkError(
    .noServer, "nobody shows notifications there",
    "Log in to a desktop, or start a notification server such as dunst.")

  static func notStarted(_ words: String) -> DesktopLinkError {
    DesktopLinkError(
      .noServer, "the notification server cannot be started (\(words))",
      "Log in to a desktop, or start a notification server such as dunst.")
  }

  static func refused(_ answer: BusMessage) -> DesktopLinkError {
    refused(answer.error?.words ?? "it has answered nonsense")
  }

  static func refused(_ words: String) -> DesktopLinkError {
    DesktopLinkError(
      .refused, "the notification server does not take the notification (\(words))",
      "Try another notification server, or a plainer notification.")
  }

  static func noAnswer(milliseconds: Int) -> DesktopLinkError {
    DesktopLinkError(
      .noAnswer, "there was no answer within \(milliseconds) ms",
      "Start the notification server again, or log out and in.")
  }
}
