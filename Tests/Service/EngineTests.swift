import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineLiveSources
import FencelinePositioning
import FencelineSQLiteStore
import FencelineTestSupport
import Testing

@testable import FencelineService

/// What the engine does when things come late, cannot be written, or are edited meanwhile.
struct EngineTests {
  private static func region(_ id: String = "r", dwell: [Double] = []) -> Region {
    var region = Region(id: id, centre: place(), radius: 100)
    region.profile = .exact
    region.dwell = dwell
    return region
  }

  /// A fix so many metres to the east, ten seconds after each other.
  private func fix(_ tens: Double, _ metres: Double, device: String = "d") -> Fix {
    Fix(device: device, time: time(10 * tens), coordinate: place(east: metres), accuracy: 3, source: .tpv)
  }

  private struct World {
    let folder: TemporaryFolder
    let test: TestEngine
    var path: String { folder.path("a.db") }

    init(_ regions: [Region] = [EngineTests.region()]) throws {
      folder = try TemporaryFolder()
      _ = try Journal(path: folder.path("a.db"), .write).store(regions, update: false)
      test = try TestEngine(folder.path("a.db"))
      try test.journal.setBusyTimeout(0)
    }

    /// The crossings and visits in words.
    func told() throws -> (crossings: [String], visits: [String]) {
      let journal = try Journal(path: path, .read)
      var crossings: [String] = []
      var visits: [String] = []
      try journal.crossings(HistoryFilter()) { $0.forEach { crossings.append("\($0.crossing.kind)") } }
      try journal.visits(HistoryFilter()) { $0.forEach { visits.append($0.reason?.rawValue ?? "open") } }
      return (crossings, visits)
    }

    /// Does something while another process holds the lock for writing.
    func locked(_ body: () throws -> Void) throws {
      let other = try Connection(path, .write)
      try other.execute("BEGIN IMMEDIATE")
      try body()
      try other.execute("ROLLBACK")
    }
  }

  @Test func whatComesWhileTheJournalIsLockedIsDecidedLater() throws {
    let world = try World()
    let test = world.test
    test.take(fix(0, 300))
    try world.locked {
      test.take(fix(1, 0))
      test.take(fix(2, 300))
      #expect(test.engine.journalProblem?.contains("in use") == true)
      #expect(!test.engine.isIdle)
      #expect(test.engine.patience(at: test.now) > 0)
    }
    test.wait(2)
    test.wait(0)
    #expect(test.engine.journalProblem == nil)
    #expect(test.engine.isIdle)
    #expect(try world.told().crossings == ["entry", "exit"])
  }

  @Test func aDwellDoesNotFireWhileFixesWaitThatSayOtherwise() throws {
    let world = try World([EngineTests.region(dwell: [12])])
    let test = world.test
    test.take(fix(0, 300))
    test.take(fix(1, 0))
    try world.locked {
      // The device has left after ten seconds; the dwell would be due two seconds later.
      test.take(fix(2, 300))
      test.wait(8)
    }
    test.wait(2)
    test.wait(1)
    #expect(try world.told().crossings == ["entry", "exit"])
  }

  @Test func whatHasBecomeOfDeliveriesIsRecordedBeforeTheEngineIsIdle() throws {
    let world = try World()
    for number in 1...600 { world.test.mailbox.post(.carried(DeliveryOutcome(number: Int64(number), .done))) }
    var turns = 0
    while !world.test.engine.isIdle, turns < 10 {
      turns += 1
      #expect(world.test.engine.patience(at: world.test.now) == 0)
      world.test.wait(0.001)
    }
    #expect(turns > 2 && world.test.mailbox.counts.all == 0)
  }

  @Test func aDwellFiresByTimerWhenNothingComes() throws {
    let world = try World([EngineTests.region(dwell: [12])])
    world.test.take(fix(0, 300))
    world.test.take(fix(1, 0))
    world.test.wait(20)
    #expect(try world.told().crossings == ["entry", "dwell"])
  }

