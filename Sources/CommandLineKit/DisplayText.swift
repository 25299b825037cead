/// How many columns a terminal gives to a text without control characters: 2 for wide characters, 0 for
/// combining ones.
package func displayWidth(_ text: String) -> Int {
  if isPlain(text) { return text.utf8.count }
  var width = 0
  for character in text { width += displayWidth(character) }
  return width
}

/// Whether a text is printable ASCII, as most are.
private func isPlain(_ text: String) -> Bool {
  text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
}

/// The columns of one grapheme cluster.
func displayWidth(_ character: Character) -> Int {
  if character.isASCII { return 1 }
  var width = 0
  for scalar in character.unicodeScalars {
    // Variation selector 16 asks for the emoji form, which is wide.
    if scalar == "\u{FE0F}" || scalar.properties.isEmojiPresentation || isWide(scalar) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: break
    default: width = 1
    }
  }
  return width
}

/// Whether a scalar is wide or full width.
///
/// - Source: Unicode 16, EastAsianWidth.txt, classes W and F, unassigned gaps inside the blocks included;
///   emoji are asked of the standard library.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
    true
  default: false
  }
}

/// The text with everything that could drive a terminal made visible and harmless.
///
/// Control characters become their pictures (ESC is `␛`), the others and what reverses the direction of text
/// U+FFFD.
package func printable(_ text: String) -> String {
  if isPlain(text) { return text }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0...0x1F: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
    case 0x7F: result.append("\u{2421}")
    case 0x80...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
    default: result.append(scalar)
    }
  }
  return String(result)
}

/// The text cut to `width` columns, its end replaced by `…` where it was longer.
package func truncated(_ text: String, to width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  guard width > 0 else { return "" }
  var result = ""
  var used = 0
  for character in text {
    used += displayWidth(character)
    if used > width - 1 { break }
    result.append(character)
  }
  return result + "…"
}

/// A message fit to be printed, whatever it quotes: ``printable(_:)``, and what stands between quotes no longer than some hundred
/// characters. Of what is longer the middle is left out, because paths differ at their ends.
package func legible(_ message: String) -> String {
  let scalars = Array(printable(message).unicodeScalars)
  func isWord(_ place: Int) -> Bool {
    scalars.indices.contains(place) && scalars[place].properties.isAlphabetic
  }
  var result = String.UnicodeScalarView()
  var place = 0
  while place < scalars.count {
    result.append(scalars[place])
    place += 1
    // A quote, no apostrophe: no letter before the first mark, none behind the second.
    guard scalars[place - 1] == "'", !isWord(place - 2),
      let end = scalars[place...].indices.first(where: { scalars[$0] == "'" && !isWord($0 + 1) })
    else { continue }
    let quoted = scalars[place..<end]
    result += quoted.count <= 100 ? quoted[...] : quoted.prefix(60) + ["…"] + quoted.suffix(39)
    result.append("'")
    place = end + 1
  }
  return String(result)
}
