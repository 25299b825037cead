import Glibc

/// Runs `body` on a new thread, which no signal reaches and nobody waits for.
///
/// - Returns: 0, or the error number where the system gives no thread.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  let task = unsafe Unmanaged.passRetained(ThreadBody(body))
  // It is created with every signal blocked, so that none comes between.
  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, &attributes,
    { context in
      if let context = unsafe context {
        unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
      }
      return nil
    }, task.toOpaque())
  unsafe pthread_attr_destroy(&attributes)
  unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  if code != 0 { unsafe task.release() }
  return code
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

/// Counts what there is; who finds nothing waits until there is something.
@safe
final class Semaphore: Sendable {
  // The system's functions may be called by many threads at once.
  nonisolated(unsafe) private let semaphore: UnsafeMutablePointer<sem_t>

  /// A semaphore that counts from `count` on.
  init(_ count: Int) {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, UInt32(count))
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Takes one away, as soon as there is one.
  func wait() {
    while unsafe sem_wait(semaphore) != 0, errno == EINTR {}
  }

  /// Adds one.
  func signal() {
    unsafe sem_post(semaphore)
  }
}
