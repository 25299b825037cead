/// Eight bytes of text, looked at all at once.
///
/// - Source: S. E. Anderson, "Bit Twiddling Hacks": "Determine if a word has a zero byte", "… has a byte less than n".
struct EightBytes: Sendable {
  /// The first byte is the lowest.
  private(set) var bits: UInt64

  private static let each: UInt64 = 0x0101_0101_0101_0101
  private static let top: UInt64 = 0x8080_8080_8080_8080

  /// The eight bytes from `place` on, which must be there.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at place: Int) {
    let raw = unsafe bytes.bytes
    bits = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  @inline(__always)
  subscript(place: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 8 &* place))
  }

  /// Which of them are no letters, digits or `-./:;<=>?@[\]^_{|}~` and the like: below `-`, or above `~`.
  @inline(__always)
  var placesOfMarks: Places {
    let low = bits & ~Self.top
    // No carry leaves its byte.
    let below = ~(low &+ 0x53 &* Self.each)
    let above = (low &+ Self.each) | bits
    return Places(marks: (below | above) & Self.top)
  }

  /// The first `count` of them, and zeros.
  @inline(__always)
  func prefix(_ count: Int) -> EightBytes {
    var first = self
    if count < 8 { first.bits &= 1 &<< UInt64(truncatingIfNeeded: 8 &* count) &- 1 }
    return first
  }

  /// The number that its first bytes spell in decimal, and how many digits it has.
  ///
  /// - Source: D. Lemire, "Quickly parsing eight digits", 2022: neighbours are joined to pairs, these to fours, these to eight.
  @inline(__always)
  var leadingNumber: (value: UInt64, digits: Int) {
    let difference = bits ^ 0x30 &* Self.each
    let others = ((difference & ~Self.top) &+ 0x76 &* Self.each | difference) & Self.top
    let digits = others == 0 ? 8 : others.trailingZeroBitCount / 8
    guard digits > 0 else { return (0, 0) }
    let eight = difference &<< UInt64(64 - 8 * digits)
    let pairs = (eight &* (10 << 8 + 1)) &>> 8 & 0x00ff_00ff_00ff_00ff
    let fours = (pairs &* (100 << 16 + 1)) &>> 16 & 0x0000_ffff_0000_ffff
    return ((fours &* (10_000 << 32 + 1)) &>> 32, digits)
  }

  /// Which of them are `byte`.
  @inline(__always)
  func places(of byte: UInt8) -> Places {
    let difference = bits ^ UInt64(byte) &* Self.each
    // No carry leaves its byte, so that every byte's top bit tells of that byte alone.
    let others = (difference & ~Self.top) &+ ~Self.top | difference
    return Places(marks: ~others & Self.top)
  }

  /// All of them combined by exclusive or.
  @inline(__always)
  var checksum: UInt8 {
    let half = bits ^ bits >> 32
    let quarter = half ^ half >> 16
    return UInt8(truncatingIfNeeded: quarter ^ quarter >> 8)
  }

  /// Combines each with the one at its place in `other` by exclusive or.
  @inline(__always)
  static func ^= (a: inout EightBytes, b: EightBytes) {
    a.bits ^= b.bits
  }

  /// Eight zeros.
  @inline(__always)
  init() { bits = 0 }

  /// Some of the places 0 to 7, in ascending order.
  struct Places: IteratorProtocol, Sendable {
    /// The top bit of the byte at each.
    fileprivate var marks: UInt64

    @inline(__always)
    mutating func next() -> Int? {
      guard marks != 0 else { return nil }
      let place = marks.trailingZeroBitCount / 8
      marks &= marks &- 1
      return place
    }

    /// The first one that is none of `others`; 8 where there is none.
    @inline(__always)
    func first(butNot others: Places) -> Int { (marks & ~others.marks).trailingZeroBitCount / 8 }

    /// Those before a place.
    @inline(__always)
    func prefix(_ count: Int) -> Places {
      var first = EightBytes()
      first.bits = marks
      return Places(marks: first.prefix(count).bits)
    }
  }
}
