/// Milliseconds between the last accepted fixes of one track: five at most, the oldest first.
public struct Intervals: Hashable, Sendable {
  /// How many are kept.
  public static let limit = 5

  private var kept: InlineArray<5, Int64> = [0, 0, 0, 0, 0]
  private var count = 0

  /// No fixes yet.
  public init() {}

  /// What ``values`` held; of more than ``limit`` the last ones count.
  public init(_ values: some Sequence<Int64>) {
    for value in values { append(value) }
  }

  /// They, the oldest first.
  public var values: [Int64] { (0..<count).map { kept[$0] } }

  /// Takes the next one.
  public mutating func append(_ milliseconds: Int64) {
    if count < Intervals.limit {
      kept[count] = milliseconds
      count += 1
    } else {
      for place in 1..<Intervals.limit { kept[place - 1] = kept[place] }
      kept[Intervals.limit - 1] = milliseconds
    }
  }

  /// The middle one; of an even number the mean of the middle two; nil of none.
  public var median: Double? {
    guard count > 0 else { return nil }
    let upper = ranked(count / 2)
    return count.isMultiple(of: 2) ? (ranked(count / 2 - 1) + upper) / 2 : upper
  }

  /// The one of a rank, 0 being the smallest. So few are not sorted.
  private func ranked(_ rank: Int) -> Double {
    for place in 0..<count {
      var (below, equal) = (0, 0)
      for other in 0..<count {
        if kept[other] < kept[place] { below += 1 } else if kept[other] == kept[place] { equal += 1 }
      }
      if below <= rank, rank < below + equal { return Double(kept[place]) }
    }
    return 0
  }

  /// Whether both hold the same.
  public static func == (a: Intervals, b: Intervals) -> Bool { a.values == b.values }

  /// Feeds what is held to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
