internal import CFencelineCrypto

/// Codes by which somebody can tell that a message is from who knows a key.
enum Authentication {
  /// HMAC with SHA-256, 32 bytes.
  ///
  /// - Source: RFC 2104.
  static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count)
    return code
  }

  /// SHA-256, 32 bytes.
  static func digest(of message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    unsafe EVP_Digest(message, message.count, &digest, &count, EVP_sha256(), nil)
    return digest
  }

  /// Whether both are the same, in a time that does not tell where they differ.
  static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(a, b) { difference |= left ^ right }
    return difference == 0
  }

  /// Hexadecimal digits, two a byte.
  static func digits(of bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return text
  }
}
