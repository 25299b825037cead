internal import Glibc

/// A thread that can be waited for.
public final class BackgroundThread: Sendable {
  private let thread: pthread_t

  /// Starts the thread.
  ///
  /// - Parameter work: What it does.
  public init(_ work: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Box(work))
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, box.toOpaque())
    precondition(result == 0, "no thread can be started")
    self.thread = thread
  }

  /// Waits for its end; to be called once.
  public func join() { pthread_join(thread, nil) }

  /// Lets it end by itself; to be called once, and not with ``join()``.
  public func detach() { pthread_detach(thread) }

  private final class Box {
    let work: () -> Void
    init(_ work: @escaping () -> Void) { self.work = work }
  }
}
