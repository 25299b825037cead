import CFencelinePowerCut
import FencelineCivilTime
import FencelineDecisions
import FencelineEventJournal
import FencelineGeofencing
import FencelinePositioning
import FencelineSystemdLink
import FencelineTestSupport
import Foundation
import Testing

@testable import FencelineHTTPServing
@testable import FencelineService

/// The power goes at any moment, and with it whatever was not synchronised.
struct PowerCutTests {
  /// What a journal holds in the end.
  private struct Content: Equatable {
    var crossings: [RecordedCrossing] = []
    var visits: [Visit] = []
    var notifications: [StoredNotification] = []

    init(_ path: String) throws {
      let journal = try Journal(path: path, .read)
      try journal.crossings(HistoryFilter()) { crossings += $0 }
      try journal.visits(HistoryFilter()) { visits += $0 }
      try NotificationCentre(journal, .init()).delivered(.all) { notifications.append($0) }
    }
  }

  /// Crossings and notifications as whoever watches is told of them, by their ids.
  private typealias Told = [String: [UInt8]]

  /// What would be told of what a journal holds.
  private static func events(of path: String) throws -> Told {
    let hub = EventHub()
    let teller = EventTeller(hub: hub, log: ServiceLog(finest: .error))
    let content = try Content(path)
    content.notifications.forEach(teller.notification)
    for held in content.crossings {
      teller.outcomes([.crossing(held.crossing)], run: held.run, from: held.sequence) { _ in held.title }
    }
    return Told(uniqueKeysWithValues: hub.past.map { ($0.id, $0.event) })
  }

  /// How a drive went.
  private struct Drive {
    /// How often the power went.
    var cuts = 0
    /// The crossings that were told.
    var told: Told = [:]
    /// The fixes that brought them about, and how many operations of the disk the turn of each took.
    var turns: [Int: Int64] = [:]
  }

  /// Drives to the end, whatever happens: a feed that goes on where the journal says that it stands.
  ///
  /// - Parameters:
  ///   - path: The journal, which is made.
  ///   - seed: Where the drive goes, and when the power does.
  ///   - turns: Fixes in whose turns the power goes, beside other times; nil never cuts it.
  /// - Returns: How it went.
  /// - Throws: Where the drive comes to no end.
  private static func drive(_ path: String, seed: UInt64, cuttingIn turns: [Int: Int64]? = nil) throws
    -> Drive
  {
    var random = SplitMix64(seed: seed)
    let fixes = FencelineServiceTests.drive(seed: seed, fixes: 300)
    _ = try Journal(path: path, .write).store(liveRegions(), update: false)
    var drive = Drive()
    var isOver = false
    while !isOver {
      if turns != nil { powercut_after(Int64(random.uniform(0...1_500))) }
      // The power may go while the service starts, too.
      if let test = try? TestEngine(path) {
        for place in test.recorder.summary.fixes..<fixes.count where powercut_is_off() == 0 {
          // From the first write of the record to somewhat behind its synchronisation.
          if let turn = turns?[place] { powercut_after(Int64(random.uniform(0...Double(turn + 10)))) }
          let (told, before) = (test.hub.past.count, powercut_operations())
          test.take(fixes[place])
          if test.hub.past.count > told { drive.turns[place] = powercut_operations() - before }
        }
        if powercut_is_off() == 0 { isOver = (try? test.recorder.end()) != nil }
        for (id, _, event) in test.hub.past {
          guard drive.told.updateValue(event, forKey: id) ?? event == event else {
            print("seed \(seed): \(id) was told twice and otherwise")
            exit(0)
          }
        }
      }
      if isOver {
        powercut_after(Int64.max)
      } else {
        drive.cuts += 1
        guard powercut_restore() == 0, drive.cuts < 5_000 else { throw CocoaError(.fileWriteUnknown) }
      }
      // What was told is on the disk, as it was told.
      let held = try events(of: path)
      let lost = drive.told.filter { held[$0.key] != $0.value }
      guard lost.isEmpty else {
        print("seed \(seed), cut \(drive.cuts): told \(lost.keys.sorted()), and lost")
        exit(0)
      }
    }
    return drive
  }

  @Test func aPowerCutLosesAndRepeatsNoCrossingAndNoNotification() async {
    // Who finds something wrong says so and ends well: of a process that fails, nobody sees what it has said.
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      precondition(powercut_install(7) == 0)
      let folder = try TemporaryFolder()
      for seed in UInt64(1)...4 {
        let (calm, cut) = (folder.path("calm\(seed).db"), folder.path("cut\(seed).db"))
        let turns = try PowerCutTests.drive(calm, seed: seed).turns
        let drive = try PowerCutTests.drive(cut, seed: seed, cuttingIn: turns)
        let (expected, found) = (try Content(calm), try Content(cut))
        guard expected == found, turns.count > 5, drive.cuts > turns.count else {
          print(
            "seed \(seed): \(drive.cuts) cuts, \(turns.count) turns, \(expected.crossings.count) crossings, "
              + "\(drive.told.count) told, \(found.crossings.count) found"
          )
          exit(0)
        }
      }
      guard powercut_lost() > 100 else { exit(5) }
    }
    let words = result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } ?? ""
    #expect(words == "")
  }

  @Test(arguments: [false, true])
  func crossingsAreLostUnlessTheyAreSynchronised(isSynchronised: Bool) async {
    // The disk of these tests really forgets: crossings that were only committed are gone.
    await #expect(processExitsWith: .success) { [isSynchronised] in
      precondition(powercut_install(11) == 0)
      let folder = try TemporaryFolder()
      let path = folder.path("a.db")
      let fixes = FencelineServiceTests.drive(seed: 3, fixes: 300)
      let committed = try PowerCutTests.commit(fixes, path, isSynchronised: isSynchronised)
      guard powercut_restore() == 0 else { exit(3) }
      let held = try Content(path).crossings.map(\.crossing)
      guard committed.count > 5, committed.starts(with: held) else { exit(4) }
      guard (held.count == committed.count) == isSynchronised else { exit(5) }
    }
  }

  /// Commits what a drive brings about, a turn for each fix, until the power goes.
  private static func commit(_ fixes: [Fix], _ path: String, isSynchronised: Bool) throws -> [Crossing] {
    let journal = try Journal(path: path, .write)
    _ = try journal.store(liveRegions(), update: false)
    let recorder = try LiveRecorder(
      journal, source: "test", settings: Configuration().runSettings, centre: .init())
    var pipeline = try recorder.pipeline(profile: .balanced, filter: FixFilter.Settings(), at: .test)
    var crossings: [Crossing] = []
    for fix in fixes {
      _ = try recorder.begin(at: .test)
      var outcomes: [Outcome] = []
      let verdict = pipeline.process(fix, now: nil, arrival: fix.time.milliseconds, into: &outcomes)
      var batch = LiveBatch()
      batch.take(fix, verdict, outcomes, by: pipeline)
      try recorder.commit(batch, at: .test)
      if isSynchronised { try recorder.synchronise() }
      for case .crossing(let crossing) in outcomes { crossings.append(crossing) }
    }
    // Closing the journal would synchronise it.
    withExtendedLifetime(recorder) { powercut_after(0) }
    return crossings
  }
}