  @Test(arguments: ["removed", "disabled", "edited"])
  func anEditBetweenADecisionAndItsRecordLeavesNoOpenVisit(_ what: String) throws {
    let world = try World()
    let test = world.test
    test.take(fix(0, 300))
    // The journal takes the decision and not the commit.
    let other = try Connection(world.path, .write)
    try other.execute("CREATE TRIGGER stop BEFORE INSERT ON crossing BEGIN SELECT raise(ABORT, 'no'); END")
    test.take(fix(1, 0))
    #expect(test.engine.journalProblem != nil)
    try other.execute("DROP TRIGGER stop")
    let editor = try Journal(path: world.path, .write)
    switch what {
    case "removed": _ = try editor.removeRegions(["r"])
    case "disabled": _ = try editor.enableRegions(["r"], false)
    default: _ = try editor.updateRegion("r") { $0.radius = 90 }
    }
    test.wait(2)
    test.wait(1)
    #expect(test.engine.journalProblem == nil)
    #expect(try world.told().crossings == ["entry"])
    #expect(try world.told().visits == [what])
    let states = try other.rows("SELECT count(*) FROM region_state") { $0.integer(0) }
    #expect(states == [0])
  }

  @Test func anEditIsNotForgottenWhereItsTurnCannotBegin() throws {
    let world = try World()
    world.test.take(fix(0, 300))
    world.test.engine.settingsHaveChanged = false
    _ = try Journal(path: world.path, .write).set("silence", to: "20s")
    try world.locked { world.test.wait(1) }
    #expect(!world.test.engine.settingsHaveChanged)
    world.test.wait(2)
    #expect(world.test.engine.settingsHaveChanged)
  }

  @Test func aRegionThatCannotBeUsedKeepsNoOtherFromBeingWatched() throws {
    let world = try World([EngineTests.region(), EngineTests.region("other")])
    let test = world.test
    test.take(fix(0, 300))
    let other = try Connection(world.path, .write)
    try other.execute("UPDATE region SET radius = -1 WHERE id = 'other'")
    test.wait(0.3)
    test.take(fix(1, 0))
    #expect(test.engine.regionProblems.count == 1)
    #expect(test.engine.regionProblems[0].contains("region 'other' that cannot be used: The radius of -1 m"))
    #expect(test.engine.journalProblem == nil && test.engine.regionCount == 1)
    #expect(try world.told().crossings == ["entry"])
    // Mended, it is watched again; a service that starts meanwhile does without it too.
    let second = try Configuration(stored: test.journal.settings(), flags: [:])
    let recorder = try LiveRecorder(
      Journal(path: world.path, .write), source: "test", settings: second.runSettings, centre: .init())
    #expect(try recorder.entries().map(\.region.id) == ["r"] && recorder.regionProblems.count == 1)
    _ = try Journal(path: world.path, .write).updateRegion("other") { $0.radius = 100 }
    test.wait(0.3)
    for seconds in [2.0, 3] { test.take(fix(seconds, 300)) }
    test.take(fix(4, 0))
    #expect(test.engine.regionProblems.isEmpty && test.engine.regionCount == 2)
    #expect(try world.told().crossings == ["entry", "exit", "entry", "entry"])
  }

  @Test(arguments: [false, true])
  func aRegionThatIsMendedIsNotEnteredByOneThatStandsInIt(isRestarted: Bool) throws {
    let world = try World()
    for seconds in [0.0, 1] { world.test.take(fix(seconds, seconds == 0 ? 300 : 0)) }
    #expect(try world.told().crossings == ["entry"])
    let other = try Connection(world.path, .write)
    // What makes no new region of it: the journal goes on with its visit.
    try other.execute("UPDATE region SET dwell = '{' WHERE id = 'r'")
    var test = world.test
    if isRestarted { test = try TestEngine(world.path, at: time(15)) } else { test.wait(0.3) }
    test.take(fix(2, 0))
    #expect(test.engine.regionProblems.count == 1 && test.engine.regionCount == 0)
    try other.execute("UPDATE region SET dwell = '[]' WHERE id = 'r'")
    test.wait(0.3)
    for tens in [4.0, 5] { test.take(fix(tens, 0)) }
    #expect(test.engine.regionProblems.isEmpty && test.engine.regionCount == 1)
    #expect(try world.told().crossings == ["entry"])
    #expect(try world.told().visits == ["edited", "open"])
  }

