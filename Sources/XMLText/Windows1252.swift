/// The encoding of texts from Windows that say nothing about themselves.
public enum Windows1252: Sendable {
  /// The text that the bytes are.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      let code = 0x80..<0xa0 ~= byte ? upperControls[Int(byte) - 0x80] : UInt32(byte)
      if let scalar = Unicode.Scalar(code) { scalars.append(scalar) }
    }
    return String(scalars)
  }

  /// The code points of bytes 80 to 9F; the five that Windows leaves free stand for themselves.
  ///
  /// - Source: encoding.spec.whatwg.org, index windows-1252.
  static let upperControls: [UInt32] = [
    0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8d,
    0x017d,
    0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
    0x0153,
    0x9d,
    0x017e, 0x0178,

  ]
}
