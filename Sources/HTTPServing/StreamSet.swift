internal import Synchronization

/// The streams that a server sends.
final class StreamSet: Sendable {
  private let state = Mutex<(streams: [ObjectIdentifier: EventStream], isEnded: Bool)>(([:], false))

  /// Notes a stream; it ends at once where the server stops.
  func add(_ stream: EventStream) {
    state.withLock { state in
      if state.isEnded { stream.end() }
      state.streams[ObjectIdentifier(stream)] = stream
    }
  }

  func remove(_ stream: EventStream) {
    state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
  }

  func keepAlive() {
    state.withLock { state in
      for stream in state.streams.values { stream.keepAlive() }
    }
  }

  /// Ends all, those that come later too.
  func end() {
    state.withLock { state in
      state.isEnded = true
      for stream in state.streams.values { stream.end() }
    }
  }
}
