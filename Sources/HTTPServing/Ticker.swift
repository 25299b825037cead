internal import Glibc

/// Does something again and again, and when a descriptor is ready, on a thread of its own.
final class Ticker: Sendable {
  enum Event: Sendable {
    /// Another period is over.
    case time
    /// The descriptor is ready to be read.
    case descriptor
  }

  /// A pipe: closing its end for writing ends the thread.
  private let ends: (reading: Int32, writing: Int32)
  private let thread: pthread_t

  /// - Parameters:
  ///   - period: The time between, in milliseconds.
  ///   - descriptor: What poll(2) is asked for besides.
  ///   - action: What to do; not at once.
  init?(every period: Int32, watching descriptor: Int32, _ action: @escaping @Sendable (Event) -> Void) {
    var pair: [Int32] = [-1, -1]
    guard unsafe pipe(&pair) == 0 else { return nil }
    let ends = (reading: pair[0], writing: pair[1])
    for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let work = unsafe Unmanaged.passRetained(
      Work { Ticker.run(until: ends.reading, every: Int64(period), watching: descriptor, action) })
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

  private static func run(
    until end: Int32, every period: Int64, watching descriptor: Int32, _ action: (Event) -> Void
  ) {
    var wanted = [end, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var next = now + period
    while true {
      guard unsafe poll(&wanted, 2, Int32(clamping: max(0, next - now))) >= 0 else { continue }
      if wanted[0].revents != 0 { return }
      if wanted[1].revents != 0 { action(.descriptor) }
      if now >= next {
        action(.time)
        next = now + period
      }
    }
  }

  /// Milliseconds of a clock that nobody sets.
  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private final class Work {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
