/// What has become of a command.
package struct CommandOutcome: Hashable, Sendable {
  /// How it has ended.
  package enum Status: Hashable, Sendable {
    /// By itself, with this status.
    case exited(Int32)
    /// By a signal that it was sent, with this number.
    case signalled(Int32)
    /// It has run for longer than it may, and was ended.
    case timedOut
    /// It was never run; a sentence says why.
    case notStarted(String)
  }

  /// How many bytes of each output are kept.
  package static let maximumOutput = 65_536

  /// How it has ended.
  package var status: Status
  /// The beginning of its standard output.
  package var output: [UInt8] = []
  /// The beginning of its standard error.
  package var errorOutput: [UInt8] = []
  /// Whether more was written than was kept.
  package var isCut = false
  /// How long it has taken.
  package var milliseconds = 0

  /// Whether it has done what it should.
  package var isSuccess: Bool { status == .exited(0) }
}