  @Test func whatIsSaidLaterOfAFixIsShownAndStored() throws {
    let world = try World()
    let test = world.test
    var fix = fix(0, 300)
    test.take(fix)
    (fix.speed, fix.altitude, fix.course) = (3, 400, 90)
    test.mailbox.post(.event(.completed(fix)))
    test.wait(0.1)
    #expect(test.engine.devices["d"]?.last?.fix == fix)
    // Of a fix that was not taken nothing is.
    var late = fix
    late.time = time(-5)
    late.speed = 7
    test.mailbox.post(.event(.completed(late)))
    test.wait(0.1)
    #expect(test.engine.devices["d"]?.last?.fix == fix)
    var stored: [Fix] = []
    try test.journal.positions { stored += $0 }
    #expect(stored.map(\.speed) == [3] && stored.map(\.altitude) == [400])
  }

  @Test func theOldestFixesAreDroppedWhereNoMoreMayWait() throws {
    let world = try World()
    let test = world.test
    test.take(fix(0, 300))
    try world.locked {
      // One is in the engine's hands.
      for number in 0...(Mailbox.capacity + 5) {
        test.mailbox.post(.event(.fix(fix(1 + Double(number), 300), test.now)))
        if number == 0 { test.wait(0) }
      }
    }
    #expect(test.mailbox.counts.events == Mailbox.capacity)
    #expect(test.mailbox.counts.dropped == 5)
    test.wait(2)
    while !test.engine.isIdle { test.wait(0) }
    #expect(test.engine.dropped.count == 5)
    #expect(test.recorder.summary.fixes == Mailbox.capacity + 2)
  }

  @Test func questionsAreAnsweredWhileTheJournalIsLocked() throws {
    let world = try World()
    try world.locked {
      world.test.take(fix(0, 300))
      world.test.mailbox.post(.question(Question()))
      #expect(world.test.engine.work(at: world.test.now).count == 1)
    }
  }

  @Test func aDwellThatIsAddedDuringAVisitFiresAndNoneFiresTwice() throws {
    let world = try World([EngineTests.region(dwell: [15])])
    let test = world.test
    for fix in [fix(0, 300), fix(1, 0), fix(3, 0)] { test.take(fix) }
    #expect(try world.told().crossings == ["entry", "dwell"])
    _ = try Journal(path: world.path, .write).updateRegion("r") { $0.dwell = [5, 15, 40] }
    test.wait(0.3)
    for fix in [fix(4, 0), fix(6, 0)] { test.take(fix) }
    #expect(try world.told().crossings == ["entry", "dwell", "dwell"])
  }

  @Test func signalsOfSourcesThatAreNotUsedAnyMoreDoNotCount() throws {
    let world = try World()
    let test = world.test
    func signal(_ source: String, _ state: SignalState) {
      test.mailbox.post(
        .event(.signal(Signal(source: source, device: "d", state: state, detail: "x", at: test.now))))
      test.wait(1)
    }
    test.engine.sourceNames = ["a"]
    signal("a", .threeD)
    #expect(test.engine.sources.keys.sorted() == ["a"])
    test.engine.forget(source: "a")
    test.engine.sourceNames = ["b"]
    signal("a", .silent)
    #expect(test.engine.sources.isEmpty)
    #expect(test.engine.devices["d"]?.state == nil && test.engine.devices["d"]?.detail == nil)
  }
}
