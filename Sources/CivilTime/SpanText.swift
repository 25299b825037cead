/// Spans of time as people write them.
public enum SpanText: Sendable {
  private static let units: [(letter: Character, seconds: Double)] = [
    ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// The seconds of `90`, `90s`, `15m`, `2h30m`, `1d`: days, hours, minutes and seconds in this order, each at most once; a bare number is
  /// seconds.
  ///
  /// - Parameter text: The text, in decimal digits.
  /// - Returns: 0 or more, finite; nil where the text is no span.
  public static func seconds(_ text: String) -> Double? {
    if let seconds = number(text[...]) { return seconds.sign == .plus ? seconds : nil }
    var left = units[...]
    var total = 0.0
    var rest = text[...]
    while !rest.isEmpty {
      guard let letter = rest.firstIndex(where: { $0.isLetter }),
        let unit = left.firstIndex(where: { $0.letter == rest[letter] }),
        let number = number(rest[..<letter]), rest.first?.isNumber == true
      else { return nil }
      total += number * left[unit].seconds
      left = left[(unit + 1)...]
      rest = rest[rest.index(after: letter)...]
    }
    return text.isEmpty || !total.isFinite ? nil : total
  }

  /// `45 s`, `16 min 3 s`, `2 h 5 min`, `3 d 4 h`.
  ///
  /// - Parameter seconds: Any span; one that is no number or too long is told as the longest.
  /// - Returns: Two units at most.
  public static func words(_ seconds: Double) -> String {
    let whole = Int(exactly: seconds.rounded()) ?? (seconds < 0 ? Int.min : Int.max)
    return switch whole {
    case ..<60: "\(whole) s"
    case ..<3600: "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(whole % 60) s")
    case ..<86_400: "\(whole / 3600) h" + (whole / 60 % 60 == 0 ? "" : " \(whole / 60 % 60) min")
    default: "\(whole / 86_400) d" + (whole / 3600 % 24 == 0 ? "" : " \(whole / 3600 % 24) h")
    }
  }

  /// No `inf`, `nan` or hexadecimal.
  private static func number(_ text: Substring) -> Double? {
    let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
    guard isPlain, let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
