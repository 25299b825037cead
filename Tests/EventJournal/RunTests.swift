import FencelineCivilTime
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineEventJournal
@testable import FencelineSQLiteStore

struct RunTests {
  private func rows(_ test: TestJournal, _ table: String) throws -> Int {
    try Connection(test.path, .read).rows("SELECT count(*) FROM \(table)") { Int($0.integer(0)) }.first ?? -1
  }

  @Test func aRunIsSeenWhenItIsComplete() throws {
    let test = try TestJournal([region("a")])
    let recorder = try test.recorder(device: "van")
    #expect(try recorder.record([crossing(.entry, "a", 1), crossing(.exit, "a", 5)]) == 1)
    #expect(try recorder.record([crossing(.entry, "a", 9)]) == 3)
    #expect(try test.journal.runs() == [])
    #expect(try test.crossings() == [] && test.visits() == [])
    #expect(try test.journal.lastReplay() == nil)
    var summary = RunSummary()
    (summary.fixes, summary.accepted, summary.rejected) = (12, 9, [.jump: 2, .coarse: 1])
    (summary.firstFix, summary.lastFix) = (time(0), time(9.5))
    #expect(try recorder.publish(source: "a.nmea, b.gpx", digest: "x", summary: summary) == nil)
    let run = try #require(try test.journal.run(recorder.run))
    summary.crossings = 3
    #expect(run.summary == summary)
    #expect(run.source == "a.nmea, b.gpx" && !run.isLive)
    #expect(run.settings == RunSettings(device: "van", profile: "balanced", filter: .init(), startDate: nil))
    #expect(run.began <= run.ended ?? run.began)
    #expect(try test.journal.runs() == [run])
    #expect(try test.journal.lastReplay() == run.id && test.journal.liveRun() == nil)
    #expect(try test.journal.run(run.id + 1) == nil)
    #expect(try test.crossings().map(\.sequence) == [1, 2, 3])
  }

  @Test func theSameContentAndSettingsReplaceARun() throws {
    let test = try TestJournal([region("a")])
    let first = try test.record([crossing(.entry, "a", 1)])
    #expect(first.replaced == nil)
    let again = try test.record([crossing(.entry, "a", 1), crossing(.exit, "a", 9)], source: "copy.nmea")
    #expect(again.replaced == first.run)
    let other = try test.record([], digest: "e")
    let device = try test.record([], device: "van")
    #expect(other.replaced == nil && device.replaced == nil)
    #expect(try test.journal.runs().map(\.id) == [again.run, other.run, device.run])
    #expect(again.run > first.run)
    #expect(try test.crossings().map(\.run) == [again.run, again.run])
    #expect(try rows(test, "crossing") == 2 && rows(test, "run") == 3 && rows(test, "visit") == 1)
  }

  @Test func anAbandonedRunLeavesNothing() throws {
    let test = try TestJournal([region("a")])
    try test.record([crossing(.entry, "a", 1)])
    let recorder = try test.recorder()
    try recorder.record((0..<10_001).map { crossing($0 % 2 == 0 ? .entry : .exit, "a", Double($0)) })
    #expect(try rows(test, "crossing") == 10_002)
    recorder.abandon()
    #expect(try rows(test, "crossing") == 1 && rows(test, "run") == 1 && rows(test, "visit") == 1)
    let next = try test.record([], digest: "e")
    #expect(next.run == recorder.run + 1)
  }

  @Test func whatAKilledWriterLeftIsSweptByTheNext() throws {
    let test = try TestJournal([region("a")])
    let killed = try test.recorder()
    try killed.record((0..<10_000).map { crossing($0 % 2 == 0 ? .entry : .exit, "a", Double($0)) })
    // As if another process had written it, which is gone.
    try test.journal.connection.run(
      "UPDATE run SET writer = '2147483646 1 x' WHERE id = ?", .integer(killed.run))
    #expect(try test.crossings() == [])
    let next = try test.record([crossing(.entry, "a", 1)])
    #expect(next.replaced == nil)
    #expect(try rows(test, "run") == 1 && rows(test, "crossing") == 1 && rows(test, "visit") == 1)
  }

  @Test func aRunThatIsStillWrittenIsNotSwept() throws {
    let test = try TestJournal([region("a")])
    let slow = try test.recorder()
    try slow.record([crossing(.entry, "a", 1)])
    try test.record([], digest: "e")
    try test.journal.sweep()
    #expect(try slow.publish(source: "a.nmea", digest: "d", summary: RunSummary()) == nil)
    #expect(try test.crossings().count == 1)
  }

  @Test func runsAreRemoved() throws {
    let test = try TestJournal([region("a")])
    let ids = try ["x", "y", "z"].map { try test.record([crossing(.entry, "a", 1)], digest: $0).run }
    #expect(try test.journal.removeRuns([ids[0], 99, ids[1], 98]) == [99, 98])
    #expect(try test.journal.runs().count == 3)
    #expect(try test.journal.removeRuns([ids[0], ids[2]]) == [])
    #expect(try test.journal.runs().map(\.id) == [ids[1]])
    #expect(try test.journal.removeRuns([ids[0]]) == [ids[0]])
    #expect(try rows(test, "crossing") == 1 && rows(test, "visit") == 1)
  }

  @Test func removedRegionsAreStillNamed() throws {
    let test = try TestJournal([region("a")])
    try test.record([crossing(.entry, "a", 1)])
    _ = try test.journal.removeRegions(["a"])
    _ = try test.journal.store([region("a", radius: 7)], update: false)
    #expect(try test.crossings().map(\.crossing.region) == ["a"])
    #expect(try test.crossings { $0.region = "a" }.count == 1)
  }

  @Test func aCrossingOfARegionThatIsNotStoredIsAFault() throws {
    let test = try TestJournal([region("a")])
    let error = #expect(throws: JournalError.self) {
      try test.record([crossing(.entry, "a", 1), crossing(.entry, "b", 2)])
    }
    #expect(error?.code == .fault)
    #expect(
      error?.message == "A crossing names the region 'b', which the replay was not begun with.")
    #expect(try test.crossings().isEmpty)
  }

  @Test func settingsAndCountsComeBackFromTheirText() {
    forAll(seed: 40, count: 200) { random, seed in
      var settings = RunSettings(
        device: random.chance(0.5) ? "v\"an\(random.next())" : nil, profile: "steady",
        filter: .init(maxSpeed: random.uniform(1...9_000), maxAccuracy: random.uniform(1...9_000)),
        startDate: random.chance(0.5)
          ? CivilDate(daysSince1970: Int.random(in: 0...40_000, using: &random)) : nil)
      let read = RunSettings(text: settings.text)
      guard read == settings, read.text == settings.text else {
        Issue.record("seed \(seed): \(settings.text)")
        return
      }
      settings.profile = "fast"
      if settings.text == read.text { Issue.record("seed \(seed): other settings, the same text") }
    }
    #expect(RunSettings(text: "").filter == FixFilter.Settings())
    var summary = RunSummary()
    for (count, reason) in Rejection.allCases.enumerated() { summary.rejected[reason] = count + 1 }
    #expect(RunSummary.rejected(summary.rejectedText) == summary.rejected)
    #expect(RunSummary.rejected("nonsense") == [:])
  }
}
