extension ValueHint {
  /// Words for instants.
  static let times = [
    Candidate("now", "this instant"), Candidate("today", "the midnight before now"),
    Candidate("yesterday", "the midnight before that"), Candidate("monday", "the latest one"),
    Candidate("this-week", "the Monday before now"), Candidate("last-week", "the Monday before that"),
    Candidate("this-month", "its first day"), Candidate("last-month", "its first day"),
    Candidate("this-year", "its first day"), Candidate("last-year", "its first day"),
    Candidate("-1h", "an hour ago"),
    Candidate("-1d", "a day ago"), Candidate("-7d", "a week ago"),
  ]

  /// The units that a half-typed span of time may go on with: `2h30` with `m` and `s`.
  static func durations(beginning text: String) -> [Candidate] {
    let units = [("d", "days"), ("h", "hours"), ("m", "minutes"), ("s", "seconds")]
    guard let last = text.last(where: \.isLetter) else { return numbers(text, units) }
    guard let place = units.firstIndex(where: { $0.0 == String(last) }), text.last?.isNumber == true else {
      return []
    }
    return units[(place + 1)...].map { Candidate(text + $0.0, $0.1) }
  }

  /// The units that a half-typed length may go on with.
  static func lengths(beginning text: String) -> [Candidate] {
    numbers(
      text,
      [("m", "metres"), ("km", "kilometres"), ("nmi", "nautical miles"), ("ft", "feet"), ("mi", "miles")])
  }

  private static func numbers(_ text: String, _ units: [(String, String)]) -> [Candidate] {
    let number = text.prefix { $0.isNumber || $0 == "." }
    return number.isEmpty ? [] : units.map { Candidate(number + $0.0, $0.1) }
  }
}
