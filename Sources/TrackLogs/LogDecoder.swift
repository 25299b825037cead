import FencelinePositioning

/// One format's reader: bytes in, fixes out. Where the stream is cut into pieces changes nothing.
protocol LogDecoder {
  /// What was left out so far.
  var tally: LogTally { get }
  /// What the user should know about the log as a whole; complete after ``finish(into:)``.
  var warnings: [String] { get }
  /// What stops the reading; nil as long as it can go on.
  var fault: LogFault? { get }

  /// Takes the next piece.
  mutating func decode(_ bytes: Span<UInt8>, into fixes: inout [Fix])
  /// Takes the end of the stream.
  mutating func finish(into fixes: inout [Fix])
}

/// Why a decoder cannot go on.
enum LogFault: Equatable, Sendable {
  /// The log breaks off or is damaged; the text completes "Cannot read … to its end:".
  case damaged(String)
  /// The content must not be read; the text completes "Cannot read …:".
  case refused(String)
  /// The content is something else; the text completes "Cannot read …:".
  case unrecognised(String)
}
