internal import Synchronization

/// Server-sent events to any number of clients.
///
/// Publishing never waits for anyone. Each client has a queue of its own; one that is too slow loses the oldest events and is told
/// with an event `lost` how many: `{"events":12}`. The latest events with ids are kept, so that a client can go on where its connection
/// broke; where its place is no longer known it is told `{"events":null}`.
///
/// - Source: HTML Living Standard, 9.2 Server-sent events.
package final class EventHub: Sendable {
  private struct State {
    var streams: [ObjectIdentifier: EventStream] = [:]
    /// The latest events that have ids.
    var past: [(id: String, name: String, event: [UInt8])] = []
    var dropped = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let onChange: (@Sendable (_ clients: Int) -> Void)?

  /// - Parameters:
  ///   - capacity: How many events may wait for one client, and how many are kept for those that come back.
  ///   - onChange: Told how many clients listen whenever one has come or gone, on the server's thread. What is published from then on reaches
  ///     who has come; one that has gone is noticed at once.
  package init(capacity: Int = 1000, onChange: (@Sendable (_ clients: Int) -> Void)? = nil) {
    precondition(capacity > 0, "a queue has room for an event")
    self.capacity = capacity
    self.onChange = onChange
  }

  /// Hands an event to every client that wants it.
  ///
  /// - Parameters:
  ///   - event: Its name, one word.
  ///   - id: What a client names to go on behind it, without line breaks; nil for an event that nobody needs later.
  ///   - data: Its content; may have several lines.
  package func publish(_ event: String, id: String? = nil, data: String) {
    var text = id.map { "id: \($0)\n" } ?? ""
    text += "event: \(event)\n"
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      text += "data: \(line)\n"
    }
    let bytes = Array((text + "\n").utf8)
    state.withLock { state in
      guard !state.isClosed else { return }
      if let id {
        if state.past.count == capacity { state.past.removeFirst() }
        state.past.append((id, event, bytes))
      }
      for stream in state.streams.values where stream.wants(event) { state.dropped += stream.add(bytes) }
    }
  }

  /// The events that are kept, oldest first.
  var past: [(id: String, name: String, event: [UInt8])] { state.withLock { $0.past } }

  /// How many clients listen.
  package var clients: Int { state.withLock { $0.streams.count } }

  /// How many events were dropped, over all clients there ever were.
  package var dropped: Int { state.withLock { $0.dropped } }

  /// Ends all streams behind what has been published, and refuses what comes later.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      for stream in state.streams.values { stream.end() }
    }
  }

  /// A stream for one client, which must be removed again.
  func subscribe(names: Set<String>?, after: String?) -> EventStream {
    let (stream, clients) = state.withLock { state in
      var events: [[UInt8]] = []
      if let after {
        if let place = state.past.lastIndex(where: { $0.id == after }) {
          for past in state.past[(place + 1)...] where names?.contains(past.name) ?? true {
            events.append(past.event)
          }
        } else {
          events.append(EventStream.lost(nil))
        }
      }
      let stream = EventStream(names: names, capacity: capacity, past: events)
      if state.isClosed { stream.end() }
      state.streams[ObjectIdentifier(stream)] = stream
      return (stream, state.streams.count)
    }
    onChange?(clients)
    return stream
  }

  func remove(_ stream: EventStream) {
    let clients = state.withLock { state in
      state.streams[ObjectIdentifier(stream)] = nil
      return state.streams.count
    }
    onChange?(clients)
  }
}
