internal import FencelineLiveSources

/// How long something took, each time: counts in buckets of fixed number, so that a year of fixes needs no more memory than one.
///
/// Each octave has 16 buckets of equal width, so that a quantile is at most a sixteenth too high; below 16 ns they are exact.
///
/// - Source: G. Tene, HdrHistogram, the layout of its buckets.
struct LatencyHistogram {
  private static let bits = 4
  private static let perOctave = 1 << bits
  private var buckets = [Int](repeating: 0, count: (Int64.bitWidth - bits) * perOctave)

  /// How often it was measured.
  private(set) var count = 0
  /// Nanoseconds of all of them together, and of the longest.
  private(set) var sum: Int64 = 0
  private(set) var longest: Int64 = 0

  /// Counts one.
  ///
  /// - Parameter nanoseconds: How long it took; below 0 counts as 0.
  mutating func add(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    buckets[Self.bucket(of: value)] += 1
    count += 1
    sum = sum.addingReportingOverflow(value).partialValue
    longest = max(longest, value)
  }

  /// Counts the time from an instant to the present.
  mutating func add(since instant: Arrival) {
    add(Arrival.now.bootNanoseconds - instant.bootNanoseconds)
  }

  /// The time in which a share of them were done.
  ///
  /// - Parameter share: 0 to 1: 0.99 for all but one in a hundred.
  /// - Returns: Nanoseconds, the end of the bucket, and at most the longest; nil where nothing was measured.
  func quantile(_ share: Double) -> Int64? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var passed = 0
    for (bucket, held) in buckets.enumerated() {
      passed += held
      if passed >= rank { return min(Self.end(of: bucket), longest) }
    }
    return longest
  }

  private static func bucket(of value: Int64) -> Int {
    guard value >= perOctave else { return Int(value) }
    let shift = Int64.bitWidth - 1 - value.leadingZeroBitCount - bits
    return shift * perOctave + Int(value >> Int64(shift))
  }

  /// The largest value that belongs to a bucket.
  private static func end(of bucket: Int) -> Int64 {
    guard bucket >= perOctave else { return Int64(bucket) }
    let shift = bucket / perOctave - 1
    let start = Int64(bucket % perOctave + perOctave) << Int64(shift)
    return start + ((1 << Int64(shift)) - 1)
  }
}
