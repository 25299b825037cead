package import FencelineCivilTime
import Glibc

/// When something arrived, by two clocks: one that people set and one that never jumps.
package struct Arrival: Hashable, Sendable {
  /// The time of the system's clock.
  package var utc: Timestamp
  /// Milliseconds since the machine was started, those in which it slept included.
  package var boot: Int64

  /// An instant as both clocks tell it.
  package init(utc: Timestamp, boot: Int64) {
    self.utc = utc
    self.boot = boot
  }

  /// The present.
  package static var now: Arrival {
    Arrival(utc: Timestamp(milliseconds: read(CLOCK_REALTIME)), boot: read(CLOCK_BOOTTIME))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
