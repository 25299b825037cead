import FencelineCivilTime

/// The instant so many milliseconds after 1970; nil where it is after 9999 or before the year 1.
func unixTime(_ milliseconds: Double) -> Timestamp? {
  guard milliseconds >= Double(Timestamp.earliest.milliseconds),
    milliseconds <= Double(Timestamp.latest.milliseconds)
  else { return nil }
  return Timestamp(rounding: milliseconds)
}

/// A direction as 0 up to 360 degrees; nil for what is none.
package func courseInDegrees(_ value: Double) -> Double? {
  guard value >= 0, value <= 360 else { return nil }
  return value == 360 ? 0 : value
}

/// A speed or radius as logs write it, where a negative number stands for an unknown one.
func nonNegative(_ value: Double) -> Double? { value >= 0 ? value : nil }

/// A radius that can hold something.
func positiveValue(_ value: Double) -> Double? { value > 0 ? value : nil }
