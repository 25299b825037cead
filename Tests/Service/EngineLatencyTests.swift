import FencelineEventJournal
import FencelineTestSupport
import Testing

@testable import FencelineService

@Suite("Engine latency") struct EngineLatencyTests {
  @Test func everyDecisionItsCommitAndEachSynchronisationIsMeasured() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.db")
    _ = try Journal(path: path, .write).store(liveRegions(), update: false)
    let test = try TestEngine(path)
    var turnsWithCrossings = 0
    for fix in drive(seed: 3, fixes: 250) {
      let before = test.recorder.sequence
      test.take(fix)
      if test.recorder.sequence > before { turnsWithCrossings += 1 }
    }
    #expect(turnsWithCrossings > 5)
    #expect(test.engine.decisionLatency.count == 250)
    #expect(test.engine.commitLatency.count == 250)
    #expect(test.engine.synchroniseLatency.count == turnsWithCrossings)
    #expect(test.engine.commitLatency.sum > 250 * 1_000)
  }
}
