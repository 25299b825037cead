/// Cuts a stream of bytes into lines, which end with LF, CR or both.
struct LineSplitter: Sendable {
  /// The most bytes of a line; longer ones are skipped.
  static let capacity = 1 << 20

  enum Event { case line, overlong }

  /// The line found last, without its end.
  private(set) var line: [UInt8] = []
  /// Its number, from 1.
  private(set) var number = 0

  private var isBegun = false
  private var isOverlong = false
  private var lastWasCR = false
  private var isAtStart = true

  /// Reads on from `place` to the end of a line.
  ///
  /// - Returns: nil when all of `bytes` is read.
  mutating func next(in bytes: Span<UInt8>, from place: inout Int) -> Event? {
    if !isBegun { begin() }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 0x0a || byte == 0x0d {
        let isSecondHalf = byte == 0x0a && lastWasCR
        lastWasCR = byte == 0x0d
        if !isSecondHalf { return end() }
        continue
      }
      lastWasCR = false
      if line.count < Self.capacity { line.append(byte) } else { isOverlong = true }
    }
    return nil
  }

  /// Takes the end of the stream, where a last line needs no end of its own.
  mutating func finish() -> Event? {
    guard isBegun, !line.isEmpty || isOverlong else { return nil }
    return end()
  }

  private mutating func begin() {
    line.removeAll(keepingCapacity: true)
    isBegun = true
    isOverlong = false
  }

  private mutating func end() -> Event {
    isBegun = false
    number += 1
    if isAtStart, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    isAtStart = false
    return isOverlong ? .overlong : .line
  }
}
