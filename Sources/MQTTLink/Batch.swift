internal import CFencelineLinux
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// Messages that one thread wants to have published and another one publishes.
final class Batch: Sendable {
  private struct State {
    /// Whether the fate of each is known.
    var isDecided: [Bool]
    var open: Int
    /// What was decided and nobody has heard of.
    var news: [(index: Int, result: PublishResult)] = []
  }

  let messages: [MQTTMessage]
  private let state: Mutex<State>
  private let event = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))

  init(_ messages: [MQTTMessage]) {
    self.messages = messages
    state = Mutex(State(isDecided: Array(repeating: false, count: messages.count), open: messages.count))
  }

  deinit { if event >= 0 { close(event) } }

  /// Whether nothing is left to decide.
  var isDecided: Bool { state.withLock { $0.open == 0 } }

  /// Whether the fate of a message is not known.
  func isOpen(_ index: Int) -> Bool { state.withLock { !$0.isDecided[index] } }

  /// Decides what has become of a message, unless that was decided before.
  func decide(_ index: Int, _ result: PublishResult) {
    state.withLock { state in
      guard !state.isDecided[index] else { return }
      state.isDecided[index] = true
      state.open -= 1
      state.news.append((index, result))
    }
    _ = eventfd_write(event, 1)
  }

  /// Decides what has become of all that is left.
  func decideAll(_ result: PublishResult) {
    for index in messages.indices { decide(index, result) }
  }

  /// Waits until everything is decided.
  ///
  /// - Parameters:
  ///   - end: Until when at most, in milliseconds of ``MonotonicClock``.
  ///   - report: Takes each decision as soon as it is known.
  /// - Returns: Whether everything was.
  func wait(until end: Int64, _ report: (Int, PublishResult) -> Void) -> Bool {
    while true {
      var count: eventfd_t = 0
      _ = unsafe eventfd_read(event, &count)
      let (news, open) = state.withLock { state in
        defer { state.news = [] }
        return (state.news, state.open)
      }
      for (index, result) in news { report(index, result) }
      if open == 0 { return true }
      let left = end - MonotonicClock.now
      guard left > 0 else { return false }
      var request = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&request, 1, Int32(clamping: left))
    }
  }
}
