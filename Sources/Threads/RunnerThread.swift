internal import CFencelineLinux
internal import Glibc

/// A thread that no signal reaches.
package final class RunnerThread: Sendable {
  private let thread: pthread_t

  /// Starts it; nil where the system gives none.
  package init?(_ work: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Work(run: work))
    var thread = pthread_t()
    let result = unsafe fenceline_start_thread(
      &thread,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard result == 0 else {
      unsafe box.release()
      return nil
    }
    self.thread = thread
  }

  /// Whether it is the one that asks.
  package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

  /// Waits for its end, or lets it end by itself where it is the one that asks; to be called once.
  package func join() {
    if isCurrent { pthread_detach(thread) } else { pthread_join(thread, nil) }
  }

  /// Lets it end by itself; to be called once, and not with ``join()``.
  package func detach() { pthread_detach(thread) }

  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
