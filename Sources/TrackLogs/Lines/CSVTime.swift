import FencelineCivilTime

/// The time in a row of a CSV log: ISO 8601, also without its marks, seconds or milliseconds since 1970, or a date and a time
/// of day apart.
struct CSVTime: Sendable {
  /// The time's column; nil where there is none or the row ends before it.
  var time: [UInt8]?
  /// The date's column, likewise.
  var date: [UInt8]?

  var isEmpty: Bool { (time ?? []).isEmpty && (date ?? []).isEmpty }

  /// The instant, and whether the row says in which zone it is meant.
  var resolved: (time: Timestamp, hasZone: Bool)? {
    if let time, !time.isEmpty, let read = Self.instant(time) { return read }
    guard let date, !date.isEmpty else { return nil }
    guard let time, !time.isEmpty else { return Self.instant(date) }
    return Self.instant(date + [UInt8(ascii: "T")] + time)
  }

  private static func instant(_ text: [UInt8]) -> (time: Timestamp, hasZone: Bool)? {
    if let marked = marked(text), let read = ISO8601(parsing: marked) { return (read.time, read.hasZone) }
    if let number = decimalNumber(text.span) { return unixInstant(number) }
    var text = text
    // 2026/03/01 and 2026.03.01 are the same day as 2026-03-01.
    for place in [4, 7] where place < text.count && (text[place] == 0x2f || text[place] == 0x2e) {
      text[place] = UInt8(ascii: "-")
    }
    if text.suffix(4).elementsEqual(" UTC".utf8) || text.suffix(4).elementsEqual(" GMT".utf8) {
      text.removeLast(4)
      text.append(UInt8(ascii: "Z"))
    }
    return ISO8601(parsing: text).map { ($0.time, $0.hasZone) }
  }

  /// `20260301120000`, `202603011200` and `20260301T120000Z` with the marks of ISO 8601; nil for what is not of that kind.
  ///
  /// As milliseconds since 1970, twelve such digits would be some day of 1976, before there was GPS, and fourteen one after the
  /// year 2500.
  private static func marked(_ text: [UInt8]) -> [UInt8]? {
    let digits = text.prefix(while: isDigit)
    var rest = text[digits.endIndex...]
    var clock: ArraySlice<UInt8>
    let isCivil = digits.starts(with: "19".utf8) || digits.starts(with: "20".utf8)
    switch digits.count {
    case 12 where isCivil, 14 where isCivil:
      clock = digits[8...]
    case 8:
      guard let mark = rest.first, mark == UInt8(ascii: "T") || mark == UInt8(ascii: " ") else { return nil }
      clock = rest.dropFirst().prefix(while: isDigit)
      rest = rest[clock.endIndex...]
    default: return nil
    }
    var marked = digits[..<4] + "-".utf8 + digits[4..<6] + "-".utf8 + digits[6..<8] + "T".utf8
    while clock.count > 2 {
      marked += clock.prefix(2) + ":".utf8
      clock = clock.dropFirst(2)
    }
    marked += clock + rest
    return Array(marked)
  }

  /// Seconds, or milliseconds, microseconds or nanoseconds where seconds would be after the year 5000.
  private static func unixInstant(_ number: Double) -> (time: Timestamp, hasZone: Bool)? {
    let size = abs(number)
    let milliseconds =
      size < 1e11 ? number * 1000 : size < 1e14 ? number : size < 1e17 ? number / 1000 : number / 1e6
    // A bare number below a day is a time of day or a serial number, and what looks like 20260301 a date.
    guard size >= 100_000_000 else { return nil }
    return unixTime(milliseconds).map { ($0, true) }
  }
}
