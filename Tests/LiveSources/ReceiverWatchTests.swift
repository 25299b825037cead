import Testing

@testable import FencelineLiveSources

/// A watch that an expectation may change.
private final class Watch {
  private var watch: ReceiverWatch

  init(silence: Int64 = 10_000) { watch = ReceiverWatch(silence: silence, at: 0) }

  var state: SignalState? { watch.state }
  var limit: Int64 { watch.limit }
  var nextCheck: Int64? { watch.nextCheck }

  func takeFix(mode: Int, at now: Int64) -> Bool { watch.takeFix(mode: mode, at: now) }
  func takeNoFix(at now: Int64) -> Bool { watch.takeNoFix(at: now) }
  func check(at now: Int64) -> Bool { watch.check(at: now) }
  func hear(at now: Int64) { watch.hear(at: now) }
}

@available(*, unavailable)
extension Watch: Sendable {}

@Suite("Receiver watch") struct ReceiverWatchTests {
  /// A watch with five fixes, a second apart, the last at 5,000.
  private func settled() -> Watch {
    let watch = Watch()
    for second in 1...5 { _ = watch.takeFix(mode: 3, at: Int64(second) * 1000) }
    return watch
  }

  @Test func aStateIsToldOnce() {
    let watch = Watch()
    #expect(watch.takeFix(mode: 2, at: 1_000))
    #expect(!watch.takeFix(mode: 2, at: 2_000))
    #expect(watch.takeFix(mode: 3, at: 3_000))
    #expect(watch.state == .threeD)
  }

  @Test func anInstantThatIsReportedTwiceDoesNotLoseTheFix() {
    let watch = settled()
    for second in 6...20 {
      #expect(!watch.takeNoFix(at: Int64(second) * 1000))
      #expect(!watch.takeFix(mode: 3, at: Int64(second) * 1000 + 20))
    }
    #expect(!watch.takeNoFix(at: 21_000))
    #expect(watch.takeNoFix(at: 22_000))
    #expect(watch.state == .noFix)
  }

  @Test func silenceComesAtItsTimeAndIsDueThen() {
    let watch = settled()
    #expect(watch.nextCheck == 15_000)
    #expect(!watch.check(at: 14_999))
    #expect(watch.check(at: 15_000))
    #expect(watch.state == .silent && watch.nextCheck == nil)
    #expect(!watch.check(at: 99_000))
    #expect(watch.takeFix(mode: 3, at: 100_000))
  }

  @Test func aReceiverThatSeldomSpeaksHasThreeIntervals() {
    let watch = Watch()
    for turn in 1...5 { _ = watch.takeFix(mode: 3, at: Int64(turn) * 30_000) }
    #expect(!watch.check(at: 239_999))
    #expect(watch.check(at: 240_000))
  }

  @Test func aSilenceIsNoInterval() {
    let watch = settled()
    _ = watch.check(at: 15_000)
    for second in 100...102 { _ = watch.takeFix(mode: 3, at: Int64(second) * 1000) }
    #expect(watch.limit == 10_000)
  }

  @Test func wordsWithoutReportsAreNoFix() {
    let watch = settled()
    for second in 6...7 {
      watch.hear(at: Int64(second) * 1000)
      #expect(!watch.check(at: Int64(second) * 1000))
    }
    #expect(watch.nextCheck == 8_000)
    #expect(watch.check(at: 8_000))
    #expect(watch.state == .noFix)
  }

  @Test func wordsAfterASilenceAreNoFixOnlyWhenNoFixFollows() {
    let watch = settled()
    _ = watch.check(at: 15_000)
    watch.hear(at: 20_000)
    #expect(!watch.check(at: 20_000))
    let due = watch.nextCheck
    #expect(due == 22_999)
    #expect(watch.check(at: 23_000))
    #expect(watch.state == .noFix)
  }

  @Test func theFirstWordMayComeLate() {
    let watch = Watch()
    watch.hear(at: 9_000)
    #expect(!watch.check(at: 9_000))
    #expect(watch.takeFix(mode: 3, at: 9_100))
  }

  @Test func aWordAfterASilenceAndThenNoneKeepsNobodyAwake() {
    let watch = Watch(silence: 1_000)
    #expect(watch.check(at: 1_000))
    watch.hear(at: 5_000)
    #expect(watch.nextCheck == 7_999)
    #expect(!watch.check(at: 7_999))
    #expect(watch.state == .silent && watch.nextCheck == nil)
  }

  @Test func waitsGrowUpToHalfAMinute() {
    var backoff = Backoff()
    var waits: [Int] = []
    for _ in 0..<40 { waits.append(backoff.next()) }
    #expect((750...1_000).contains(waits[0]))
    #expect((3_000...4_000).contains(waits[2]))
    // Many that lose the same server do not come back at once, however long it was away.
    let longest = waits.dropFirst(5)
    #expect(longest.allSatisfy { (22_500...30_000).contains($0) })
    #expect(Set(longest).count > 10)
    backoff.reset()
    let first = backoff.next()
    #expect(first <= 1_000)
  }
}
