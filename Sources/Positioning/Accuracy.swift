/// How the error estimates of different sources become one: the 68 % radius.
///
/// All factors follow from a circular normal error with the standard deviation sigma on each axis, where a radius R holds the
/// true position with probability p = 1 - exp(-R² / 2 sigma²), hence R = sigma · sqrt(-2 ln(1 - p)).
public enum Accuracy: Sendable {
  /// The 68 % radius of an error of 1 m standard deviation on each axis: sqrt(-2 ln 0.32).
  public static let radius68PerSigma = 1.509_592_185_451_646_3
  /// The 95 % radius of the same error: sqrt(-2 ln 0.05).
  public static let radius95PerSigma = 2.447_746_830_680_816
  /// The 50 % radius of the same error: sqrt(2 ln 2).
  public static let radius50PerSigma = 1.177_410_022_515_474_7

  /// Metres of one-axis standard deviation for each unit of HDOP: the usual single-frequency range error.
  public static let sigmaPerHDOP = 4.0

  /// The 68 % radius in metres of an error given as one-axis standard deviation in metres.
  public static func fromSigma(_ sigma: Double) -> Double { sigma * radius68PerSigma }
  /// The 68 % radius in metres of an error given as the radius in metres that holds 95 %.
  public static func from95(_ radius: Double) -> Double { radius / radius95PerSigma * radius68PerSigma }
  /// The 68 % radius in metres of an error given as the radius in metres that holds 50 %.
  public static func from50(_ radius: Double) -> Double { radius / radius50PerSigma * radius68PerSigma }
  /// The 68 % radius in metres of a horizontal dilution of precision.
  public static func fromHDOP(_ hdop: Double) -> Double { fromSigma(hdop * sigmaPerHDOP) }
  /// The 68 % radius in metres of two one-axis standard deviations in metres: their root mean square.
  public static func fromSigmas(_ a: Double, _ b: Double) -> Double {
    fromSigma(((a * a + b * b) / 2).squareRoot())
  }
}
