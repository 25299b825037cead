/// Text as a notification server takes it.
enum ServerText {
  /// The longest text that is handed over, in Unicode scalars: more fills no screen, and would fill the bus.
  static let maximumLength = 8192

  /// What a server does with marks of markup.
  enum Markup {
    /// It reads them: they are escaped.
    case read
    /// It shows them.
    case none
    /// Nobody knows: others that look alike are taken.
    case unknown
  }

  /// A body: lines.
  static func lines(_ text: String, _ markup: Markup) -> String {
    var result = ""
    for scalar in printable(text) {
      switch (scalar, markup) {
      case ("&", .read): result += "&amp;"
      case ("<", .read): result += "&lt;"
      case (">", .read): result += "&gt;"
      case ("<", .unknown): result += "‹"
      case (">", .unknown): result += "›"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A summary, a label, a name: one line.
  static func line(_ text: String, _ markup: Markup = .none) -> String {
    lines(String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" ? " " : $0 })), markup)
  }

  /// A file's path as the URI that the specification asks for; an icon's name and a URI as they are.
  static func image(_ path: String) -> String {
    guard path.hasPrefix("/") else { return line(path) }
    return "file://" + path.percentEncoded(keeping: "-_/.~")
  }

  /// Without what controls, what turns the direction of writing, and what is no character: a bus would refuse the last.
  private static func printable(_ text: String) -> [UnicodeScalar] {
    let lines = text.unicodeScalars.lazy.filter { scalar in
      switch scalar.value {
      case 0x0a: true
      case ..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069, 0xfdd0...0xfdef: false
      default: scalar.value & 0xfffe != 0xfffe
      }
    }
    let kept = Array(lines.prefix(maximumLength + 1))
    return kept.count > maximumLength ? kept.dropLast() + ["…"] : kept
  }
}

extension String {
  /// Every byte that is neither a letter or digit of ASCII nor one of `marks` as `%` and two digits.
  func percentEncoded(keeping marks: String) -> String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        text.unicodeScalars.append(UnicodeScalar(byte))
      case _ where marks.utf8.contains(byte): text.unicodeScalars.append(UnicodeScalar(byte))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
