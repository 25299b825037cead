internal import CFencelineSystemd

/// The system's clock.
package enum SystemClock {
  /// Whether it is kept right by NTP, PTP or a receiver, as the kernel has been told; nil where it may not be asked, as in some
  /// containers.
  ///
  /// - Source: adjtimex(2).
  package static var isSynchronised: Bool? {
    switch fenceline_clock_is_synchronised() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
