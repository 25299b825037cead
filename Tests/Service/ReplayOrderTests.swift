import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineService

struct ReplayOrderTests {
  private func fix(_ milliseconds: Int64, _ device: String = "d") -> Fix {
    Fix(
      device: device, time: Timestamp(milliseconds: milliseconds),
      coordinate: Coordinate(latitude: 1, longitude: 1))
  }

  @Test func fixesAreNumberedAsTheyCome() {
    var order = ReplayOrder()
    for (place, time) in [0, 1_000, 2_000, 5_000, 5_500].enumerated() {
      order.accept(fix(Int64(time)))
      #expect(order.place(of: fix(Int64(time))) == place)
    }
    #expect(order.place(of: fix(2_000)) == 2)
  }

  @Test func aLogThatGoesBackInTimeShowsTheEarlierInstant() {
    var order = ReplayOrder()
    for time in 0..<10 { order.accept(fix(Int64(time) * 1_000)) }
    order.accept(fix(2_500))
    #expect(order.place(of: fix(2_500)) == 10)
    order.accept(fix(3_000))
    #expect(order.place(of: fix(3_000)) == 3)
    order.accept(fix(3_300))
    #expect(order.place(of: fix(3_300)) == 12)
  }

  @Test func itAgreesWithAPlainList() {
    forAll(seed: 50, count: 300) { random, seed in
      var order = ReplayOrder()
      var accepted: [Fix] = []
      var clocks: [String: Int64] = [:]
      // Also where the hours of the order meet.
      let steps: [Int64] = random.chance(0.5) ? [1_000] : [700, 1_000, 900_000]
      for _ in 0..<Int.random(in: 1...150, using: &random) {
        let device = random.chance(0.7) ? "a" : random.chance(0.5) ? "b" : "c"
        let isBack = clocks[device] != nil && random.chance(0.05)
        let step: Int64 =
          random.chance(0.8)
          ? steps.randomElement(using: &random) ?? 1 : [1, 500, 3_000].randomElement(using: &random) ?? 1
        let before = clocks[device] ?? 0
        let now = isBack ? before - step * Int64.random(in: 1...20, using: &random) : before + step
        let own = fix(now, device)
        order.accept(own)
        clocks[device] = now
        accepted.append(own)
        let expected = accepted.firstIndex { $0.device == device && $0.time == own.time }
        guard order.place(of: own) == expected else {
          Issue.record("seed \(seed): fix \(accepted.count - 1)")
          return
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(1))) func aLogThatAlwaysGoesBackIsNumberedInTime() {
    var order = ReplayOrder()
    for session in 0..<100_000 {
      // Half a second earlier each time, so that no time is met again.
      for step in 0..<3 {
        let own = fix(Int64(step * 1_000 - session * 500 - step % 2))
        order.accept(own)
        _ = order.place(of: own)
      }
    }
    #expect(order.place(of: fix(0)) == 0)
    #expect(order.place(of: fix(-500)) == 3)
  }
}
