/// One NMEA 0183 sentence, cut into its fields: `$GPGLL,4717.11,N,…` has the address `GPGLL` and fields from 1.
///
/// The storage is kept from one sentence to the next, so that a log of millions costs no allocation.
struct NMEASentence: Sendable {
  /// The most bytes that a sentence may have behind its `$`: three times the standard's, as high-precision receivers send.
  static let capacity = 255

  /// The text, and behind it where each field begins and ends, without the spaces round it: one piece of memory for both.
  private(set) var bytes = [UInt8](repeating: 0, count: 3 * NMEASentence.fields)
  /// Where that begins; there are no more fields than bytes and one.
  private static let fields = capacity + 1

  private(set) var length = 0
  /// The number of fields, the address included.
  private(set) var fieldCount = 0

  // MARK: Filling

  /// Bytes that it can still take.
  var room: Int { NMEASentence.capacity - length }

  /// Whether it can be one at all: three capital letters or digits and more lead it, which rubbish seldom has.
  var beginsLikeAnAddress: Bool {
    guard length > 3 else { return false }
    for place in 0..<3 where !isDigit(bytes[place]) && !(0x41...0x5a).contains(bytes[place]) { return false }
    return true
  }

  mutating func clear() { length = 0 }

  /// Takes a piece of text of no more bytes than there is ``room`` for.
  mutating func append(_ piece: Span<UInt8>) {
    let length = length
    unsafe piece.withUnsafeBytes { text in
      unsafe bytes.withUnsafeMutableBytes { storage in
        unsafe UnsafeMutableRawBufferPointer(rebasing: storage[length...]).copyMemory(from: text)
      }
    }
    self.length += piece.count
  }

  /// The byte at `place`; 0 where there is none.
  func byte(at place: Int) -> UInt8 { place >= 0 && place < length ? bytes[place] : 0 }

  /// Whether a right checksum vouches for it.
  private(set) var hadChecksum = false

  /// Cuts the first `length` bytes into fields; the rest is the checksum and a logger's remark.
  mutating func split(length: Int) {
    hadChecksum = length < self.length
    self.length = length
    fieldCount = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      // The last field ends as the others do, and what an earlier sentence has left behind is no part of it.
      unsafe bytes[length] = 0x2c
      var fields = 0
      var start = 0
      for word in 0...length / 8 {
        var commas = unsafe EightBytes(bytes.span, at: 8 * word).places(of: 0x2c)
        while let place = commas.next(), 8 * word + place <= length {
          let comma = 8 * word + place
          var end = comma
          while start < end, unsafe bytes[start] == 0x20 { start += 1 }
          while start < end, unsafe bytes[end - 1] == 0x20 { end -= 1 }
          unsafe bytes[NMEASentence.fields + 2 * fields] = UInt8(truncatingIfNeeded: start)
          unsafe bytes[NMEASentence.fields + 2 * fields + 1] = UInt8(truncatingIfNeeded: end)
          start = comma + 1
          fields += 1
        }
      }
      return fields
    }
  }

  // MARK: Reading

  /// The bytes of a field without the spaces round them; empty where there is no such field.
  func range(_ field: Int) -> Range<Int> {
    guard field >= 0, field < fieldCount else { return 0..<0 }
    let place = NMEASentence.fields + 2 * field
    return Int(bytes[place])..<Int(bytes[place + 1])
  }

  func isEmpty(_ field: Int) -> Bool { range(field).isEmpty }

  /// The only letter of a field; 0 where it is empty, 0xff where it holds more.
  func letter(_ field: Int) -> UInt8 {
    let range = range(field)
    return range.isEmpty ? 0 : range.count == 1 ? bytes[range.lowerBound] : 0xff
  }

  /// Whether a field is exactly `text`.
  func field(_ field: Int, is text: StaticString) -> Bool {
    let range = range(field)
    guard range.count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { wanted in
      for place in 0..<range.count where unsafe bytes[range.lowerBound + place] != wanted[place] {
        return false
      }
      return true
    }
  }

  /// Whether any letter of a field satisfies `condition`.
  func anyLetter(_ field: Int, where condition: (UInt8) -> Bool) -> Bool {
    for place in range(field) where condition(bytes[place]) { return true }
    return false
  }

  /// A decimal number; nil where the field is empty or holds none.
  func number(_ field: Int) -> Double? {
    let range = range(field)
    guard !range.isEmpty else { return nil }
    if let (whole, decimals, scale) = plainNumber(range) {
      let power = powersOfTen[scale]
      return (Double(whole) * power + Double(decimals)) / power
    }
    return decimalNumber(bytes.span.extracting(range))
  }

  /// A number without sign of at most seven digits before a point and eight behind, as nearly all are; nil for any other.
  ///
  /// As fifteen digits, both parts are one exact double, so that a division by the power of ten rounds once.
  ///
  /// - Returns: What is before the point, the digits behind it and how many they are.
  func plainNumber(_ range: Range<Int>) -> (whole: UInt64, decimals: UInt64, scale: Int)? {
    let (whole, digits) = EightBytes(bytes.span, at: range.lowerBound).leadingNumber
    guard digits > 0, digits < 8 else { return nil }
    let point = range.lowerBound + digits
    if point == range.upperBound { return (whole, 0, 0) }
    guard bytes[point] == 0x2e else { return nil }
    let (decimals, scale) = EightBytes(bytes.span, at: point + 1).leadingNumber
    guard point + 1 + scale == range.upperBound else { return nil }
    return (whole, decimals, scale)
  }

  /// A number of at most nine digits without sign; nil where the field holds anything else.
  func wholeNumber(_ field: Int) -> Int? { wholeNumber(range(field)) }

  func wholeNumber(_ range: Range<Int>) -> Int? {
    guard !range.isEmpty, range.count <= 9 else { return nil }
    var value = 0
    for place in range {
      guard isDigit(bytes[place]) else { return nil }
      value = value * 10 + Int(bytes[place] - 0x30)
    }
    return value
  }
}
