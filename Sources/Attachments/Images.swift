/// - Source: W3C Portable Network Graphics (PNG) Specification, second edition, 5.2 and 5.3.
enum PNG {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// From the header to the end, chunk by chunk; what comes behind the end is ignored.
  static func check(_ bytes: [UInt8]) throws(Defect) {
    var walk = ByteWalk(bytes)
    try walk.skip(signature.count)
    var isFirst = true
    var hasPixels = false
    while true {
      let length = try walk.bigEndian(4)
      let name = try walk.name()
      guard name.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }), isFirst == (name == "IHDR") else {
        throw .damaged
      }
      if isFirst {
        guard length == 13 else { throw .damaged }
        guard try walk.bigEndian(4) > 0, try walk.bigEndian(4) > 0 else { throw .damaged }
        try walk.skip(5)
      } else {
        try walk.skip(length)
      }
      // The check sum.
      try walk.skip(4)
      isFirst = false
      if name == "IDAT" { hasPixels = true }
      if name == "IEND" { break }
    }
    guard hasPixels else { throw .damaged }
  }
}

/// - Source: CompuServe, Graphics Interchange Format, version 89a.
enum GIF {
  /// From block to block up to the trailer; what comes behind it is ignored.
  static func check(_ bytes: [UInt8]) throws(Defect) {
    var walk = ByteWalk(bytes)
    try walk.skip(10)
    let flags = try walk.byte()
    try walk.skip(2)
    try skipColours(flags, &walk)
    var hasImage = false
    while true {
      switch try walk.byte() {
      case 0x21:
        try walk.skip(1)
        try skipBlocks(&walk)
      case 0x2C:
        try walk.skip(8)
        try skipColours(try walk.byte(), &walk)
        guard (1...11).contains(try walk.byte()) else { throw .damaged }
        try skipBlocks(&walk)
        hasImage = true
      case 0x3B:
        guard hasImage else { throw .damaged }
        return
      default: throw .damaged
      }
    }
  }

  private static func skipColours(_ flags: UInt8, _ walk: inout ByteWalk) throws(Defect) {
    if flags & 0x80 != 0 { try walk.skip(3 << (Int(flags & 7) + 1)) }
  }

  private static func skipBlocks(_ walk: inout ByteWalk) throws(Defect) {
    while true {
      let length = try walk.byte()
      if length == 0 { return }
      try walk.skip(length)
    }
  }
}

/// - Source: ITU-T T.81, annex B.
enum JPEG {
  /// From marker to marker up to the end of the image; what comes behind it, such as another image of a camera, is ignored.
  static func check(_ bytes: [UInt8]) throws(Defect) {
    var walk = ByteWalk(bytes)
    try walk.skip(2)
    var hasFrame = false
    var hasScan = false
    while true {
      guard try walk.byte() == 0xFF else { throw .damaged }
      var marker = try walk.byte()
      while marker == 0xFF { marker = try walk.byte() }
      switch marker {
      case 0xD9:
        guard hasScan else { throw .damaged }
        return
      case 0x01, 0xD0...0xD7: break
      case 0x00, 0x02...0xBF, 0xD8: throw .damaged
      default:
        let length = try walk.bigEndian(2)
        guard length >= 2 else { throw .damaged }
        try walk.skip(length - 2)
        // Start of a frame: 0xC0 to 0xCF, without tables of Huffman and arithmetic codes and an extension.
        if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) { hasFrame = true }
        if marker == 0xDA {
          guard hasFrame else { throw .damaged }
          hasScan = true
          try skipScan(&walk)
        }
      }
    }
  }

  /// Coded pixels: up to a marker other than a restart.
  private static func skipScan(_ walk: inout ByteWalk) throws(Defect) {
    while true {
      try walk.find(0xFF)
      guard let next = walk.peek(1) else { throw .cutOff }
      guard next == 0 || (0xD0...0xD7).contains(next) else { return }
      try walk.skip(2)
    }
  }
}
