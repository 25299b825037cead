import FencelineCivilTime
import FencelineDecisions
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Glibc
import Testing

/// The live run in the journal: what it takes up, what others edit meanwhile, and what is left when it ends.
struct LiveRecorderTests {
  private static let settings = RunSettings(
    device: nil, profile: "balanced", filter: .init(), startDate: nil)

  private func start(_ test: TestJournal) throws -> (LiveRecorder, Pipeline) {
    let recorder = try LiveRecorder(
      test.journal, source: "test", settings: Self.settings, centre: .init())
    return (recorder, try recorder.pipeline(profile: .exact, filter: .init(), at: .test))
  }

  /// One turn of an engine.
  private func turn(_ recorder: LiveRecorder, _ pipeline: inout Pipeline, _ fixes: [Fix] = []) throws {
    var batch = LiveBatch()
    var outcomes: [Outcome] = []
    if let edits = try recorder.begin(at: .test) { batch.take(edits, by: &pipeline) }
    for fix in fixes {
      outcomes.removeAll()
      let verdict = pipeline.process(fix, into: &outcomes)
      batch.take(fix, verdict, outcomes, by: pipeline)
    }
    try recorder.commit(batch, at: .test)
    if batch.holdsCrossings { try recorder.synchronise() }
  }

  /// Ten seconds after each other, so that none is too fast.
  private func fix(_ tens: Double, _ metres: Double, device: String = "d") -> Fix {
    Fix(
      device: device, time: FencelineEventJournalTests.time(10 * tens),
      coordinate: region("r").centre.destination(azimuth: 90, distance: metres), accuracy: 3, source: .tpv)
  }

  @Test func theRunIsTakenUpWhereItStands() throws {
    let test = try TestJournal([region("r")])
    do {
      var (recorder, pipeline) = try start(test)
      #expect(!recorder.wasCutOff)
      try turn(recorder, &pipeline, [fix(0, 300), fix(1, 0)])
      #expect(try test.crossings().map(\.crossing.kind) == [.entry])
      try recorder.end()
    }
    var (recorder, pipeline) = try start(test)
    #expect(!recorder.wasCutOff)
    #expect(pipeline.states(of: "d")["r"]?.side == .inside)
    try turn(recorder, &pipeline, [fix(2, 0), fix(3, 300)])
    #expect(try test.crossings().map(\.crossing.kind) == [.entry, .exit])
    #expect(try test.crossings().map(\.sequence) == [1, 2])
    #expect(try test.visits().map(\.reason) == [.exit])
    #expect(recorder.summary.fixes == 4 && recorder.summary.accepted == 4)
    #expect(try test.journal.runs().map(\.summary.fixes) == [4])
  }

  @Test func aServiceThatWasKilledIsNoticed() throws {
    let test = try TestJournal()
    _ = try start(test)
    #expect(try start(test).0.wasCutOff)
  }

  @Test func whatFailsToCommitIsCommittedAgainAndNotDecidedTwice() throws {
    let test = try TestJournal([region("r")])
    var (recorder, pipeline) = try start(test)
    var batch = LiveBatch()
    for fix in [fix(0, 300), fix(1, 0)] {
      var outcomes: [Outcome] = []
      let verdict = pipeline.process(fix, into: &outcomes)
      batch.take(fix, verdict, outcomes, by: pipeline)
    }
    _ = try recorder.begin(at: .test)
    recorder.abandon()
    #expect(try test.crossings().isEmpty)
    #expect(try recorder.commitAgain(batch, at: .test) == 1)
    #expect(try test.crossings().map(\.sequence) == [1])
  }

