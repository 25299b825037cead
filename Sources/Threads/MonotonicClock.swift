internal import Glibc

/// The clock to wait by; nobody sets it.
package enum MonotonicClock {
  /// Milliseconds since some time.
  package static var now: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
