internal import CFencelineLinux
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// A value that one thread gives and another one waits for.
final class Awaited<Value: Sendable>: Sendable {
  private enum State { case open, given(Value), abandoned }

  private let state = Mutex<State>(.open)
  private let event = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))

  deinit { if event >= 0 { close(event) } }

  /// Whether nobody waits any more.
  var isAbandoned: Bool {
    state.withLock { state in
      if case .abandoned = state { true } else { false }
    }
  }

  /// Gives the value; what comes after a first one is ignored.
  func give(_ value: Value) {
    state.withLock { state in
      guard case .open = state else { return }
      state = .given(value)
      _ = eventfd_write(event, 1)
    }
  }

  /// Waits for the value; to be called once.
  ///
  /// - Parameter milliseconds: For how long at most.
  /// - Returns: Nil where there was none until then.
  func wait(milliseconds: Int) -> Value? {
    let end = MonotonicClock.now + Int64(milliseconds)
    var request = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&request, 1, Int32(clamping: max(0, end - MonotonicClock.now))) < 0, errno == EINTR {}
    return state.withLock { state in
      if case .given(let value) = state { return value }
      state = .abandoned
      return nil
    }
  }
}
