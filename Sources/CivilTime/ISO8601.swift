/// A date and time as ISO 8601 and its many dialects write it.
///
/// ```swift
/// ISO8601(parsing: "2026-03-01T01:03:33.892+01:00".utf8)?.time.description  // 2026-03-01T00:03:33.892Z
/// ```
///
/// Accepted: `T`, `t` or a space between date and time; seconds and up to any number of decimals with `.` or `,`; `Z`, `z`,
/// `±hh:mm`, `±hhmm`, `±hh` or no zone at all; white space round the whole. Second 60 is the next minute's 0.
public struct ISO8601: Sendable {
  /// The instant, rounded half up to the millisecond; in UTC where the text names no zone.
  public var time: Timestamp
  /// Whether the text says which zone it means.
  public var hasZone: Bool

  /// Reads a date and time; nil unless the whole text is one that exists, of the years 1 to 9999.
  ///
  /// - Parameter bytes: The text, in ASCII.
  @inlinable
  public init?(parsing bytes: some Collection<UInt8>) {
    var reader = DigitReader(bytes)
    reader.skipSpaces()
    guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2),
      reader.take("-"),
      let day = reader.number(digits: 2), year >= 1, let date = CivilDate(year: year, month: month, day: day),
      reader.take("T") || reader.take("t") || reader.take(" "),
      let hour = reader.number(digits: 2), hour <= 23, reader.take(":"),
      let minute = reader.number(digits: 2), minute <= 59
    else { return nil }
    var milliseconds = Int64(hour * 3_600_000 + minute * 60_000)
    if reader.take(":") {
      guard let second = reader.number(digits: 2), second <= 60 else { return nil }
      milliseconds += Int64(second * 1000)
      if reader.take(".") || reader.take(",") {
        guard let fraction = reader.fractionInMilliseconds() else { return nil }
        milliseconds += fraction
      }
    }
    reader.skipSpaces()
    var zone: Int64?
    if reader.take("Z") || reader.take("z") {
      zone = 0
    } else if let sign: Int64 = reader.take("+") ? 1 : reader.take("-") ? -1 : nil {
      guard let hours = reader.number(digits: 2), hours <= 23 else { return nil }
      var minutes = 0
      if reader.take(":") || !reader.atEndIgnoringSpaces {
        guard let read = reader.number(digits: 2), read <= 59 else { return nil }
        minutes = read
      }
      zone = sign * Int64(hours * 60 + minutes) * 60_000
    }
    guard reader.atEndIgnoringSpaces else { return nil }
    hasZone = zone != nil
    time = Timestamp(milliseconds: date.start.milliseconds + milliseconds - (zone ?? 0))
    guard time >= .earliest, time <= .latest else { return nil }
  }
}

/// Walks over ASCII text, taking numbers and marks.
@usableFromInline
struct DigitReader<Bytes: Collection<UInt8>> {
  @usableFromInline let bytes: Bytes
  @usableFromInline var place: Bytes.Index

  @inlinable
  init(_ bytes: Bytes) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  @inlinable
  mutating func skipSpaces() {
    while place < bytes.endIndex, bytes[place] == 0x20 || (0x09...0x0d).contains(bytes[place]) {
      place = bytes.index(after: place)
    }
  }

  @inlinable
  var atEndIgnoringSpaces: Bool {
    var copy = self
    copy.skipSpaces()
    return copy.place == bytes.endIndex
  }

  @inlinable
  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard place < bytes.endIndex, UInt32(bytes[place]) == mark.value else { return false }
    place = bytes.index(after: place)
    return true
  }

  @inlinable
  mutating func digit() -> Int? {
    guard place < bytes.endIndex, (0x30...0x39).contains(bytes[place]) else { return nil }
    let value = Int(bytes[place] - 0x30)
    place = bytes.index(after: place)
    return value
  }

  @inlinable
  mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// One digit or more behind a decimal point, rounded half up: `8915` gives 892.
  @inlinable
  mutating func fractionInMilliseconds() -> Int64? {
    guard let first = digit() else { return nil }
    var value = Int64(first) * 100
    value += Int64(digit() ?? 0) * 10
    value += Int64(digit() ?? 0)
    if let next = digit() {
      value += next >= 5 ? 1 : 0
      while digit() != nil {}
    }
    return value
  }
}

extension DigitReader: Sendable where Bytes: Sendable, Bytes.Index: Sendable {}

extension Timestamp: CustomStringConvertible {
  /// ISO 8601 in UTC with milliseconds: `2026-03-01T00:03:33.892Z`.
  public var description: String {
    let (day, milliseconds) = split(by: Timestamp.millisecondsPerDay)
    let date = CivilDate(daysSince1970: Int(day))
    let rest = Int(milliseconds)
    let hour = padded(rest / 3_600_000, to: 2)
    let minute = padded(rest / 60_000 % 60, to: 2)
    let second = padded(rest / 1000 % 60, to: 2)
    return "\(date)T\(hour):\(minute):\(second).\(padded(rest % 1000, to: 3))Z"
  }
}
