internal import FencelineDesktopLink
internal import FencelineNotifying
internal import Synchronization

/// Which notifications the desktop shows, by what the link calls them.
final class DesktopShelf: Sendable {
  /// What is known of one.
  struct Entry {
    let number: Int64
    /// Whether it is still there when it was answered.
    let isResident: Bool
    /// The action that a reply stands for; nil where there is none.
    let replyAction: String?
  }

  /// Of more, those with the least numbers are forgotten: some servers never tell that a notification has gone.
  static let capacity = 1000

  private let entries = Mutex<[String: Entry]>([:])

  /// The numbers of those that are shown.
  var numbers: [Int64] { entries.withLock { $0.values.map(\.number) } }

  /// Takes notice that one is shown.
  ///
  /// - Returns: The one in whose place it is.
  func put(_ entry: Entry, _ identifier: String) -> Entry? {
    entries.withLock { entries in
      let before = entries.updateValue(entry, forKey: identifier)
      if entries.count > DesktopShelf.capacity,
        let oldest = entries.min(by: { $0.value.number < $1.value.number })
      {
        entries[oldest.key] = nil
      }
      return before
    }
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
      let known = entries.withLock { entries in
        defer { if entries[identifier]?.isResident == false { entries[identifier] = nil } }
        return entries[identifier]
      }
      guard let entry = known else { return nil }
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
