import FencelineTrackLogs
import Glibc
import Synchronization

/// A thread that can be told to end while it waits.
final class SourceThread: Sendable {
  /// Why a wait is over.
  enum Wake { case ready, timeOut, stop }

  private struct State {
    var isStopping = false
    var isBlocked = false
    var hasStarted = false
  }
  private let state = Mutex(State())
  /// Closed from the moment on at which the thread is to end.
  private let stopping = Gate()
  /// Closed once it has.
  private let ended = Gate()

  /// Runs `body` on a new thread, which no signal reaches.
  func start(_ body: @escaping @Sendable () -> Void) throws(LiveSourceError) {
    guard stopping.exists, ended.exists else { throw Self.failure(EMFILE) }
    let code = startThread {
      body()
      self.ended.close()
    }
    guard code == 0 else { throw Self.failure(code) }
    state.withLock { $0.hasStarted = true }
  }

  /// Whether the thread is to end.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Tells the thread to end and waits for that, at most a second, and not at all while it is in ``blocking(_:)``.
  func stop() {
    let mustWait = state.withLock { state in
      state.isStopping = true
      return state.hasStarted && !state.isBlocked
    }
    stopping.close()
    if mustWait { _ = Self.poll(ended, -1, 1_000) }
  }

  /// Calls something that may block for long. Whoever stops the thread leaves it behind, and it ends when it comes back.
  func blocking<Result, Failure>(_ body: () throws(Failure) -> Result)
    throws(Failure) -> Result
  {
    state.withLock { $0.isBlocked = true }
    defer { state.withLock { $0.isBlocked = false } }
    return try body()
  }

  /// Waits until there is something to read.
  ///
  /// - Parameters:
  ///   - descriptor: What is to be read from; the end of it counts as something.
  ///   - milliseconds: The longest wait.
  /// - Returns: Why it is over.
  func wait(for descriptor: Int32, _ milliseconds: Int) -> Wake {
    Self.poll(stopping, descriptor, milliseconds)
  }

  /// Waits.
  ///
  /// - Returns: Whether the thread is to go on.
  func sleep(_ milliseconds: Int) -> Bool {
    Self.poll(stopping, -1, milliseconds) != .stop
  }

  private static func poll(_ gate: Gate, _ descriptor: Int32, _ milliseconds: Int) -> Wake {
    var requests = [
      pollfd(fd: gate.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = unsafe Glibc.poll(&requests, 2, Int32(clamping: max(0, milliseconds)))
    if requests[0].revents != 0 { return .stop }
    return count > 0 ? .ready : .timeOut
  }

  private static func failure(_ code: Int32) -> LiveSourceError {
    LiveSourceError(
      .resources,
      "Cannot start a live source: \(systemMessage(code)). Close other programs, or raise the limits.")
  }
}

/// Something that many can wait for and that happens once: the writing end of a pipe is closed.
private final class Gate: Sendable {
  /// poll(2) finds it ready from then on; -1 where the system gave no pipe.
  let descriptor: Int32
  private let writer: Mutex<Int32>

  init() {
    var ends: [Int32] = [-1, -1]
    _ = unsafe pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    writer = Mutex(ends[1])
  }

  deinit {
    close()
    Glibc.close(descriptor)
  }

  var exists: Bool { descriptor >= 0 }

  func close() {
    writer.withLock { writer in
      Glibc.close(writer)
      writer = -1
    }
  }
}

/// The system's words for an error number, in lower case: `no such file or directory`.
func systemMessage(_ number: Int32) -> String {
  let text = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  return text.prefix(1).lowercased() + text.dropFirst()
}
