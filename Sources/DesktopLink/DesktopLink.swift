internal import FencelineThreads
internal import Synchronization

/// The desktop's notification server (`org.freedesktop.Notifications`), over the session bus.
///
/// A thread of its own connects, connects again whenever the bus or the server was lost, and shows again what was shown and
/// not answered when a server has gone and another one comes.
///
/// ```swift
/// let link = DesktopLink { event in
///   if case .action(let identifier, let key, _) = event { print(identifier, key) }
/// }
/// try link.show(DesktopNotification(appName: "Fenceline", summary: "Back at the office"), identifier: "office")
/// ```
package final class DesktopLink: Sendable {
  /// Why a notification is no longer shown.
  package enum ClosingReason: Hashable, Sendable {
    /// Its time was over.
    case expired
    /// The user has put it away.
    case dismissed
    /// Another program than this one has taken it back.
    case withdrawn
    /// The server does not say.
    case unknown
  }

  /// What happens to what was shown.
  package enum Event: Hashable, Sendable {
    /// A button was pressed, or a reply sent. The notification counts as answered: that it goes then is not told.
    case action(identifier: String, key: String, reply: String?)
    /// It has gone without an answer. What ``DesktopLink/close(identifier:)`` has closed is not told.
    case closed(identifier: String, reason: ClosingReason)
    /// There is a server now, or none any more. At first there is none.
    case serverChanged(isThere: Bool)
  }

  private let box = OrderBox()
  /// Nil where there is none, and once it was stopped.
  private let thread: Mutex<RunnerThread?>

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - address: The bus; nil for the one that `DBUS_SESSION_BUS_ADDRESS` names, or else `bus` in `XDG_RUNTIME_DIR`.
  ///   - event: Is told what happens, on the link's own thread: it should return soon, and can close but not
  ///     show anything from there.
  package init(address: String? = nil, event: @escaping @Sendable (Event) -> Void) {
    // The environment belongs to the caller's thread.
    let address = address ?? BusAddress.session()
    let thread =
      box.descriptor < 0
      ? nil : RunnerThread { [box] in LinkSession(box: box, address: address, tell: event).run() }
    self.thread = Mutex(thread)
  }

  deinit { stop() }

  /// Who shows notifications; nil while nobody does.
  package var server: ServerInfo? { box.server }

  /// Shows a notification, or replaces the one with the same identifier, and waits until the server has it. A server that is installed and
  /// does not run is started.
  ///
  /// What was given up for want of an answer may be shown later nevertheless.
  ///
  /// - Parameters:
  ///   - notification: What is shown.
  ///   - identifier: What it is called here.
  ///   - patience: Milliseconds to wait.
  /// - Throws: ``DesktopLinkError``.
  package func show(_ notification: DesktopNotification, identifier: String, patience: Int = 5000)
    throws(DesktopLinkError)
  {
    try perform(.show(notification, identifier: identifier), patience: patience)
  }

  /// Closes a notification where it is shown, without waiting for that.
  package func close(identifier: String) {
    _ = box.put(Order(kind: .close(identifier: identifier), result: nil))
  }

  /// Waits until there is a server. One that is installed and does not run is started.
  ///
  /// - Parameter patience: Milliseconds to wait.
  /// - Returns: Who it is.
  /// - Throws: ``DesktopLinkError``.
  package func findServer(patience: Int = 5000) throws(DesktopLinkError) -> ServerInfo {
    try perform(.findServer, patience: patience)
    // It may have gone at once.
    guard let server else { throw .noServer }
    return server
  }

  /// Whether the server holds notifications back now because the user does not want to be disturbed. Some show what is critical all the
  /// same.
  ///
  /// - Parameter patience: Milliseconds to wait for its answer.
  /// - Returns: Nil where it does not say, or is not there.
  package func isPaused(patience: Int = 2000) -> Bool? {
    let state = thread.withLock { (isThere: $0 != nil, isOurs: $0?.isCurrent ?? false) }
    let answer = Awaited<Bool?>()
    guard state.isThere, !state.isOurs, box.put(Order(kind: .askPaused(answer), result: nil)) else {
      return nil
    }
    return answer.wait(milliseconds: patience) ?? nil
  }

  /// Ends the connection; what is shown stays. What was to be closed is closed before, as far as that takes no longer than half a
  /// second. A second call does nothing.
  package func stop() {
    box.close()
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  private func perform(_ kind: Order.Kind, patience: Int) throws(DesktopLinkError) {
    let state = thread.withLock { (isThere: $0 != nil, isOurs: $0?.isCurrent ?? false) }
    guard !state.isOurs else { throw .wrongThread }
    let result = Awaited<DesktopLinkError?>()
    guard state.isThere, box.put(Order(kind: kind, result: result)) else { throw .stopped }
    guard let error = result.wait(milliseconds: patience) else { throw .noAnswer(milliseconds: patience) }
    if let error { throw error }
  }
}
