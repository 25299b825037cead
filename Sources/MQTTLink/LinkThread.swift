internal import CFencelineLinux
internal import Glibc

/// Starts a thread that no signal reaches and that nobody waits for.
///
/// - Returns: False where the system gives none.
func startLinkThread(_ work: @escaping @Sendable () -> Void) -> Bool {
  let box = unsafe Unmanaged.passRetained(ThreadWork(work))
  var thread = pthread_t()
  let result = unsafe fenceline_start_thread(
    &thread,
    { context in
      guard let context = unsafe context else { return nil }
      unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  guard result == 0 else {
    unsafe box.release()
    return false
  }
  pthread_detach(thread)
  return true
}

private final class ThreadWork: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
