/// MPEG-1 and MPEG-2: a program stream, or video alone.
///
/// - Source: ISO/IEC 11172-1, 2.4; 13818-1, 2.5.3; 13818-2, 6.2.2.
enum MPEGVideo {
  /// Whether a pack of a program stream or the header of a sequence stands at the beginning.
  static func begins(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 4, bytes.starts(with: [0, 0, 1]) else { return false }
    return switch bytes[3] {
    case 0xBA: bytes[4] & 0xF0 == 0x20 || bytes[4] & 0xC0 == 0x40
    case 0xB3: isSequence(bytes)
    default: false
    }
  }

  static func check(_ bytes: [UInt8]) throws(Defect) {
    var walk = ByteWalk(bytes)
    if bytes[3] == 0xBA { try checkProgram(&walk) } else { try checkVideo(&walk) }
  }

  /// From packet to packet up to the end of the program or of the file.
  private static func checkProgram(_ walk: inout ByteWalk) throws(Defect) {
    var hasVideo = false
    while true {
      // Packs may be filled up.
      while walk.peek() == 0, walk.peek(2) ?? 0 == 0 { try walk.skip(1) }
      if walk.isAtEnd { break }
      guard try walk.bigEndian(3) == 1 else { throw .damaged }
      let code = try walk.byte()
      switch code {
      case 0xB9:
        guard hasVideo else { throw .damaged }
        return
      case 0xBA:
        guard let first = walk.peek() else { throw .cutOff }
        if first & 0xF0 == 0x20 {
          try walk.skip(8)
        } else {
          guard first & 0xC0 == 0x40 else { throw .damaged }
          try walk.skip(9)
          try walk.skip(try walk.byte() & 7)
        }
      case 0xBB...0xFF:
        try walk.skip(try walk.bigEndian(2))
        if (0xE0...0xEF).contains(code) { hasVideo = true }
      default: throw .damaged
      }
    }
    guard hasVideo else { throw .cutOff }
  }

  /// A picture must follow upon the header of the sequence, with nothing but other headers between.
  private static func checkVideo(_ walk: inout ByteWalk) throws(Defect) {
    while true {
      try walk.find(0)
      guard let second = walk.peek(1), let third = walk.peek(2), let code = walk.peek(3) else {
        throw .cutOff
      }
      guard second == 0, third == 1 else {
        try walk.skip(1)
        continue
      }
      switch code {
      case 0x00:
        try walk.skip(8)
        return
      case 0xB2, 0xB3, 0xB5, 0xB8: try walk.skip(4)
      default: throw .damaged
      }
    }
  }

  /// Width, height, form of a pixel, frames a second, bits a second and the bit that is always set.
  private static func isSequence(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12 else { return true }
    let width = Int(bytes[4]) << 4 | Int(bytes[5] >> 4)
    let height = Int(bytes[5] & 0x0F) << 8 | Int(bytes[6])
    return width > 0 && height > 0 && (1...14).contains(bytes[7] >> 4) && (1...8).contains(bytes[7] & 0x0F)
      && bytes[10] & 0x20 != 0
  }
}
