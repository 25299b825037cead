internal import CFencelineLinux
internal import Glibc
internal import Synchronization

/// The streams that a server sends.
final class StreamSet: Sendable {
  private struct Watched {
    let stream: EventStream
    let socket: Int32
  }

  private struct State {
    var streams: [UInt: Watched] = [:]
    var isEnded = false
  }

  private let state = Mutex(State())
  /// poll(2) finds it ready when the client of a stream has gone: libmicrohttpd does not look at connections that are suspended.
  let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))

  deinit { close(descriptor) }

  /// Notes a stream; it ends at once where the server stops.
  func add(_ stream: EventStream, socket: Int32) {
    state.withLock { state in
      if state.isEnded { stream.end() }
      state.streams[Self.key(stream)] = Watched(stream: stream, socket: socket)
      // That the other side has hung up is told whatever is asked for; here once, and nothing else.
      var event = unsafe epoll_event(events: EPOLLET.rawValue, data: .init(u64: UInt64(Self.key(stream))))
      unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
    }
  }

  /// Forgets a stream, before its socket is closed.
  func remove(_ stream: EventStream) {
    state.withLock { state in
      guard let watched = state.streams.removeValue(forKey: Self.key(stream)) else { return }
      epoll_ctl(descriptor, EPOLL_CTL_DEL, watched.socket, nil)
    }
  }

  private static func key(_ stream: EventStream) -> UInt { UInt(bitPattern: ObjectIdentifier(stream)) }

  func keepAlive() {
    state.withLock { state in
      for watched in state.streams.values { watched.stream.keepAlive() }
    }
  }

  /// Ends the streams whose clients have gone.
  func hangUp() {
    // Under the lock, so that none of them is another stream by now.
    state.withLock { state in
      var events = unsafe [epoll_event](repeating: epoll_event(), count: 16)
      let count = unsafe epoll_wait(descriptor, &events, Int32(events.count), 0)
      let keys = unsafe events.prefix(Int(max(0, count))).map { unsafe UInt($0.data.u64) }
      for key in keys { state.streams[key]?.stream.hangUp() }
    }
  }

  /// Ends all, those that come later too.
  func end() {
    state.withLock { state in
      state.isEnded = true
      for watched in state.streams.values { watched.stream.end() }
    }
  }
}
