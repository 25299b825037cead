/// How an XML document's bytes are to be read where it does not know itself.
enum XMLEncoding: Sendable {
  /// The encoding that overrides what the document says, by its first bytes in an encoding of which ASCII is a part; nil where
  /// it can be believed. What `isTranscoded` was UTF-16 and is UTF-8 now.
  static func override(head: [UInt8], isTranscoded: Bool) -> String? {
    if isTranscoded || head.starts(with: [0xef, 0xbb, 0xbf]) { return "UTF-8" }
    let declared = declaredName(head)
    // Some writers keep the declaration of a string that was UTF-16 in memory.
    let isUnicode = declared.isEmpty || declared.hasPrefix("utf") || declared.hasPrefix("ucs")
    guard isUnicode else { return nil }
    if !isUTF8(head) { return "windows-1252" }
    return declared.isEmpty || declared == "utf-8" ? nil : "UTF-8"
  }

  /// The name in `<?xml … encoding="…"?>`, in lower case.
  private static func declaredName(_ head: [UInt8]) -> String {
    let start = head.firstIndex { !isSpace($0) } ?? head.endIndex
    guard head[start...].starts(with: "<?xml".utf8), let end = head[start...].end(of: "?>") else { return "" }
    let declaration = head[start..<end]
    guard let key = declaration.end(of: "encoding") else { return "" }
    let value = declaration[key...].drop { isSpace($0) || $0 == UInt8(ascii: "=") }
    guard let quote = value.first else { return "" }
    return value.dropFirst().prefix { $0 != quote }.lowercasedText
  }

  /// Whether the bytes are UTF-8 but for a character cut at the end.
  private static func isUTF8(_ head: [UInt8]) -> Bool {
    var end = head.count
    while end > 0, head.count - end < 4, head[end - 1] & 0xc0 == 0x80 { end -= 1 }
    if end > 0, head[end - 1] >= 0xc0 { end -= 1 }
    return String(validating: head[..<end], as: UTF8.self) != nil
  }
}
