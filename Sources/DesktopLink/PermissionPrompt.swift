/// Asks the user on the desktop whether an app may send notifications.
package enum PermissionPrompt {
  /// What came of it.
  package enum Answer: Hashable, Sendable {
    case allowed
    case refused
    /// The user has put the question away, or has not answered in time.
    case dismissed
    /// The question cannot be asked; a sentence says why.
    case unavailable(String)
  }

  /// Whether there is a server that shows buttons. One that is installed and does not run is started.
  ///
  /// - Parameter address: The bus; nil for that of the session.
  /// - Returns: Whether the question can be asked.
  package static func isAvailable(address: String? = nil) -> Bool {
    let link = DesktopLink(address: address) { _ in }
    defer { link.stop() }
    return (try? link.findServer())?.takesActions ?? false
  }

  /// Asks, and waits for the answer. The question goes when the time is over.
  ///
  /// - Parameters:
  ///   - appName: Who wants to send notifications.
  ///   - usage: What for, in the app's own words; nil or empty where it gives no reason, which the question says then.
  ///   - seconds: How long to wait for the answer.
  ///   - address: The bus; nil for that of the session.
  /// - Returns: The answer.
  package static func ask(appName: String, usage: String?, seconds: Double, address: String? = nil) -> Answer
  {
    let given = Awaited<Answer>()
    let link = DesktopLink(address: address) { event in
      switch event {
      case .action(_, allow.key, _): given.give(.allowed)
      case .action(_, refuse.key, _): given.give(.refused)
      case .closed: given.give(.dismissed)
      case .action, .serverChanged: break
      }
    }
    defer { link.stop() }
    let question = DesktopNotification(
      appName: appName, summary: "Allow “\(appName)” to send notifications?",
      body: usage.flatMap { $0.isEmpty ? nil : $0 } ?? "The app gives no reason.", actions: [allow, refuse],
      urgency: .critical, expiry: .never)
    do throws(DesktopLinkError) {
      guard try link.findServer().takesActions else { return .unavailable(withoutButtons) }
      try link.show(question, identifier: identifier)
    } catch {
      return .unavailable(error.message)
    }
    let answer = given.wait(milliseconds: Int(clamping: Int64(min(max(0, seconds), 1e9) * 1000)))
    guard link.server != nil || answer != nil else { return .unavailable(DesktopLinkError.noServer.message) }
    link.close(identifier: identifier)
    return answer ?? .dismissed
  }

  private static let identifier = "permission"
  private static let allow = DesktopNotification.Action(key: "allow", label: "Allow")
  private static let refuse = DesktopNotification.Action(key: "refuse", label: "Don't allow")
  private static let withoutButtons =
    "Cannot ask on the desktop: its notification server shows no buttons. Answer with 'fenceline permission'."
}
