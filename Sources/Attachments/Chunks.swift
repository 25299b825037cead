/// Files of chunks with a name and a length: WAV and AVI, and AIFF, where the highest byte of a length comes first.
enum Chunks {
  /// How many chunks may stand side by side: those of a film stand in a list, which counts as one.
  private static let most = 1000

  /// - Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, chapter 2.
  static func checkRIFF(_ bytes: [UInt8], needs names: Set<String>) throws(Defect) {
    try check(bytes, needs: names) { walk throws(Defect) in try walk.littleEndian() }
  }

  /// - Source: Apple, Audio Interchange File Format AIFF-C, draft of 1991.
  static func checkAIFF(_ bytes: [UInt8]) throws(Defect) {
    try check(bytes, needs: ["COMM", "SSND"]) { walk throws(Defect) in try walk.bigEndian(4) }
  }

  /// Whether the whole and each chunk are as long as they say, and the chunks that are needed are there. What comes behind is ignored.
  private static func check(
    _ bytes: [UInt8], needs names: Set<String>, length: (inout ByteWalk) throws(Defect) -> UInt64
  ) throws(Defect) {
    var walk = ByteWalk(bytes)
    try walk.skip(4)
    let whole = try length(&walk)
    guard whole <= walk.rest else { throw .cutOff }
    guard whole >= 4 else { throw .damaged }
    walk = ByteWalk(bytes, walk.place..<walk.place + Int(whole))
    try walk.skip(4)
    var missing = names
    var count = 0
    // Some writers count the byte that fills the last chunk up and leave it out.
    while walk.rest > 1 {
      count += 1
      guard walk.rest >= 8, count <= most else { throw .damaged }
      var name = try walk.name()
      let size = try length(&walk)
      guard size <= walk.rest else { throw .damaged }
      let content = ByteWalk(bytes, walk.place..<walk.place + Int(size))
      if name == "LIST" {
        var list = content
        name += " " + (try list.name())
      }
      if !content.isAtEnd { missing.remove(name) }
      try walk.skip(min(Int(size) + Int(size & 1), walk.rest))
    }
    guard missing.isEmpty else { throw .damaged }
  }
}
