import CFencelinePowerCut
import FencelineCivilTime
import FencelineEventJournal
import FencelineGeofencing
import FencelineTestSupport
import Foundation
import Testing

@testable import FencelineService

/// The power goes at any moment, and with it whatever was not synchronised.
struct PowerCutTests {
  /// What a journal holds in the end.
  private struct Content: Equatable {
    var crossings: [RecordedCrossing] = []
    var visits: [Visit] = []

    init(_ path: String) throws {
      let journal = try Journal(path: path, .read)
      try journal.crossings(HistoryFilter()) { crossings += $0 }
      try journal.visits(HistoryFilter()) { visits += $0 }
    }
  }

  /// Drives to the end, whatever happens: a feed that goes on where the journal says that it stands.
  ///
  /// - Returns: How often the power went, and the crossings that were told.
  private static func drive(
    _ path: String, seed: UInt64, cutting: Bool
  ) throws -> (cuts: Int, told: Set<Int64>) {
    var random = SplitMix64(seed: seed)
    let fixes = FencelineServiceTests.drive(seed: seed, fixes: 300)
    _ = try Journal(path: path, .write).store(liveRegions(), update: false)
    var cuts = 0
    var told: Set<Int64> = []
    while true {
      if cutting { powercut_after(Int64(random.uniform(0...600))) }
      // The power may go while the service starts, too.
      if let test = try? TestEngine(path) {
        var place = test.recorder.summary.fixes
        while place < fixes.count, powercut_is_off() == 0 {
          test.take(fixes[place])
          place += 1
          // What is told is on the disk.
          if test.engine.journalProblem == nil, powercut_is_off() == 0 {
            told.formUnion(Set(1..<(test.recorder.sequence + 1)))
          }
        }
        if place == fixes.count, powercut_is_off() == 0 {
          try test.recorder.end()
          powercut_after(Int64.max)
          return (cuts, told)
        }
      }
      cuts += 1
      guard powercut_restore() == 0, cuts < 5_000 else { throw CocoaError(.fileWriteUnknown) }
      // Nothing that was told is gone.
      let held = Set(try Content(path).crossings.map(\.sequence))
      guard told.isSubset(of: held) else {
        print("seed \(seed): told \(told.subtracting(held).sorted()), and lost")
        exit(3)
      }
    }
  }

  @Test func aPowerCutLosesAndRepeatsNoCrossing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      precondition(powercut_install(7) == 0)
      let folder = try TemporaryFolder()
      for seed in UInt64(1)...2 {
        let (calm, cut) = (folder.path("calm\(seed).db"), folder.path("cut\(seed).db"))
        _ = try PowerCutTests.drive(calm, seed: seed, cutting: false)
        let (cuts, _) = try PowerCutTests.drive(cut, seed: seed, cutting: true)
        let (expected, found) = (try Content(calm), try Content(cut))
        guard expected == found, cuts > 3, expected.crossings.count > 5 else {
          print(
            "seed \(seed): \(cuts) cuts, \(expected.crossings.count) crossings, \(found.crossings.count) found"
          )
          exit(4)
        }
      }
      guard powercut_lost() > 100 else { exit(5) }
    }
    let words = result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } ?? ""
    #expect(words == "")
  }

  @Test func withoutSynchronisingCrossingsWouldBeLost() async {
    // The disk of these tests really forgets: what was only written is gone in some of many cuts.
    await #expect(processExitsWith: .success) {
      precondition(powercut_install(11) == 0)
      let folder = try TemporaryFolder()
      let path = folder.path("a.db")
      _ = try Journal(path: path, .write).store(liveRegions(), update: false)
      var test: TestEngine? = try TestEngine(path)
      for fix in FencelineServiceTests.drive(seed: 3, fixes: 20) { test?.take(fix) }
      let before = test?.recorder.summary.fixes ?? 0
      powercut_after(0)
      test?.wait(1)
      test = nil
      guard powercut_restore() == 0 else { exit(3) }
      let journal = try Journal(path: path, .read)
      guard let run = try journal.liveRun(), let summary = try journal.run(run)?.summary,
        summary.fixes < before
      else { exit(4) }
    }
  }
}
