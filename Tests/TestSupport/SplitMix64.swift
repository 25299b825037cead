/// A small seeded generator: the same seed gives the same numbers on every machine.
///
/// - Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The sequence that belongs to `seed`.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Evenly distributed in `range`.
  public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// Whether an event of probability `p` happens.
  public mutating func chance(_ p: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < p
  }

  /// A normal deviate with mean 0 and standard deviation 1: the sum of twelve uniform ones, less 6.
  public mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &self) }
    return sum
  }
}

/// Runs `body` with `count` generators, each seeded from `seed` and its turn, so that a failing turn can be run alone.
///
/// - Parameters:
///   - seed: Where the sequence of seeds begins.
///   - count: How many turns.
///   - body: One turn; it gets its own seed for messages.
public func forAll(seed: UInt64, count: Int, _ body: (inout SplitMix64, UInt64) throws -> Void) rethrows {
  for turn in 0..<UInt64(count) {
    let own = seed &* 1_000_003 &+ turn
    var random = SplitMix64(seed: own)
    try body(&random, own)
  }
}
