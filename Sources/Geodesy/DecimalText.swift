extension Double {
  /// The number with exactly so many decimals, rounded half away from zero: `48.137`.
  ///
  /// - Parameter places: 0 to 12; the number itself must be finite and below 9e18 / 10^places, else its shortest text
  ///   (as `description` gives it) stands in.
  /// - Returns: Digits, a sign where it is negative and not rounded to 0, a point where places is above 0.
  public func fixed(_ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (self * scale).rounded()
    guard scaled.isFinite, abs(scaled) < 9e18 else { return description }
    let whole = Int64(scaled)
    let digits = String(whole.magnitude)
    let sign = whole < 0 ? "-" : ""
    guard places > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }

  /// The number with at most so many decimals, without trailing zeros: `1.5`, `100`.
  ///
  /// - Parameter places: As for ``fixed(_:)``.
  /// - Returns: Digits, a sign where it is negative and not rounded to 0, a point where decimals are left.
  public func trimmed(_ places: Int) -> String {
    var text = fixed(places)
    guard text.contains("."), !text.contains("e") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
