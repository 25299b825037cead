/// A command line of bash up to the cursor, read as bash would read it.
///
/// bash leaves quoting to whoever completes: it gives the line as it was typed, and puts what it is told in the place of the last
/// word, or of what follows an open quote or one of `COMP_WORDBREAKS` in it.
struct BashLine {
  /// The words without their quotes; the last one is half typed, or empty.
  private(set) var words: [String] = []
  /// What of the last word stays as it was typed.
  private(set) var kept = ""
  /// Whether the last word is that of a redirection (`> FILE`).
  private(set) var isRedirection = false
  /// The quote that is open at the cursor.
  private(set) var quote: Unicode.Scalar?

  /// - Parameters:
  ///   - line: From the command's name to the cursor.
  ///   - breaks: The value of `COMP_WORDBREAKS`.
  init(_ line: String, breaks: String) {
    var word: String?
    var keptBeforeQuote = ""
    var rest = line.unicodeScalars[...]
    func add(_ scalar: Unicode.Scalar) { word = (word ?? "") + String(scalar) }
    func end() {
      if let word, !isRedirection { words.append(word) }
      if word != nil { isRedirection = false }
      word = nil
      kept = ""
    }
    while let scalar = rest.popFirst() {
      switch (quote, scalar) {
      case ("'", "'"), ("\"", "\""):
        quote = nil
        kept = keptBeforeQuote
      case ("\"", "\\"):
        let isEscape = rest.first.map("$`\"\\\n".unicodeScalars.contains) ?? false
        add(isEscape ? rest.removeFirst() : scalar)
      case ("'", _), ("\"", _): add(scalar)
      case (_, "'"), (_, "\""):
        quote = scalar
        word = word ?? ""
        keptBeforeQuote = kept
        kept = word ?? ""
      case (_, "\\"): if let next = rest.popFirst() { add(next) }
      case (_, " "), (_, "\t"), (_, "\n"): end()
      case (_, ">"), (_, "<"):
        // The number of a descriptor belongs to it.
        if word?.allSatisfy(\.isNumber) == true { word = nil }
        end()
        isRedirection = true
      default:
        add(scalar)
        if breaks.unicodeScalars.contains(scalar) { kept = word ?? "" }
      }
    }
    words.append(word ?? "")
  }

  /// What bash is to put in place of the last word but for what is kept, with quotes where they are needed.
  ///
  /// - Parameters:
  ///   - word: The whole word, without quotes.
  ///   - isQuoted: Whether it is put between quotes as a whole; not where a quote is open.
  /// - Returns: Nothing where the word does not go on from what is kept.
  func replacement(for word: String, isQuoted: Bool = false) -> String? {
    guard word.utf8.starts(with: kept.utf8) else { return nil }
    var text = ""
    for scalar in word.unicodeScalars.dropFirst(kept.unicodeScalars.count) {
      switch isQuoted ? "'" : quote {
      case "'": text += scalar == "'" ? "'\\''" : String(scalar)
      // History is expanded between double quotes too, whatever stands before it.
      case "\"" where scalar == "!": text += "\"'!'\""
      case "\"": text += ("$`\"\\".unicodeScalars.contains(scalar) ? "\\" : "") + String(scalar)
      default: text += (Self.isPlain(scalar) ? "" : "\\") + String(scalar)
      }
    }
    return isQuoted ? "'\(text)'" : text
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || !scalar.isASCII
      || "0123456789_-+./:=@%,".unicodeScalars.contains(scalar)
  }
}
