/// How wide text is in a sans-serif face, on the safe side: no font is embedded, and the common faces are narrower than this.
enum TextWidth {
  /// Advance widths of U+0020 to U+007E in hundredths of the size: those of DejaVu Sans, the widest of the usual faces.
  private static let ascii: [Double] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68,
    99, 69, 61,
    69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52,
    39, 63, 59,
    82, 59, 59, 52, 64, 34, 64, 84,
  ]
  /// How much wider bold text is.
  static let bold = 1.13

  /// The width in pixels of text in a size.
  static func of(_ text: String, size: Double, isBold: Bool = false) -> Double {
    var hundredths = 0.0
    for character in text { hundredths += width(of: character) }
    return hundredths / 100 * size * (isBold ? bold : 1)
  }

  /// The text, with an ellipsis in place of what does not fit.
  static func cut(_ text: String, to room: Double, size: Double, isBold: Bool = false) -> String {
    guard of(text, size: size, isBold: isBold) > room else { return text }
    let limit = room / size * 100 / (isBold ? bold : 1) - 100
    var (used, result) = (0.0, "")
    for character in text {
      used += width(of: character)
      if used > limit { break }
      result.append(character)
    }
    while result.last == " " { result.removeLast() }
    return result + "…"
  }

  /// The width of one grapheme cluster: its parts' if no face composes them.
  private static func width(of character: Character) -> Double {
    var sum = 0.0
    for scalar in character.unicodeScalars { sum += width(of: scalar) }
    return sum
  }

  private static func width(of scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x20...0x7E: return ascii[Int(scalar.value) - 0x20]
    case 0xAD, 0x200B...0x200F, 0xFE00...0xFE0F: return 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60:
      return 104
    case 0x1F000...0x1FAFF: return 140
    case 0x20000...0x3FFFD: return 104
    default: break
    }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    case .lowercaseLetter: scalar.value < 0x250 ? 66 : 90
    case .uppercaseLetter, .titlecaseLetter: 100
    case .decimalNumber, .otherPunctuation, .dashPunctuation: 100
    default: 110
    }
  }
}