  /// What is edited while a device is inside, the visit's reason, and whether it is known to be inside afterwards.
  @Test(
    arguments: [
      ("edited", VisitEnd.edited, false), ("resized", .edited, false), ("removed", .removed, false),
      ("disabled", .disabled, false), ("renamed", nil, true), ("narrowed", .edited, false),
      ("widened", nil, true),
    ] as [(String, VisitEnd?, Bool)])
  func editsEndVisits(_ what: String, _ reason: VisitEnd?, _ staysInside: Bool) throws {
    for isRunning in [true, false] {
      let test = try TestJournal([region("r")])
      var (recorder, pipeline) = try start(test)
      try turn(recorder, &pipeline, [fix(0, 300), fix(1, 0)])
      if !isRunning { try recorder.end() }
      let other = try Journal(path: test.path, .write)
      switch what {
      case "edited": _ = try other.updateRegion("r") { $0.centre = fix(0, 5).coordinate }
      case "resized": _ = try other.updateRegion("r") { $0.radius = 120 }
      case "removed": _ = try other.removeRegions(["r"])
      case "disabled": _ = try other.enableRegions(["r"], false)
      case "renamed": _ = try other.updateRegion("r") { $0.title = "R" }
      case "narrowed": _ = try other.updateRegion("r") { $0.devices = ["other"] }
      default: _ = try other.updateRegion("r") { $0.devices = ["d", "other"] }
      }
      // The editing transaction itself ends the visit, but for devices that a region does not concern any more.
      if what != "narrowed" { #expect(try test.visits().map(\.reason) == [reason], "\(what) \(isRunning)") }
      if isRunning {
        #expect(try recorder.hasForeignCommits())
        try turn(recorder, &pipeline)
      } else {
        (recorder, pipeline) = try start(test)
      }
      #expect(try test.visits().map(\.reason) == [reason], "\(what) \(isRunning)")
      let side = pipeline.states(of: "d")["r"]?.side
      #expect((side == .inside) == staysInside, "\(what) \(isRunning)")
      // A stored state is that of the pipeline.
      try recorder.end()
      #expect(try start(test).1.states(of: "d")["r"]?.side == side, "\(what) \(isRunning)")
    }
  }

  @Test func aDeviceThatStandsInANewRegionDoesNotEnterIt() throws {
    let test = try TestJournal([region("r")])
    var (recorder, pipeline) = try start(test)
    try turn(recorder, &pipeline, [fix(0, 300), fix(1, 299), fix(2, 298)])
    var new = region("new")
    new.centre = fix(0, 300).coordinate
    _ = try Journal(path: test.path, .write).store([new], update: false)
    try turn(recorder, &pipeline, [fix(3, 300), fix(4, 301)])
    #expect(try test.crossings().isEmpty)
    #expect(try test.visits().map(\.region) == ["new"])
    // And one that it comes to later is entered.
    try turn(recorder, &pipeline, [fix(60, 0)])
    #expect(
      try test.crossings().map { "\($0.crossing.kind) \($0.crossing.region)" } == ["exit new", "entry r"])
  }

  @Test func aRegionThatIsEnabledAgainBeginsAgain() throws {
    let test = try TestJournal([region("r")])
    var (recorder, pipeline) = try start(test)
    try turn(recorder, &pipeline, [fix(0, 300), fix(1, 0)])
    let other = try Journal(path: test.path, .write)
    _ = try other.enableRegions(["r"], false)
    _ = try other.enableRegions(["r"], true)
    try turn(recorder, &pipeline, [fix(2, 0)])
    #expect(try test.crossings().map(\.crossing.kind) == [.entry])
    #expect(try test.visits().map(\.reason) == [.disabled, nil])
  }

  @Test func aRegionThatNotifiesOnceIsDisarmedByItsFirstCrossing() throws {
    var once = region("r")
    once.repeats = false
    once.notifyOnEntry = false
    let test = try TestJournal([once])
    var (recorder, pipeline) = try start(test)
    try turn(recorder, &pipeline, [fix(0, 300), fix(1, 0)])
    #expect(try test.journal.region("r")?.isArmed == true)
    try turn(recorder, &pipeline, [fix(2, 300)])
    #expect(try test.journal.region("r")?.isArmed == false)
    // It goes on being tracked.
    try turn(recorder, &pipeline, [fix(40, 0)])
    #expect(try test.crossings().map(\.crossing.kind) == [.entry, .exit, .entry])
    #expect(try test.journal.rearmRegions(["r"]) == [])
    #expect(try test.journal.region("r")?.isArmed == true)
  }

  @Test func replaysNeverTouchTheLiveState() throws {
    let test = try TestJournal([region("r")])
    var (recorder, pipeline) = try start(test)
    try turn(recorder, &pipeline, [fix(0, 300), fix(1, 0)])
    try test.record([crossing(.entry, "r", 100), crossing(.exit, "r", 110)])
    #expect(try test.visits { $0.run = recorder.run }.map(\.reason) == [nil])
    try turn(recorder, &pipeline, [fix(2, 300)])
    #expect(try test.visits { $0.run = recorder.run }.map(\.reason) == [.exit])
  }

  @Test func settingsThatAreChangedAreNoticed() throws {
    let test = try TestJournal()
    let (recorder, _) = try start(test)
    _ = try Journal(path: test.path, .write).set("silence", to: "20s")
    let edits = try recorder.begin(at: .test)
    recorder.abandon()
    #expect(edits?.settings == true)
  }

  @Test func oneServiceHasAJournal() throws {
    let test = try TestJournal()
    let lock = try InstanceLock(of: test.path)
    let error = journalError { _ = try InstanceLock(of: test.path) }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("process \(getpid())") == true)
    _ = consume lock
    _ = try InstanceLock(of: test.path)
  }
}
