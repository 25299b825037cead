/// - Source: ISO/IEC 11172-3, 2.4.1.3 and 2.4.2.3, and 13818-3; ID3 tag version 2.4.0, main structure.
enum MP3 {
  /// How many frames must follow upon each other: the eleven bits that begin one are found anywhere.
  private static let proof = 3

  /// Whether it begins with frames of layer III, or with a tag and, where the tag is not cut off, such a frame behind it.
  static func begins(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: "ID3".utf8) else { return (try? check(bytes)) != nil || isOneFrame(bytes) }
    var walk = ByteWalk(bytes)
    do {
      try skipTags(&walk)
      return walk.isAtEnd || frameLength(walk) != nil
    } catch {
      return error == .cutOff
    }
  }

  /// Checks the tags and the first frames.
  static func check(_ bytes: [UInt8]) throws(Defect) {
    var walk = ByteWalk(bytes)
    try skipTags(&walk)
    let version = walk.peek(1)
    for count in 0..<proof {
      // A sound may be shorter, or a tag of 128 bytes come behind it.
      if count > 0, walk.isAtEnd || walk.rest == 128 { return }
      guard !walk.isAtEnd else { throw .cutOff }
      guard let length = frameLength(walk), let second = walk.peek(1), let version, second | 1 == version | 1
      else { throw .damaged }
      try walk.skip(length)
    }
  }

  /// Whether there is a frame and it is cut off.
  private static func isOneFrame(_ bytes: [UInt8]) -> Bool {
    let walk = ByteWalk(bytes)
    guard let length = frameLength(walk) else { return false }
    return length > walk.rest
  }

  private static func skipTags(_ walk: inout ByteWalk) throws(Defect) {
    while walk.peek() == UInt8(ascii: "I"), walk.peek(1) == UInt8(ascii: "D"),
      walk.peek(2) == UInt8(ascii: "3")
    {
      try walk.skip(3)
      guard (2...4).contains(try walk.byte()) else { throw .damaged }
      try walk.skip(1)
      let hasFooter = try walk.byte() & 0x10 != 0
      var size = 0
      for _ in 0..<4 {
        let seven = try walk.byte()
        guard seven < 0x80 else { throw .damaged }
        size = size << 7 | Int(seven)
      }
      try walk.skip(size + (hasFooter ? 10 : 0))
    }
    // What fills a tag up may stand behind it.
    while walk.peek() == 0 { try walk.skip(1) }
  }

  /// The length of the frame of layer III that begins here, in bytes; nil where none does, or none with a length that is known.
  private static func frameLength(_ walk: ByteWalk) -> Int? {
    guard walk.peek() == 0xFF, let second = walk.peek(1), second & 0xE6 == 0xE2, let third = walk.peek(2)
    else {
      return nil
    }
    let isVersion1 = second & 0x18 == 0x18
    guard second & 0x18 != 0x08 else { return nil }
    let rates = isVersion1 ? kilobits1 : kilobits2
    let index = Int(third >> 4)
    let frequency = Int(third >> 2 & 3)
    guard index > 0, index < 15, frequency < 3 else { return nil }
    let halves = isVersion1 ? 0 : second & 0x18 == 0x10 ? 1 : 2
    let hertz = [44_100, 48_000, 32_000][frequency] >> halves
    return (isVersion1 ? 144_000 : 72_000) * rates[index] / hertz + Int(third >> 1 & 1)
  }

  private static let kilobits1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let kilobits2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}
