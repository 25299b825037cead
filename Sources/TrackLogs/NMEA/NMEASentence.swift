/// One NMEA 0183 sentence, cut into its fields: `$GPGLL,4717.11,N,…` has the address `GPGLL` and fields from 1.
///
/// The storage is kept from one sentence to the next, so that a log of millions costs no allocation.
struct NMEASentence: Sendable {
  /// The most bytes that a sentence may have behind its `$`: three times the standard's, as high-precision receivers send.
  static let capacity = 255

  /// Where each field ends, of which there are no more than bytes and one, and behind that the text, with room for the last eight
  /// bytes that are written at once: one piece of memory for both.
  private(set) var bytes = [UInt8](repeating: 0, count: 2 * NMEASentence.text + 8)
  /// Where the text begins.
  private static let text = capacity + 1

  private(set) var length = 0
  /// The number of fields, the address included.
  private(set) var fieldCount = 0
  /// Where the `*` is that ends the fields; -1 where there is none.
  private(set) var star = -1
  /// The checksum of what is before it.
  private(set) var sum: UInt8 = 0
  /// Whether a right checksum vouches for it.
  private(set) var hadChecksum = false
  /// Whether there is a space at all: only then need fields be freed of them.
  private var hasSpaces = false

  // MARK: Filling

  /// Bytes that it can still take.
  var room: Int { NMEASentence.capacity - length }

  /// Whether it can be one at all: three capital letters or digits and more lead it, which rubbish seldom has.
  var beginsLikeAnAddress: Bool {
    guard length > 3 else { return false }
    for place in 0..<3 where !isDigit(byte(at: place)) && !(0x41...0x5a).contains(byte(at: place)) {
      return false
    }
    return true
  }

  mutating func clear() {
    length = 0
    fieldCount = 0
    star = -1
    sum = 0
    hasSpaces = false
  }

  /// Takes text up to what ends a sentence, a `$` or `!` or a byte that is no printable ASCII, and notes its fields and its sum.
  ///
  /// - Parameters:
  ///   - source: What is read.
  ///   - place: How far; moved to what ends the sentence, or to `limit`.
  ///   - limit: Where to stop, if there is ``room`` for so much.
  mutating func take(_ source: Span<UInt8>, from place: inout Int, to limit: Int) {
    // What is written below is not checked.
    let limit = min(limit, place + room)
    var next = place
    var (length, fields, star, sum) = (length, fieldCount, star, sum)
    unsafe bytes.withUnsafeMutableBytes { storage in
      // Eight bytes at a time, up to the first mark that is no comma.
      var sums = EightBytes()
      while star < 0, next &+ 8 <= limit {
        let word = EightBytes(source, at: next)
        let commas = word.places(of: 0x2c)
        let taken = word.placesOfMarks.first(butNot: commas)
        unsafe storage.storeBytes(
          of: word.bits.littleEndian, toByteOffset: NMEASentence.text &+ length, as: UInt64.self)
        sums ^= word.prefix(taken)
        var some = commas.prefix(taken)
        while let comma = some.next() {
          unsafe storage[fields] = UInt8(truncatingIfNeeded: length &+ comma)
          fields &+= 1
        }
        next &+= taken
        length &+= taken
        if taken < 8 { break }
      }
      sum ^= sums.checksum
      while next < limit {
        let byte = source[next]
        if byte &- 0x20 > 0x5e || byte == 0x24 || byte == 0x21 { break }
        if byte == 0x20 { hasSpaces = true }
        if star < 0 {
          if byte == 0x2a {
            star = length
          } else {
            sum ^= byte
            if byte == 0x2c {
              unsafe storage[fields] = UInt8(truncatingIfNeeded: length)
              fields &+= 1
            }
          }
        }
        unsafe storage[NMEASentence.text &+ length] = byte
        next &+= 1
        length &+= 1
      }
    }
    (self.length, fieldCount, self.star, self.sum) = (length, fields, star, sum)
    place = next
  }

  /// Ends the last field at the checksum, or where there is none, at the end.
  mutating func end() {
    hadChecksum = star >= 0
    let end = hadChecksum ? star : length
    bytes[fieldCount] = UInt8(truncatingIfNeeded: end)
    fieldCount += 1
    // The last field ends as the others do: what an earlier sentence has left behind is no part of it.
    bytes[NMEASentence.text + end] = 0x2c
    length = end
  }

  /// The byte at `place`; 0 where there is none.
  func byte(at place: Int) -> UInt8 { place >= 0 && place < length ? bytes[NMEASentence.text + place] : 0 }

  /// Its first eight bytes; those that are behind its end are any.
  var head: EightBytes { EightBytes(bytes.span, at: NMEASentence.text) }

  // MARK: Reading

  /// Where the bytes of a field are without the spaces round them; empty where there is no such field.
  func range(_ field: Int) -> Range<Int> {
    guard field >= 0, field < fieldCount else { return 0..<0 }
    var start = NMEASentence.text + (field == 0 ? 0 : Int(bytes[field - 1]) + 1)
    var end = NMEASentence.text + Int(bytes[field])
    if hasSpaces {
      while start < end, bytes[start] == 0x20 { start += 1 }
      while start < end, bytes[end - 1] == 0x20 { end -= 1 }
    }
    return start..<end
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
    let count = min(8, range.count)
    // More digits may follow the range.
    let (number, digits) = EightBytes(bytes.span, at: range.lowerBound).prefix(count).leadingNumber
    guard digits == count else { return nil }
    guard range.count == 9 else { return Int(number) }
    let last = bytes[range.upperBound - 1]
    return isDigit(last) ? Int(number) * 10 + Int(last - 0x30) : nil
  }
}
