internal import CFencelineLinux
internal import Glibc

/// What the kernel knows about its clock.
package enum SystemClock {
  /// Whether something keeps the system's clock right: NTP, PTP, or gpsd through chrony.
  ///
  /// - Source: adjtimex(2), `STA_UNSYNC` and `TIME_ERROR`.
  package static var isSynchronised: Bool {
    var state = timex()
    return unsafe adjtimex(&state) != TIME_ERROR
  }
}
