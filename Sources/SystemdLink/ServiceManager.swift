internal import CFencelineSystemd
internal import Glibc

/// What the service tells systemd, where that has started it; elsewhere nothing happens.
package enum ServiceManager {
  /// Says that the service has started.
  ///
  /// - Parameter status: What it does, for `systemctl status`: a line without positions or names of places.
  package static func notifyReady(status: String) {
    send("READY=1\nSTATUS=\(line(status))")
  }

  /// Says what the service does, for `systemctl status`.
  package static func notifyStatus(_ status: String) {
    send("STATUS=\(line(status))")
  }

  /// Says that the service is alive; to be called more often than ``watchdogInterval``.
  package static func notifyWatchdog() {
    send("WATCHDOG=1")
  }

  /// Says that the service is about to end.
  package static func notifyStopping() {
    send("STOPPING=1")
  }

  /// After how many seconds without ``notifyWatchdog()`` systemd takes the service for hung; nil where it does not watch.
  package static var watchdogInterval: Double? {
    var microseconds: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return Double(microseconds) / 1e6
  }

  /// An assignment is a line: what follows a line break would be another one.
  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  private static func send(_ state: String) {
    // Nobody can be told where it fails.
    _ = unsafe sd_notify(0, state)
  }
}
