internal import FencelineDesktopLink
internal import FencelineNotifying
internal import Synchronization

/// Which notifications the desktop shows, by what the link calls them.
final class DesktopShelf: Sendable {
  /// What is known of one.
  struct Entry {
    let number: Int64
    /// The action that a reply stands for; nil where there is none.
    let replyAction: String?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The numbers of those that are shown.
  var numbers: [Int64] { entries.withLock { $0.values.map(\.number) } }

  /// Takes notice that one is shown.
  ///
  /// - Returns: The one in whose place it is.
  func put(_ number: Int64, _ replyAction: String?, _ identifier: String) -> Entry? {
    entries.withLock { $0.updateValue(Entry(number: number, replyAction: replyAction), forKey: identifier) }
  }

  /// Takes notice that one is not shown after all, and what was there before still is.
  func restore(_ entry: Entry?, _ identifier: String) {
    entries.withLock { $0[identifier] = entry }
  }

  /// Takes one away.
  ///
  /// - Returns: What the link calls it; nil where it is not shown.
  func remove(_ number: Int64) -> String? {
    entries.withLock { entries in
      guard let identifier = entries.first(where: { $0.value.number == number })?.key else { return nil }
      entries[identifier] = nil
      return identifier
    }
  }

  /// Takes notice of what has happened on the desktop.
  ///
  /// - Returns: The answer that it is; nil where it is none.
  func take(_ event: DesktopLink.Event) -> ChannelContext.Answer? {
    switch event {
    case .action(let identifier, let key, let reply):
      // It stays to be taken back: one that is resident is still shown.
      guard let entry = entries.withLock({ $0[identifier] }) else { return nil }
      let action = key == DesktopNotification.replyKey ? entry.replyAction ?? key : key
      return ChannelContext.Answer(notification: entry.number, action: action, text: reply)
    case .closed(let identifier, let reason):
      guard let entry = entries.withLock({ $0.removeValue(forKey: identifier) }), reason == .dismissed else {
        return nil
      }
      return ChannelContext.Answer(notification: entry.number, action: NotificationAction.dismiss)
    case .serverChanged: return nil
    }
  }
}
