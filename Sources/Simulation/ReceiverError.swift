internal import FencelinePositioning
internal import Glibc

/// By how much a receiver is wrong: for minutes in about the same direction, and a little anew with every fix.
///
/// Each axis is a first-order Gauss-Markov process plus white noise. What moves a receiver's position (the ionosphere, the orbits,
/// echoes from walls) changes over a minute or so; independent errors would be averaged away by any filter, and real ones are not.
struct ReceiverError: Sendable {
  /// Seconds after which the slow part has forgotten 63 % of itself.
  static let timeConstant = 60.0
  /// The white part of the standard deviation.
  static let whiteness = 0.2

  /// Metres to the east and to the north.
  private(set) var east = 0.0
  private(set) var north = 0.0
  private var slowEast: Double
  private var slowNorth: Double
  /// One-axis standard deviation in metres of the two parts.
  private let slow: Double
  private let white: Double

  /// An error that begins as it goes on: there is no time after the start at which it is smaller.
  ///
  /// - Parameters:
  ///   - radius: Metres that hold the error with 68 %; 0 for none.
  ///   - random: Where its numbers come from.
  init(radius: Double, _ random: inout SeededNumbers) {
    let sigma = Self.sigma(radius: radius)
    white = sigma * Self.whiteness
    slow = sigma * (1 - Self.whiteness * Self.whiteness).squareRoot()
    slowEast = slow * random.normal()
    slowNorth = slow * random.normal()
  }

  /// The one-axis standard deviation of an error, of which a radius holds 68 %.
  static func sigma(radius: Double) -> Double { radius / Accuracy.radius68PerSigma }

  /// Lets time pass.
  ///
  /// - Parameters:
  ///   - seconds: How much.
  ///   - random: Where the numbers come from: four each time.
  mutating func advance(by seconds: Double, _ random: inout SeededNumbers) {
    let kept = exp(-seconds / Self.timeConstant)
    let new = slow * (1 - kept * kept).squareRoot()
    slowEast = slowEast * kept + new * random.normal()
    slowNorth = slowNorth * kept + new * random.normal()
    east = slowEast + white * random.normal()
    north = slowNorth + white * random.normal()
  }
}
