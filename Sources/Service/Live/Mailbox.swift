internal import CFencelineLinux
internal import FencelineDelivery
internal import FencelineEventJournal
internal import FencelineLiveSources
internal import FencelinePositioning
internal import Glibc
internal import Synchronization

/// What waits for the engine: one queue, filled by any thread, emptied by one.
///
/// Events are bounded: where there is no room the oldest one is dropped and counted, since the newest say where a device is and what
/// its receiver does. Questions and answers are never dropped: each has somebody who waits for it.
final class Mailbox: Sendable {
  enum Item: Sendable {
    case event(SourceEvent)
    case question(Question)
    /// How a program in the foreground wants a notification to be presented; nil where none is left that could say so.
    case presentation(Int64, Set<String>?)
    /// How the program of a response has ended.
    case commandEnded(Int64, String)
    /// What has become of something that a channel was to carry.
    case carried(DeliveryOutcome)
    /// A channel takes more.
    case courierIsFree
    /// What somebody has done with a notification, where a channel has shown it.
    case answered(ChannelContext.Answer)
  }

  private struct State {
    /// What is taken comes from here; the rest arrives behind it.
    var items: [Item] = []
    var events = 0
    var dropped = 0
    var isClosed = false
  }

  /// How many events may wait: a quarter of an hour of a 10 Hz receiver.
  static let capacity = 10_000

  private let state = Mutex(State())
  /// poll(2) finds it ready while there is something in the mailbox.
  let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

  deinit { Glibc.close(descriptor) }

  func post(_ item: Item) {
    let isEvent = if case .event = item { true } else { false }
    let wasEmpty: Bool? = state.withLock { state in
      guard isEvent || !state.isClosed else { return nil }
      let wasEmpty = state.items.isEmpty
      if isEvent, state.events == Mailbox.capacity {
        // Only where the engine is stuck, so that the cost of closing the gap does not matter.
        if let oldest = state.items.firstIndex(where: { if case .event = $0 { true } else { false } }) {
          state.items.remove(at: oldest)
          state.dropped += 1
          state.events -= 1
        }
      }
      state.items.append(item)
      if isEvent { state.events += 1 }
      return wasEmpty
    }
    guard let wasEmpty else {
      if case .question(let question) = item { question.answer(nil) }
      return
    }
    // Who asks does not wait for what the engine leaves in the mailbox.
    if wasEmpty || !isEvent { _ = eventfd_write(descriptor, 1) }
  }

  /// Waits until there is room, for a source whose sender can wait.
  func waitForRoom() {
    while state.withLock({ $0.events >= Mailbox.capacity && !$0.isClosed }) { usleep(5_000) }
  }

  /// Takes what waits, the oldest first.
  ///
  /// - Parameter limit: How much at most.
  /// - Returns: What was taken.
  func take(_ limit: Int) -> [Item] {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor, &count)
    return state.withLock { state in
      let items = Array(state.items.prefix(limit))
      state.items.removeFirst(items.count)
      for case .event in items { state.events -= 1 }
      return items
    }
  }

  /// Leaves questions without an answer from now on: nobody must wait for an engine that has ended.
  func close() {
    state.withLock { $0.isClosed = true }
    for question in takeQuestions() { question.answer(nil) }
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

  /// How many events wait and how many things in all, and how many events were dropped.
  var counts: (events: Int, all: Int, dropped: Int) {
    state.withLock { ($0.events, $0.items.count, $0.dropped) }
  }
}

/// Something that another thread wants to know from the engine, and waits for.
final class Question: Sendable {
  private let answer = Mutex<String?>(nil)
  private let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

  deinit { close(descriptor) }

  /// Ends the wait, with nothing where there is no answer.
  func answer(_ text: String?) {
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
