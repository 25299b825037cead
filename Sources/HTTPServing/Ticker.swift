internal import Glibc

/// Does something again and again, on a thread of its own.
final class Ticker: Sendable {
  /// A pipe: closing its end for writing ends the thread.
  private let ends: (reading: Int32, writing: Int32)
  private let thread: pthread_t

  /// - Parameters:
  ///   - period: The time between, in milliseconds.
  ///   - action: What to do; not at once.
  init?(every period: Int32, _ action: @escaping @Sendable () -> Void) {
    var pair: [Int32] = [-1, -1]
    guard unsafe pipe(&pair) == 0 else { return nil }
    let ends = (reading: pair[0], writing: pair[1])
    for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let work = unsafe Unmanaged.passRetained(
      Work {
        var request = pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&request, 1, period) <= 0 { action() }
      })
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      unsafe work.release()
      close(ends.reading)
      close(ends.writing)
      return nil
    }
    self.ends = ends
    self.thread = thread
  }

  /// Ends the thread; to be called once.
  func stop() {
    close(ends.writing)
    pthread_join(thread, nil)
    close(ends.reading)
  }

  private final class Work {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
