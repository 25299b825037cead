/// An instant in UTC, to the millisecond.
///
/// Days have 86,400 seconds: a leap second takes the number of the second that follows it, as in POSIX.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
  public var milliseconds: Int64

  /// The instant so many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The instant at a fractional number of milliseconds since 1970, rounded half up to the nearest whole one.
  ///
  /// - Parameter milliseconds: Finite and within ±9.2e18.
  public init(rounding milliseconds: Double) {
    self.milliseconds = Int64((milliseconds + 0.5).rounded(.down))
  }

  /// Milliseconds in a civil day.
  public static let millisecondsPerDay: Int64 = 86_400_000

  /// 0001-01-01T00:00:00Z, the first instant that ISO 8601 text here can say.
  public static let earliest = Timestamp(milliseconds: -62_135_596_800_000)

  /// 9999-12-31T23:59:59.999Z, the last one.
  public static let latest = Timestamp(milliseconds: 253_402_300_799_999)

  /// Splits the time since 1970 into whole units and a rest, whatever the instant.
  ///
  /// - Parameter unit: Milliseconds, above 0.
  /// - Returns: How many units, rounded down, and the milliseconds that are left, from 0 up to a unit.
  public func split(by unit: Int64) -> (whole: Int64, rest: Int64) {
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: unit)
    return rest < 0 ? (whole - 1, rest + unit) : (whole, rest)
  }

  /// Earlier instants come first.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.milliseconds < b.milliseconds
  }

  /// Seconds from `earlier` to this instant; negative if it is the later one.
  @inlinable
  public func seconds(since earlier: Timestamp) -> Double {
    // As integers they may be too far apart; as doubles they are exact for 285,000 years.
    (Double(milliseconds) - Double(earlier.milliseconds)) / 1000
  }
}
