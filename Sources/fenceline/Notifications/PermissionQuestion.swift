import FencelineCommandLineKit
import FencelineDesktopLink
import FencelineEventJournal
import FencelineNotifying
import FencelineService
import Glibc

/// The question whether an app may notify: on the terminal, else on the desktop, else as the setting permission.unattended says.
struct PermissionQuestion {
  private let session: Session
  private let centre: NotificationCentre

  init(_ session: Session, _ centre: NotificationCentre) {
    self.session = session
    self.centre = centre
  }

  /// Asks and records the answer.
  ///
  /// - Returns: What holds from now on.
  func ask(_ app: StoredApp) throws -> AppPermission.Status {
    if let isAllowed = try askOnTerminal(app) { return try record(app, isAllowed) }
    switch PermissionPrompt.ask(appName: printable(app.id), usage: app.usage, seconds: Self.patience) {
    case .allowed: return try record(app, true)
    case .refused: return try record(app, false)
    case .dismissed:
      session.note(Self.later(app))
      return .notDetermined
    case .unavailable: break
    }
    let configuration = Configuration.resolve(
      stored: try centre.stored(), environment: System.environment
    ).configuration
    switch configuration.unattendedPermission {
    case .allow: return try record(app, true)
    case .deny: return try record(app, false)
    case .askLater:
      session.note("Nobody can be asked now. \(Self.later(app))")
      return .notDetermined
    }
  }

  /// Seconds that a question stays on the desktop.
  private static let patience = 60.0

  private static func later(_ app: StoredApp) -> String {
    "Answer later with 'fenceline permission allow \(printable(app.id))' or 'deny'."
  }

  private func record(_ app: StoredApp, _ isAllowed: Bool) throws -> AppPermission.Status {
    try centre.answerPermission(of: app.id, isAllowed: isAllowed).status
  }

  /// Asks on the terminal; nil where there is none, or nobody who answers.
  private func askOnTerminal(_ app: StoredApp) throws -> Bool? {
    guard isatty(0) == 1, isatty(2) == 1 else { return nil }
    let style = session.terminal.error.style
    let reason = app.usage.map { "\"\(printable($0))\"" } ?? "The app does not say what it needs that for."
    writeError(
      """
      \(style.bold("'\(printable(app.id))' would like to send you notifications."))
      \(reason)
      It asks for: \(app.requested.words.joined(separator: ", ")).

      """)
    while true {
      writeError("Allow? [y/n] ")
      guard let line = readLine() else { return nil }
      switch line.lowercased().filter({ !$0.isWhitespace }) {
      case "y", "yes", "allow": return true
      case "n", "no", "don'tallow": return false
      default: writeError("Please answer y or n.\n")
      }
    }
  }
}
