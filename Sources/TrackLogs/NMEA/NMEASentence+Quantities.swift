import FencelineCivilTime
import FencelineGeodesy

extension NMEASentence {
  /// The time of day in a field `hhmmss`, with decimals or without, in milliseconds, rounded half up: 86,400,000 is the next
  /// day's beginning, which a leap second or rounding may give.
  func timeOfDay(_ field: Int) -> Int? {
    let range = range(field)
    guard range.count >= 6 else { return nil }
    let (number, digits) = EightBytes(bytes.span, at: range.lowerBound).leadingNumber
    guard digits == 6 else { return nil }
    let clock = Int(number)
    let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    var milliseconds = (hour * 3600 + minute * 60 + second) * 1000
    guard range.count > 6 else { return milliseconds }
    guard bytes[range.lowerBound + 6] == 0x2e else { return nil }
    let (decimals, count) = EightBytes(bytes.span, at: range.lowerBound + 7).leadingNumber
    var place = range.lowerBound + 7 + count
    guard place >= range.upperBound || count == 8 else { return nil }
    // More digits than eight say nothing about the millisecond.
    while place < range.upperBound {
      guard isDigit(bytes[place]) else { return nil }
      place += 1
    }
    milliseconds += (Int(decimals) * NMEASentence.tenThousandths[count] / 10_000 + 5) / 10
    return min(milliseconds, 86_400_000)
  }

  /// Ten-thousandths of a second, times 10,000, in the last of so many digits.
  private static let tenThousandths = [0, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1]

  /// Six digits `ddmmyy`; nil where they are no date.
  func date(_ field: Int) -> CivilDate? {
    guard range(field).count == 6, let value = wholeNumber(field) else { return nil }
    return CivilDate(year: Self.fullYear(value % 100), month: value / 100 % 100, day: value / 10_000)
  }

  /// Day, month and year in three fields from `field` on; the year may have two digits.
  func longDate(_ field: Int) -> CivilDate? {
    guard let day = wholeNumber(field), let month = wholeNumber(field + 1), let year = wholeNumber(field + 2)
    else { return nil }
    let isShort = range(field + 2).count <= 2
    return CivilDate(year: isShort ? Self.fullYear(year) : year, month: month, day: day)
  }

  /// The GPS began in 1980.
  private static func fullYear(_ year: Int) -> Int { year >= 80 ? 1900 + year : 2000 + year }

  /// The position in four fields from `field` on: latitude, N or S, longitude, E or W.
  ///
  /// - Returns: nil where a field is malformed or the point not on Earth.
  func coordinate(_ field: Int) -> Coordinate? {
    guard let latitude = angle(field), let longitude = angle(field + 2) else { return nil }
    let south: Bool
    switch letter(field + 1) {
    case UInt8(ascii: "N"), UInt8(ascii: "n"): south = false
    case UInt8(ascii: "S"), UInt8(ascii: "s"): south = true
    default: return nil
    }
    let west: Bool
    switch letter(field + 3) {
    case UInt8(ascii: "E"), UInt8(ascii: "e"): west = false
    case UInt8(ascii: "W"), UInt8(ascii: "w"): west = true
    default: return nil
    }
    let coordinate = Coordinate(
      latitude: south ? -latitude : latitude, longitude: west ? -longitude : longitude)
    return coordinate.isValid ? coordinate : nil
  }

  /// Degrees and minutes `dddmm.mmmm`, without sign: the last two digits before the point are whole minutes.
  private func angle(_ field: Int) -> Double? {
    let range = range(field)
    if let (whole, decimals, scale) = plainNumber(range) {
      let power = powersOfTen[scale]
      let minutes = (Double(whole % 100) * power + Double(decimals)) / power
      return minutes < 60 ? Double(whole / 100) + minutes / 60 : nil
    }
    var point = range.lowerBound
    while point < range.upperBound, isDigit(bytes[point]) { point += 1 }
    let wholeDigits = point - range.lowerBound
    guard (1...9).contains(wholeDigits) else { return nil }
    let minutesStart = max(range.lowerBound, point - 2)
    let degrees = minutesStart == range.lowerBound ? 0 : wholeNumber(range.lowerBound..<minutesStart)
    guard let degrees, point == range.upperBound || bytes[point] == 0x2e,
      let minutes = decimalNumber(bytes.span.extracting(minutesStart..<range.upperBound)),
      minutes >= 0, minutes < 60
    else { return nil }
    return Double(degrees) + minutes / 60
  }

  // MARK: Quantities

  /// Metres per second in a knot.
  static let knot = 1852.0 / 3600
  /// Metres per second in a kilometre per hour.
  static let kilometrePerHour = 1 / 3.6

  /// A number above 0.
  func positive(_ field: Int) -> Double? { number(field).flatMap(positiveValue) }

  /// A dilution of precision; 50 and more stands for none (99.99 as a rule).
  func dilution(_ field: Int) -> Double? { positive(field).flatMap { $0 < 50 ? $0 : nil } }

  /// A speed in m/s, whose unit in the field is so many of them.
  func speed(_ field: Int, perUnit: Double) -> Double? {
    number(field).flatMap(nonNegative).map { $0 * perUnit }
  }

  /// A direction in degrees, 0 up to 360.
  func course(_ field: Int) -> Double? { number(field).flatMap(courseInDegrees) }
}
