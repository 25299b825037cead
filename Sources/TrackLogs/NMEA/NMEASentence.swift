/// One NMEA 0183 sentence, cut into its fields: `$GPGLL,4717.11,N,…` has the address `GPGLL` and fields from 1.
///
/// The storage is kept from one sentence to the next, so that a log of millions costs no allocation.
struct NMEASentence: Sendable {
  /// The most bytes that a sentence may have behind its `$`: three times the standard's, as high-precision receivers send.
  static let capacity = 255

  private(set) var bytes = [UInt8](repeating: 0, count: NMEASentence.capacity)
  private var count = 0
  private var bounds: [Int] = [-1]

  /// The number of fields, the address included.
  var fieldCount: Int { bounds.count - 1 }

  // MARK: Filling

  var isFull: Bool { count == NMEASentence.capacity }
  var length: Int { count }

  /// Whether it can be one at all: three capital letters or digits and more lead it, which rubbish seldom has.
  var beginsLikeAnAddress: Bool {
    guard count > 3 else { return false }
    for place in 0..<3 where !isDigit(bytes[place]) && !(0x41...0x5a).contains(bytes[place]) { return false }
    return true
  }

  mutating func clear() { count = 0 }

  mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// The byte at `place`; 0 where there is none.
  func byte(at place: Int) -> UInt8 { place >= 0 && place < count ? bytes[place] : 0 }

  /// Whether a right checksum vouches for it.
  private(set) var hadChecksum = false

  /// Cuts the first `length` bytes into fields; the rest is the checksum and a logger's remark.
  mutating func split(length: Int) {
    hadChecksum = length < count
    count = length
    bounds.removeAll(keepingCapacity: true)
    bounds.append(-1)
    for place in 0..<length where bytes[place] == 0x2c { bounds.append(place) }
    bounds.append(length)
  }

  // MARK: Reading

  /// The bytes of a field without the spaces round them; empty where there is no such field.
  func range(_ field: Int) -> Range<Int> {
    guard field >= 0, field < fieldCount else { return 0..<0 }
    var start = bounds[field] + 1
    var end = bounds[field + 1]
    while start < end, bytes[start] == 0x20 { start += 1 }
    while start < end, bytes[end - 1] == 0x20 { end -= 1 }
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
    return decimalNumber(bytes.span.extracting(range))
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
