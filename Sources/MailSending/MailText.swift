internal import FencelineTransfers

/// Texts as mail can carry them: in short lines of ASCII.
package enum MailText {
  /// A text for a head: plain where it is short and ASCII, else encoded words on lines of their own. It never breaks a line but
  /// to go on with it.
  ///
  /// - Parameters:
  ///   - text: Any text; control characters become spaces.
  ///   - always: Whether it is encoded even if it need not be, as names with commas must.
  /// - Returns: ASCII.
  /// - Source: RFC 2047, 2 and 5: 75 characters a word at most, each of whole characters; fewer here, for the name
  /// before the first.
  package static func words(_ text: String, always: Bool = false) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
      clean.append(isControl || scalar == "\u{2028}" || scalar == "\u{2029}" ? " " : scalar)
    }
    let isPlain = clean.count <= 60 && clean.allSatisfy(\.isASCII) && !String(clean).contains("=?")
    if isPlain, !always || clean.allSatisfy({ $0.properties.isAlphabetic || $0 == " " }) {
      return String(clean)
    }
    var words: [String] = []
    var bytes: [UInt8] = []
    func end() {
      if !bytes.isEmpty { words.append("=?utf-8?B?\(Base64.text(of: bytes))?=") }
      bytes = []
    }
    for scalar in clean {
      let encoded = Array(String(scalar).utf8)
      if bytes.count + encoded.count > 33 { end() }
      bytes += encoded
    }
    end()
    return words.joined(separator: "\r\n ")
  }

  /// A text for a body, in quoted-printable, lines of 76 characters at most.
  ///
  /// - Parameter text: Any text; however its lines end, they end with CR LF afterwards.
  /// - Returns: ASCII.
  /// - Source: RFC 2045, 6.7.
  package static func quotedPrintable(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    // As characters: CR LF is one.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var width = 0
      let bytes = Array(line.utf8)
      for (place, byte) in bytes.enumerated() {
        let isSpace = byte == 0x20 || byte == 0x09
        let isPlain = isSpace ? place + 1 < bytes.count : (0x21...0x7e).contains(byte) && byte != 0x3d
        let piece = isPlain ? [byte] : [0x3d, digit(byte >> 4), digit(byte & 15)]
        if width + piece.count > 75 {
          result += [0x3d, 0x0d, 0x0a]
          width = 0
        }
        result += piece
        width += piece.count
      }
      result += [0x0d, 0x0a]
    }
    return result
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
