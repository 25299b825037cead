/// Bytes as letters, digits, `+` and `/`.
///
/// - Source: RFC 4648, 4.
package enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of bytes, with padding.
  package static func text(of bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for place in 0..<3 { bits = bits << 8 | (place < group.count ? UInt32(group[start + place]) : 0) }
      for place in 0..<4 {
        let letter = letters[Int(bits >> UInt32(18 - 6 * place) & 63)]
        result.append(place <= group.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes of a text, with padding or without; nil where it is none.
  package static func bytes(of text: String) -> [UInt8]? {
    var rest = text.utf8[...]
    while rest.last == UInt8(ascii: "=") { rest.removeLast() }
    // A single letter more than a group of four holds less than a byte.
    guard rest.count % 4 != 1, text.utf8.count - rest.count <= 2 else { return nil }
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for letter in rest {
      guard let value = letters.firstIndex(of: letter) else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xfff
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return result
  }
}
