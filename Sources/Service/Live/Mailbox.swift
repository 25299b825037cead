internal import CFencelineLinux
internal import FencelineLiveSources
internal import FencelinePositioning
internal import Glibc
internal import Synchronization

/// What waits for the engine: one queue, filled by any thread, emptied by one.
///
/// Fixes are bounded: where there is no room the oldest one is dropped and counted, since the newest say where a device is. Everything
/// else is rare and never dropped.
final class Mailbox: Sendable {
  enum Item: Sendable {
    case event(SourceEvent)
    case question(Question)
  }

  private struct State {
    /// What is taken comes from here; the rest arrives behind it.
    var items: [Item] = []
    var fixes = 0
    var dropped = 0
  }

  /// How many fixes may wait: a quarter of an hour of a 10 Hz receiver.
  static let capacity = 10_000

  private let state = Mutex(State())
  /// poll(2) finds it ready while there is something in the mailbox.
  let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

  deinit { close(descriptor) }

  func post(_ item: Item) {
    let isFix = if case .event(.fix) = item { true } else { false }
    let wasEmpty = state.withLock { state in
      let wasEmpty = state.items.isEmpty
      if isFix, state.fixes == Mailbox.capacity {
        // Only where the engine is stuck, so that the cost of closing the gap does not matter.
        if let oldest = state.items.firstIndex(where: { if case .event(.fix) = $0 { true } else { false } }) {
          state.items.remove(at: oldest)
          state.dropped += 1
          state.fixes -= 1
        }
      }
      state.items.append(item)
      if isFix { state.fixes += 1 }
      return wasEmpty
    }
    // Who asks does not wait for what the engine leaves in the mailbox.
    if wasEmpty || !isFix { _ = eventfd_write(descriptor, 1) }
  }

  /// Takes everything that waits.
  func take() -> [Item] {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor, &count)
    return state.withLock { state in
      defer {
        state.items = []
        state.fixes = 0
      }
      return state.items
    }
  }

  /// Takes the questions that wait and leaves everything else.
  func takeQuestions() -> [Question] {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor, &count)
    return state.withLock { state in
      var questions: [Question] = []
      state.items.removeAll { item in
        guard case .question(let question) = item else { return false }
        questions.append(question)
        return true
      }
      return questions
    }
  }

  /// How many fixes wait, and how many were dropped.
  var counts: (waiting: Int, dropped: Int) { state.withLock { ($0.fixes, $0.dropped) } }
}

/// Something that another thread wants to know from the engine, and waits for.
final class Question: Sendable {
  private let answer = Mutex<String?>(nil)
  private let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

  deinit { close(descriptor) }

  func answer(_ text: String) {
    answer.withLock { $0 = text }
    _ = eventfd_write(descriptor, 1)
  }

  /// The answer; nil where it does not come within so many milliseconds.
  func wait(_ milliseconds: Int32) -> String? {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&request, 1, milliseconds) < 0, errno == EINTR {}
    return answer.withLock { $0 }
  }
}
