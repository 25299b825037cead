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

  var mantissa: UInt64 = 0
  var digits = 0
  var significant = 0
  var scale = 0
  var seenPoint = false
  while place < end {
    let byte = bytes[place]
    if byte == point, !seenPoint {
      seenPoint = true
    } else if isDigit(byte) {
      digits += 1
      if significant > 0 || byte != 0x30 { significant += 1 }
      if significant <= 19 { mantissa = mantissa * 10 + UInt64(byte - 0x30) }
      if seenPoint { scale -= 1 }
    } else {
      break
    }
    place += 1
  }
  guard digits > 0 else { return nil }
  if place < end, bytes[place] | 0x20 == 0x65 {
    place += 1
    guard let exponent = exponent(bytes, from: &place, to: end) else { return nil }
    scale += exponent
  }
  guard place == end else { return nil }

  // Both are exact as doubles here, so that the one division or product rounds once. (Clinger 1990, the fast path.)
  if significant <= 19, mantissa <= 1 << 53, abs(scale) <= 22 {
    let value = scale < 0 ? Double(mantissa) / powerOfTen(-scale) : Double(mantissa) * powerOfTen(scale)
    return negative ? -value : value
  }
  var text: [UInt8] = []
  for index in start..<end { text.append(bytes[index] == point ? 0x2e : bytes[index]) }
  guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
  return value
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

private func powerOfTen(_ exponent: Int) -> Double {
  var value = 1.0
  for _ in 0..<exponent { value *= 10 }
  return value
}

/// Whether an ASCII byte is a decimal digit.
@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

/// Whether an ASCII byte is white space.
@inline(__always)
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
