/// - Source: ISO/IEC 14496-12, 4.2, 4.3 and 8.4.3.
enum MP4 {
  private struct Box {
    var name: String
    var content: Range<Int>
  }

  /// The brands of MPEG-4 files; pictures (HEIC, AVIF), QuickTime and mobile phones' 3GP have others.
  private static let brands: Set<String> = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "mp71", "avc1",
    "MSNV",
    "dash", "M4V ", "M4VH", "M4VP", "XAVC",
  ]
  private static let audioBrands: Set<String> = ["M4A ", "M4B ", "M4P "]
  /// How many boxes may stand side by side: far more than a film in fragments has.
  private static let mostBoxes = 20_000

  /// The type of a file that begins with a box `ftyp`; nil where it is none of MPEG-4.
  static func type(of bytes: [UInt8]) -> AttachmentType? {
    var walk = ByteWalk(bytes)
    guard (try? walk.skip(8)) != nil, let brand = try? walk.name() else { return nil }
    if audioBrands.contains(brand) { return .m4a }
    guard brands.contains(brand) else { return nil }
    let kinds = (try? trackKinds(bytes)) ?? []
    return kinds.contains("soun") && !kinds.contains("vide") ? .m4a : .mp4
  }

  /// Whether the boxes fill the file, and those that are needed are there.
  static func check(_ bytes: [UInt8]) throws(Defect) {
    let names = Set(try boxes(bytes, 0..<bytes.count).map(\.name))
    // Of a film in one piece, or in fragments, the index may come last.
    guard names.contains("moov"), names.contains("mdat") else { throw .cutOff }
    guard try !trackKinds(bytes).isEmpty else { throw .damaged }
  }

  /// What the tracks hold: `soun`, `vide`, …
  private static func trackKinds(_ bytes: [UInt8]) throws(Defect) -> Set<String> {
    var found = [Box(name: "", content: 0..<bytes.count)]
    for name in ["moov", "trak", "mdia", "hdlr"] {
      var inside: [Box] = []
      for box in found { inside += try boxes(bytes, box.content).filter { $0.name == name } }
      found = inside
    }
    var kinds: Set<String> = []
    for box in found {
      var walk = ByteWalk(bytes, box.content)
      try walk.skip(8)
      kinds.insert(try walk.name())
    }
    return kinds
  }

  private static func boxes(_ bytes: [UInt8], _ range: Range<Int>) throws(Defect) -> [Box] {
    var walk = ByteWalk(bytes, range)
    var boxes: [Box] = []
    while !walk.isAtEnd {
      let start = walk.place
      var size = try walk.bigEndian(4)
      let name = try walk.name()
      if size == 1 { size = try walk.bigEndian(8) }
      let header = walk.place - start
      if size == 0 { size = UInt64(header + walk.rest) }
      guard size >= header, boxes.count < mostBoxes else { throw .damaged }
      guard size - UInt64(header) <= walk.rest else { throw .cutOff }
      let content = walk.place..<walk.place + Int(size) - header
      boxes.append(Box(name: name, content: content))
      try walk.skip(content.count)
    }
    return boxes
  }
}
