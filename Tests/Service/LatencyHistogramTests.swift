import FencelineTestSupport
import Testing

@testable import FencelineService

@Suite("Latency histogram") struct LatencyHistogramTests {
  @Test func nothingHasNoQuantile() {
    let histogram = LatencyHistogram()
    #expect(histogram.quantile(0.5) == nil)
    #expect(histogram.count == 0 && histogram.sum == 0 && histogram.longest == 0)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 33, 1_000, 999_999, 1 << 40, .max] as [Int64])
  func ofOneValueEveryQuantileIsThatValue(_ value: Int64) {
    var histogram = LatencyHistogram()
    histogram.add(value)
    for share in [0, 0.5, 0.99, 1] { #expect(histogram.quantile(share) == value) }
    #expect(histogram.count == 1 && histogram.sum == value && histogram.longest == value)
  }

  @Test func whatWasMeasuredBelowZeroIsZero() {
    var histogram = LatencyHistogram()
    histogram.add(-1)
    #expect(histogram.quantile(1) == 0 && histogram.sum == 0)
  }

  @Test func quantilesOfManyAreAtMostASixteenthTooHigh() {
    var random = SplitMix64(seed: 1)
    var histogram = LatencyHistogram()
    var values: [Int64] = []
    for _ in 0..<20_000 {
      // From one nanosecond to an hour, every octave as often.
      let value = Int64(1) << Int64(random.uniform(0...41)) + Int64(random.uniform(0...1_000))
      values.append(value)
      histogram.add(value)
    }
    values.sort()
    for share in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
      let exact = values[max(0, Int((share * 20_000).rounded(.up)) - 1)]
      let found = histogram.quantile(share) ?? -1
      #expect(found >= exact && found <= exact + exact / 16, "\(share): \(found) for \(exact)")
    }
    #expect(histogram.sum == values.reduce(0, +))
  }

  @Test func oneInAHundredDoesNotMoveTheNinetyNinth() {
    var histogram = LatencyHistogram()
    for _ in 0..<99 { histogram.add(10) }
    histogram.add(1_000_000)
    #expect(histogram.quantile(0.99) == 10)
    #expect(histogram.quantile(1) == 1_000_000)
    histogram.add(1_000_000)
    #expect(histogram.quantile(0.99) == 1_000_000)
  }
}
