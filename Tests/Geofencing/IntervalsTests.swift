import FencelineGeofencing
import FencelineTestSupport
import Testing

struct IntervalsTests {
  /// They are what a plain list, cut to its last five and sorted, says: with ties, and when many were dropped.
  @Test func areTheLastFiveOfAList() {
    forAll(seed: 51, count: 500) { random, seed in
      var intervals = Intervals()
      var list: [Int64] = []
      for _ in 0..<12 {
        let kept = Array(list.suffix(Intervals.limit))
        guard intervals.values == kept, intervals.median == median(kept), intervals == Intervals(list) else {
          Issue.record("seed \(seed): \(list): \(intervals.values), \(intervals.median as Any)")
          return
        }
        let next =
          random.chance(0.5)
          ? Int64.random(in: 0...3, using: &random) : .random(in: 1...1 << 52, using: &random)
        intervals.append(next)
        list.append(next)
      }
    }
  }

  private func median(_ values: [Int64]) -> Double? {
    let sorted = values.sorted()
    guard let upper = sorted.dropFirst(sorted.count / 2).first else { return nil }
    return sorted.count.isMultiple(of: 2)
      ? (Double(sorted[sorted.count / 2 - 1]) + Double(upper)) / 2 : Double(upper)
  }

  /// What was dropped makes no difference; order and number do.
  @Test func equalityIsThatOfTheValues() {
    let full = Intervals([1, 2, 3, 4, 5])
    #expect(full == Intervals([9, 9, 1, 2, 3, 4, 5]))
    #expect(Set([full, Intervals([9, 1, 2, 3, 4, 5])]).count == 1)
    #expect(full != Intervals([2, 1, 3, 4, 5]))
    #expect(Intervals([0]) != Intervals())
    #expect(Intervals([0]) != Intervals([0, 0]))
  }
}
