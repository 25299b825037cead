/// Reads a decimal number as logs write it: `47.3769`, `-.5`, `1e-05`, with spaces round it.
///
/// The value is the double nearest to the text. What the text of a number may hold besides (hexadecimal digits, `nan`,
/// `infinity`) is no number of a log.
///
/// - Parameters:
///   - bytes: The text, in ASCII.
///   - point: What stands before the decimals.
/// - Returns: A finite number; nil where the text is none.
func decimalNumber(_ bytes: Span<UInt8>, point: UInt8 = 0x2e) -> Double? {
  var place = 0
  var end = bytes.count
  while place < end, isSpace(bytes[place]) { place += 1 }
  while end > place, isSpace(bytes[end - 1]) { end -= 1 }
  let start = place
  guard place < end else { return nil }
  let negative = bytes[place] == 0x2d
  if negative || bytes[place] == 0x2b { place += 1 }

  let first = place
  var mantissa: UInt64 = 0
  var scale = 0
  takeDigits(bytes, from: &place, to: end, into: &mantissa)
  var digits = place - first
  if place < end, bytes[place] == point {
    place += 1
    let decimals = place
    takeDigits(bytes, from: &place, to: end, into: &mantissa)
    scale = decimals - place
    digits -= scale
  }
  guard digits > 0 else { return nil }
  if place < end, bytes[place] | 0x20 == 0x65 {
    place += 1
    guard let exponent = exponent(bytes, from: &place, to: end) else { return nil }
    scale += exponent
  }
  guard place == end else { return nil }

  // Both are exact as doubles here, so that the one division or product rounds once. (Clinger 1990, the fast path.)
  // Nineteen digits do not overflow.
  if digits <= 19, mantissa <= 1 << 53, abs(scale) <= 22 {
    let value = scale < 0 ? Double(mantissa) / powersOfTen[-scale] : Double(mantissa) * powersOfTen[scale]
    return negative ? -value : value
  }
  var text: [UInt8] = []
  for index in start..<end { text.append(bytes[index] == point ? 0x2e : bytes[index]) }
  guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
  return value
}

/// Appends digits to a number, which may overflow. `end` is no more than there are bytes.
@inline(__always)
private func takeDigits(_ bytes: Span<UInt8>, from place: inout Int, to end: Int, into number: inout UInt64) {
  while place < end {
    let digit = unsafe bytes[unchecked: place] &- 0x30
    guard digit < 10 else { return }
    number = number &* 10 &+ UInt64(digit)
    place += 1
  }
}

private func exponent(_ bytes: Span<UInt8>, from place: inout Int, to end: Int) -> Int? {
  guard place < end else { return nil }
  let negative = bytes[place] == 0x2d
  if negative || bytes[place] == 0x2b { place += 1 }
  var value = 0
  var digits = 0
  while place < end, isDigit(bytes[place]) {
    value = min(value * 10 + Int(bytes[place] - 0x30), 100_000)
    digits += 1
    place += 1
  }
  guard digits > 0 else { return nil }
  return negative ? -value : value
}

/// Those that are exact as doubles.
let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
  1e20, 1e21, 1e22,
]

/// Whether an ASCII byte is a decimal digit.
@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

/// Whether an ASCII byte is white space.
@inline(__always)
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
