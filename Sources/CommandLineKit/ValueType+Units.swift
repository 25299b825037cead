internal import FencelineCivilTime

extension ValueType where Value == Double {
  /// A finite decimal number in `range`; no `inf`, `nan` or hexadecimal.
  package static func number(
    in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude,
    name: String = "NUMBER"
  ) -> Self {
    .init(name: name, hint: .number) { text throws(ValueError) in
      guard let value = decimal(text), range.contains(value) else {
        let limit = Double.greatestFiniteMagnitude
        throw ValueError("a number\(bounds(range, -limit, limit)) is needed")
      }
      return value
    }
  }

  /// A span of time in seconds: `90`, `90s`, `15m`, `2h30m`, `1d`.
  package static var duration: Self {
    .init(name: "DURATION", hint: .duration) { text throws(ValueError) in
      guard let seconds = SpanText.seconds(text) else {
        throw ValueError("a duration is a number of seconds, or reads like 90s, 15m, 2h30m or 1d")
      }
      return seconds
    }
  }

  /// A length in metres: `100`, `100m`, `1.5km`, `0.2nmi`, `300ft`, `0.5mi`; never negative.
  package static var length: Self {
    .init(name: "LENGTH", hint: .length) { text throws(ValueError) in
      // The foot and miles of the international agreements of 1959 and 1929; longer suffixes first.
      let units = [
        ("nmi", 1852.0), ("nm", 1852), ("NM", 1852), ("km", 1000), ("mi", 1609.344), ("ft", 0.3048), ("m", 1),
        ("", 1),
      ]
      for (suffix, metres) in units where text.hasSuffix(suffix) {
        let digits = text.dropLast(suffix.count)
        guard let number = decimal(digits.last == " " ? digits.dropLast() : digits), number.sign == .plus,
          (number * metres).isFinite
        else { break }
        return number * metres
      }
      throw ValueError("a length is a number of metres, or one with m, km, nmi, ft or mi")
    }
  }
}

/// The number that `text` spells in decimal digits, with a sign, a point and an exponent at most.
func decimal(_ text: some StringProtocol) -> Double? {
  let allowed = text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
  guard allowed, let value = Double(text), value.isFinite else { return nil }
  return value
}

/// ` from 1 to 9`, ` of 1 or more`, ` of 9 or less` or nothing, as the range is open.
func bounds<T>(_ range: ClosedRange<T>, _ least: T, _ most: T) -> String {
  func shown(_ bound: T) -> String {
    let text = "\(bound)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
  return switch (range.lowerBound > least, range.upperBound < most) {
  case (true, true): " from \(shown(range.lowerBound)) to \(shown(range.upperBound))"
  case (true, false): " of \(shown(range.lowerBound)) or more"
  case (false, true): " of \(shown(range.upperBound)) or less"
  case (false, false): ""
  }
}
