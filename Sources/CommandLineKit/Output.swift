/// Why standard output takes no more.
package struct OutputError: Error, Equatable {
  /// The system's error number.
  package let code: Int32

  /// Whether the reader has gone (`fenceline history | head`); the program then ends quietly.
  package var isBrokenPipe: Bool { code == System.brokenPipe }
  /// The exit status that fits: 0, or `EX_IOERR` of sysexits.h.
  package var status: Int32 { isBrokenPipe ? 0 : 74 }
  /// A sentence for standard error; empty for a broken pipe.
  package var message: String {
    isBrokenPipe ? "" : "Cannot write to standard output: \(System.message(for: code))."
  }
}

/// Standard output, written in large pieces that end with a line.
///
/// Lines of a terminal go out at once. The program must ignore SIGPIPE, else a reader that goes away kills
/// it, and must call `flush()` before it ends. After an error every call throws that error again.
package final class Output {
  /// Writes some bytes: how many, or the negated `errno`.
  package typealias Sink = (ArraySlice<UInt8>) -> Int

  private let sink: Sink
  private let capacity: Int
  private let isImmediate: Bool
  private var buffer: [UInt8] = []
  private var failure: OutputError?

  /// - Parameters:
  ///   - capacity: Bytes to hold before writing, as long as a line ends among them.
  ///   - isImmediate: Whether to write each line at once.
  ///   - sink: Where the bytes go.
  package init(capacity: Int = 65_536, isImmediate: Bool, sink: @escaping Sink) {
    self.sink = sink
    self.capacity = capacity
    self.isImmediate = isImmediate
  }

  /// The process's standard output.
  package convenience init(to stream: Terminal.Stream) {
    self.init(isImmediate: stream.isTerminal) { System.write($0, to: 1) }
  }

  /// Adds text as it is.
  package func write(_ text: some StringProtocol) throws(OutputError) {
    if let failure { throw failure }
    buffer.append(contentsOf: text.utf8)
    guard isImmediate || buffer.count >= capacity else { return }
    // A piece ends with a line, but for a line that is itself longer than the buffer.
    if let end = buffer.lastIndex(of: UInt8(ascii: "\n")) {
      try send(end + 1)
    } else if buffer.count >= capacity {
      try send(buffer.count)
    }
  }

  /// Adds text and a newline.
  package func writeLine(_ text: some StringProtocol) throws(OutputError) {
    try write(text + "\n")
  }

  /// Writes all that is held, a part of a line too.
  package func flush() throws(OutputError) {
    if let failure { throw failure }
    try send(buffer.count)
  }

  private func send(_ count: Int) throws(OutputError) {
    var sent = 0
    defer { buffer.removeFirst(sent) }
    while sent < count {
      let step = sink(buffer[sent..<count])
      guard step >= 0 else {
        let error = OutputError(code: Int32(clamping: -step))
        failure = error
        throw error
      }
      sent += step
    }
  }
}

/// Writes a message to standard error; where that fails there is no one left to tell.
package func writeError(_ text: String) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = System.write(rest, to: 2)
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}
