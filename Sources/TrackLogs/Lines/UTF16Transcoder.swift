/// Turns UTF-16 into UTF-8, piece by piece.
struct UTF16Transcoder: Sendable {
  private let bigEndian: Bool
  private var half: UInt8?
  private var leadSurrogate: UInt16?

  /// The transcoder that a log's first bytes call for; nil where they are not UTF-16.
  ///
  /// A byte order mark decides, else every second of the first bytes must be 0 and the others not: logs are ASCII in the main.
  init?(head: ArraySlice<UInt8>) {
    if head.starts(with: [0xff, 0xfe]) {
      self.bigEndian = false
    } else if head.starts(with: [0xfe, 0xff]) {
      self.bigEndian = true
    } else {
      let sample = Array(head.prefix(64))
      guard sample.count >= 4 else { return nil }
      var zeros = [0, 0]
      for (place, byte) in sample.enumerated() where byte == 0 { zeros[place % 2] += 1 }
      let half = sample.count / 2
      guard (zeros[0] == 0 && zeros[1] == half) || (zeros[1] == 0 && zeros[0] >= half) else { return nil }
      self.bigEndian = zeros[0] > 0
    }
  }

  /// Appends what `bytes` say to `text`.
  mutating func decode(_ bytes: Span<UInt8>, into text: inout [UInt8]) {
    for place in bytes.indices {
      let byte = bytes[place]
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let unit = bigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      append(unit, to: &text)
    }
  }

  private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
    if unit < 0x80 {
      leadSurrogate = nil
      text.append(UInt8(unit))
      return
    }
    var value = UInt32(unit)
    if unit & 0xfc00 == 0xd800 {
      leadSurrogate = unit
      return
    }
    if let lead = leadSurrogate {
      leadSurrogate = nil
      if unit & 0xfc00 == 0xdc00 {
        value = 0x10000 + (UInt32(lead) - 0xd800) << 10 + (value - 0xdc00)
      }
    }
    let scalar = Unicode.Scalar(value) ?? "\u{fffd}"
    text.append(contentsOf: Character(scalar).utf8)
  }
}
