import Glibc
import Synchronization

@testable import FencelineDesktopLink

/// The events of a link, to be waited for.
final class EventLog: Sendable {
  private let events = Mutex<[DesktopLink.Event]>([])

  /// All of them, in order.
  var all: [DesktopLink.Event] { events.withLock { $0 } }

  /// Those that concern notifications.
  var ofNotifications: [DesktopLink.Event] {
    all.filter { event in
      if case .serverChanged = event { false } else { true }
    }
  }

  func add(_ event: DesktopLink.Event) {
    events.withLock { $0.append(event) }
  }

  /// Waits until an event has come so often, for ten seconds at most.
  ///
  /// - Returns: Whether it has.
  func has(_ event: DesktopLink.Event, times: Int = 1) -> Bool {
    for _ in 0..<1000 {
      if all.count(where: { $0 == event }) >= times { return true }
      usleep(10_000)
    }
    return false
  }
}

/// A link that its own events know.
final class LinkHolder: Sendable {
  private let content = Mutex<DesktopLink?>(nil)

  var link: DesktopLink? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
