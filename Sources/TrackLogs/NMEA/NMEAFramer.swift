/// Finds NMEA sentences in a stream of bytes, whatever stands round them.
///
/// A sentence begins at a `$` or `!` anywhere and ends at the next of them, at any byte that is not printable ASCII, or when it
/// gets too long. So prefixes of loggers, tag blocks and binary messages between sentences need no rules of their own, and a
/// sentence that was cut off costs only itself. Lines that begin with `#` are skipped whole.
struct NMEAFramer: Sendable {
  /// What was found.
  enum Event {
    /// ``sentence`` holds a sentence that counts; whether `$` began it.
    case sentence(startsWithDollar: Bool)
    /// The checksum contradicts the sentence.
    case wrongChecksum
    /// The sentence has no checksum though others had one, or was cut off.
    case missingChecksum
    /// A line of text holds nothing that begins like a sentence.
    case foreignLine
  }

  /// The sentence found last.
  private(set) var sentence = NMEASentence()
  /// Whether a sentence with a right checksum was found, from when on none without one counts.
  private(set) var hasSeenChecksum = false

  private enum State { case between, comment, sentence }
  private var state = State.between
  private var previous: UInt8 = 0x0a
  private var lineHasText = false
  private var lineIsNoText = false
  private var startsWithDollar = false

  /// Reads on from `place` to the next event.
  ///
  /// - Returns: nil when all of `bytes` is read.
  mutating func next(in bytes: Span<UInt8>, from place: inout Int) -> Event? {
    let end = bytes.count
    while place < end {
      switch state {
      case .between:
        if skipToStart(bytes, &place) { return .foreignLine }
      case .comment:
        while place < end, bytes[place] != 0x0a, bytes[place] != 0x0d { place += 1 }
        if place < end {
          state = .between
          previous = 0x0a
        }
      case .sentence:
        if let event = collect(bytes, &place) { return event }
      }
    }
    return nil
  }

  /// Takes the end of the stream, where a whole sentence with its checksum needs no end of line.
  mutating func finish() -> Event? {
    let event = state == .sentence ? conclude(endOfLine: false) : nil
    return event ?? (lineHasText && !lineIsNoText ? .foreignLine : nil)
  }

  /// Skips what is between sentences, up to the end of a line of text among it.
  ///
  /// - Returns: Whether such a line has ended: no part of it was a sentence, and it held no byte that text does not have.
  private mutating func skipToStart(_ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
    let end = bytes.count
    var before = previous
    while place < end {
      let byte = bytes[place]
      if byte &- 0x21 <= 3, byte != 0x22 {  // one of ! # $
        if byte != 0x23 {
          state = .sentence
          startsWithDollar = byte == 0x24
          sentence.clear()
          place += 1
          return false
        }
        if before == 0x0a || before == 0x0d {
          state = .comment
          return false
        }
      }
      before = byte
      place += 1
      if byte > 0x20 {
        lineHasText = true
      } else if byte == 0x0a || byte == 0x0d {
        let isForeign = lineHasText && !lineIsNoText
        lineHasText = false
        lineIsNoText = false
        if isForeign {
          previous = before
          return true
        }
      } else if byte != 0x20, byte != 0x09 {
        lineIsNoText = true
      }
    }
    previous = before
    return false
  }

  private mutating func collect(_ bytes: Span<UInt8>, _ place: inout Int) -> Event? {
    sentence.take(bytes, from: &place, to: bytes.count)
    guard place < bytes.count else { return nil }
    previous = bytes[place]
    return conclude(endOfLine: previous == 0x0a || previous == 0x0d)
  }

  private mutating func conclude(endOfLine: Bool) -> Event? {
    state = .between
    lineHasText = true
    guard sentence.beginsLikeAnAddress else { return nil }
    lineIsNoText = true
    guard sentence.star >= 0 else {
      guard endOfLine, !hasSeenChecksum else { return .missingChecksum }
      sentence.end()
      return .sentence(startsWithDollar: startsWithDollar)
    }
    guard let high = hexDigit(sentence.byte(at: sentence.star + 1)),
      let low = hexDigit(sentence.byte(at: sentence.star + 2)), high << 4 | low == sentence.sum
    else { return .wrongChecksum }
    if startsWithDollar { hasSeenChecksum = true }
    sentence.end()
    return .sentence(startsWithDollar: startsWithDollar)
  }

  private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
