/// Goes through bytes from left to right; where they end too early that is a ``Defect/cutOff``.
struct ByteWalk {
  private let bytes: [UInt8]
  /// The next byte.
  private(set) var place: Int
  /// Behind the last byte that may be read.
  let end: Int

  /// Goes through all bytes, or some of them.
  init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    self.bytes = bytes
    place = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  var isAtEnd: Bool { place == end }

  /// How many bytes are left.
  var rest: Int { end - place }

  /// The byte so many places further on, which is not taken; nil behind the end.
  func peek(_ distance: Int = 0) -> UInt8? {
    place + distance < end ? bytes[place + distance] : nil
  }

  mutating func byte() throws(Defect) -> UInt8 {
    guard place < end else { throw .cutOff }
    defer { place += 1 }
    return bytes[place]
  }

  /// A number of so many bytes, at most 8, the highest first.
  mutating func bigEndian(_ count: Int) throws(Defect) -> UInt64 {
    guard rest >= count else { throw .cutOff }
    var value: UInt64 = 0
    for byte in bytes[place..<place + count] { value = value << 8 | UInt64(byte) }
    place += count
    return value
  }

  /// A number of four bytes, the lowest first.
  mutating func littleEndian() throws(Defect) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: try bigEndian(4)).byteSwapped)
  }

  /// Four letters.
  mutating func name() throws(Defect) -> String {
    guard rest >= 4 else { throw .cutOff }
    defer { place += 4 }
    return String(decoding: bytes[place..<place + 4], as: Unicode.ASCII.self)
  }

  mutating func skip(_ count: some BinaryInteger) throws(Defect) {
    guard count <= rest else { throw .cutOff }
    place += Int(count)
  }

  /// Goes to the next byte of a value, which is not taken.
  mutating func find(_ byte: UInt8) throws(Defect) {
    guard let found = bytes[place..<end].firstIndex(of: byte) else { throw .cutOff }
    place = found
  }
}
