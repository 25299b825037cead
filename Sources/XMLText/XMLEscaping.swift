extension String {
  /// The text as it stands in an XML element or attribute; characters that XML cannot hold become `\u{fffd}`.
  ///
  /// - Source: XML 1.0, fifth edition, 2.2 and 2.4; line breaks and tabs are written as references, since readers of attributes make
  ///   spaces of them.
  public var xmlEscaped: String {
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n": text += "&#10;"
      case "\r": text += "&#13;"
      case "\t": text += "&#9;"
      case "\u{0}"..<" ", "\u{fffe}", "\u{ffff}": text += "\u{fffd}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
