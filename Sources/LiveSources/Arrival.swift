package import FencelineCivilTime
import Glibc

/// When something arrived, by two clocks: one that people set and one that never jumps.
package struct Arrival: Hashable, Sendable {
  /// The time of the system's clock.
  package var utc: Timestamp
  /// Nanoseconds since the machine was started, those in which it slept included.
  package var bootNanoseconds: Int64

  /// The same in milliseconds.
  package var boot: Int64 { bootNanoseconds / 1_000_000 }

  /// An instant as both clocks tell it, the second in milliseconds.
  package init(utc: Timestamp, boot: Int64) {
    self.utc = utc
    bootNanoseconds = boot * 1_000_000
  }

  /// The present.
  package static var now: Arrival {
    var arrival = Arrival(utc: Timestamp(milliseconds: read(CLOCK_REALTIME) / 1_000_000), boot: 0)
    arrival.bootNanoseconds = read(CLOCK_BOOTTIME)
    return arrival
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
