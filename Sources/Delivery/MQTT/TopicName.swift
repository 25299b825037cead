/// Names as parts of topics.
enum TopicName {
  /// A name as one level of a topic: what divides levels or stands for several is written as `%` and two digits, so that no two names
  /// become one.
  ///
  /// - Source: MQTT Version 5.0, 4.7 Topic Names and Topic Filters.
  static func level(_ name: String) -> String {
    var level = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "/", "+", "#", "%", "\u{0}"..<" ", "\u{7f}"..."\u{9f}": level += encoded(scalar)
      // Topics that begin with it are the broker's own.
      case "$" where level.isEmpty: level += encoded(scalar)
      // Characters that are none, which brokers may refuse.
      case _ where scalar.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(scalar.value):
        level += encoded(scalar)
      default: level.unicodeScalars.append(scalar)
      }
    }
    return level
  }

  private static func encoded(_ scalar: UnicodeScalar) -> String {
    String(scalar).utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16, uppercase: true) }.joined()
  }

  /// A name as Home Assistant takes it in topics and identifiers: letters, digits, `_` and `-`; where it has others, with digits of its own.
  static func objectID(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        text.unicodeScalars.append(UnicodeScalar(byte))
      default: if text.last != "_" { text += "_" }
      }
    }
    return text == name ? text : text + "_" + String(hash(name), radix: 36)
  }

  /// A number that a text always has, spread evenly.
  ///
  /// - Source: FNV-1a, draft-eastlake-fnv.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Why a text cannot be the beginning of topics; nil where it can.
  static func problem(ofPrefix prefix: String) -> String? {
    if prefix.isEmpty || prefix.hasPrefix("/") || prefix.hasSuffix("/") {
      return "it must neither be empty nor begin or end with '/'"
    }
    if prefix.contains(where: { "+#".contains($0) }) { return "'+' and '#' stand for other topics" }
    if prefix.hasPrefix("$") { return "topics that begin with '$' are the broker's own" }
    if prefix.utf8.count > 1000
      || prefix.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
    {
      return "it is too long or holds characters that control"
    }
    return nil
  }

  /// Whether what is published on a topic reaches who subscribes to a filter.
  static func matches(_ filter: String, _ topic: String) -> Bool {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
    for (place, level) in wanted.enumerated() {
      if level == "#" { return true }
      guard place < levels.count, level == "+" || level == levels[place] else { return false }
    }
    return wanted.count == levels.count
  }

  /// Why a text cannot be subscribed to; nil where it can.
  static func problem(ofFilter filter: String) -> String? {
    let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
    if filter.isEmpty || filter.utf8.count > 1000 || filter.utf8.contains(0) {
      return "a topic has 1 to 1000 bytes"
    }
    for (place, level) in levels.enumerated() {
      if level.contains("#"), level != "#" || place < levels.count - 1 {
        return "'#' stands alone, at the end"
      }
      if level.contains("+"), level != "+" { return "'+' stands alone between slashes" }
    }
    return nil
  }
}
