internal import Glibc

/// What is said where the user ends a replay with Ctrl-C.
package enum Interruption {
  /// Says on standard error that nothing was recorded, when SIGINT or SIGTERM ends the process; it ends as it would otherwise.
  ///
  /// - Parameter erasesLine: Whether a progress bar may stand on the line.
  package static func announcesThatNothingWasRecorded(erasesLine: Bool) {
    unsafe interruptionNotice =
      erasesLine ? "\r\u{1B}[Kinterrupted; nothing was recorded\n" : "interrupted; nothing was recorded\n"
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        // A handler may do little more than this: no allocation, no lock.
        _ = unsafe write(2, interruptionNotice.utf8Start, interruptionNotice.utf8CodeUnitCount)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Lets SIGINT and SIGTERM end the process without a word again.
  package static func isOver() {
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}

/// Written before the handlers are set and never after.
nonisolated(unsafe) private var interruptionNotice: StaticString = ""
