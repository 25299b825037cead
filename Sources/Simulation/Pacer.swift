internal import Glibc

/// Waits for moments of a simulation, and for the user to have enough of it.
///
/// While it is there, SIGINT, SIGTERM and SIGHUP end a wait and nothing else, so that what was made can be taken away.
package final class Pacer {
  private let start: timespec
  private let speedup: Double
  private let signals: sigset_t

  /// A pacer whose time begins now.
  ///
  /// - Parameter speedup: How many simulated seconds go by in a second; above 0.
  package init(speedup: Double) {
    self.speedup = speedup
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    start = now
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    signals = set
  }

  deinit {
    var set = signals
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Waits for a moment; one that is past is there at once.
  ///
  /// - Parameter seconds: Simulated seconds since the start.
  /// - Returns: Whether to go on; false where a signal has come.
  package func wait(until seconds: Double) -> Bool {
    while true {
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      let passed = Double(now.tv_sec - start.tv_sec) + Double(now.tv_nsec - start.tv_nsec) / 1e9
      let left = max(0, seconds / speedup - passed)
      let whole = left.rounded(.down)
      var patience = timespec(tv_sec: Int(whole), tv_nsec: Int((left - whole) * 1e9))
      var set = signals
      if unsafe sigtimedwait(&set, nil, &patience) > 0 { return false }
      if errno == EAGAIN { return true }
    }
  }
}

@available(*, unavailable)
extension Pacer: Sendable {}
