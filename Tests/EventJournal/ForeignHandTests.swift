import FencelineGeofencing
import FencelinePositioning
import FencelineSQLiteStore
import Testing

@testable import FencelineEventJournal

/// What other programs, and other processes, do to a journal.
struct ForeignHandTests {
  @Test(
    arguments: [
      ("latitude = 95", "The latitude 95.0 is outside -90 to 90 degrees."),
      ("radius = -1", "The radius of -1 m is outside 1 m to 10,000 km."),
      ("dwell = '[1,1e300]'", "The dwell of 1e+300 s is outside 0.001 s to 365 days."),
      ("dwell = '[-5]'", "The dwell of -5 s is outside 0.001 s to 365 days."),
      ("devices = 'nonsense'", "One of its values cannot be read."),
      ("active = '[\"always\"]'", "One of its values cannot be read."),
      ("profile = 'turbo'", "One of its values cannot be read."),
      ("initial = 'maybe'", "One of its values cannot be read."),
    ] as [(String, String)])
  func aRowThatCannotBeUsedIsNamed(_ change: String, _ sentence: String) throws {
    let test = try TestJournal([region("a"), region("b")])
    try Connection(test.path, .write).execute("UPDATE region SET \(change) WHERE id = 'b'")
    let error = journalError { _ = try test.journal.regions() }
    #expect(error?.code == .unreadable)
    #expect(
      error?.message
        == "The journal '\(test.path)' holds a region 'b' that cannot be used: \(sentence) "
        + (sentence.hasPrefix("One of") ? "Remove it" : "Mend it with 'fenceline region edit', or remove it")
        + " with 'fenceline region remove'.")
    // What the sentence says to do can be done.
    #expect(try test.journal.removeRegions(["b"]) == [])
    #expect(try test.journal.regions().map(\.region.id) == ["a"])
  }

  @Test(arguments: [
    "radius = -1", "dwell = '[-5]'", "dwell = '[60,\"x\"]'", "devices = 'nonsense'",
    "active = '[\"always\"]'",
    "profile = 'turbo'", "initial = 'maybe'", "tags = '['",
  ])
  func whatFollowsASpoiltRowIsReadAsItIs(_ change: String) throws {
    var regions = ["a", "b", "c", "d", "e"].map { region($0) }
    for place in [0, 1, 2] { regions[place].dwell = [60] }
    regions[4].tags = ["x"]
    let test = try TestJournal(regions)
    try Connection(test.path, .write).execute("UPDATE region SET \(change) WHERE id = 'b'")
    let usable = try test.journal.usableRegions()
    #expect(usable.regions.map(\.region) == [regions[0], regions[2], regions[3], regions[4]])
    #expect(usable.problems.count == 1)
  }

  @Test func anEditMendsWhatCanBeRead() throws {
    let test = try TestJournal([region("a"), region("b")])
    try Connection(test.path, .write).execute("UPDATE region SET radius = -1 WHERE id = 'a'")
    _ = try test.journal.updateRegion("a") { $0.radius = 100 }
    #expect(try test.journal.regions().map(\.region.radius) == [100, region("b").radius])
    try Connection(test.path, .write).execute("UPDATE region SET dwell = '{' WHERE id = 'b'")
    #expect(journalError { _ = try test.journal.region("b") } != nil)
    #expect(throws: JournalError.self) { try test.journal.updateRegion("b") { $0.radius = 100 } }
  }

  @Test func twoSpellingsOfAnIdentifierDoNotEndAReplay() throws {
    let test = try TestJournal([region("caf\u{E9}"), region("x")])
    try Connection(test.path, .write).execute("UPDATE region SET id = 'cafe\u{301}' WHERE id = 'x'")
    let recorder = try test.recorder()
    try recorder.record([crossing(.entry, "caf\u{E9}", 1)])
    _ = try recorder.publish(source: "a", digest: "d", summary: RunSummary())
    #expect(try test.crossings().count == 1)
  }

  @Test func anEditIsOneTransaction() throws {
    let test = try TestJournal([region("a")])
    let other = try Journal(path: test.path, .write, busyTimeout: 10)
    let change = try test.journal.updateRegion("a") { region in
      region.title = "Mine"
      // Nobody else can come between.
      let error = journalError { _ = try other.removeRegions(["a"]) }
      #expect(error?.code == .busy)
    }
    #expect(change?.before.title == nil && change?.after.title == "Mine")
    _ = try other.updateRegion("a") { $0.priority = 3 }
    let region = try #require(try test.journal.region("a")?.region)
    #expect(region.title == "Mine" && region.priority == 3)
    #expect(try test.journal.removeRegions(["a"]) == [])
    #expect(try other.updateRegion("a") { $0.priority = 4 } == nil)
    #expect(try test.journal.regions().isEmpty)
  }

  @Test func anEditThatThrowsChangesNothing() throws {
    struct Refusal: Error {}
    let test = try TestJournal([region("a")])
    #expect(throws: Refusal.self) {
      _ = try test.journal.updateRegion("a") { region in
        region.radius = 7
        throw Refusal()
      }
    }
    #expect(try test.journal.region("a")?.region == region("a"))
    #expect(try test.journal.region("a")?.revision == 1)
  }

  @Test func aRunStandsThoughTheOldOneCannotBeSwept() throws {
    let test = try TestJournal([region("a")])
    try test.record([crossing(.entry, "a", 1)])
    try Connection(test.path, .write).execute(
      "CREATE TRIGGER stubborn BEFORE DELETE ON run BEGIN SELECT RAISE(ABORT, 'no'); END")
    let recorder = try test.recorder()
    try recorder.record([crossing(.entry, "a", 2)])
    let replaced = try recorder.publish(source: "a", digest: "d", summary: RunSummary())
    #expect(replaced == 1)
    #expect(try test.journal.runs().map(\.id) == [recorder.run])
  }

  @Test(arguments: [
    "ALTER TABLE crossing RENAME COLUMN at TO moment", "DROP TABLE visit; DROP VIEW visits",
    "CREATE TRIGGER stubborn BEFORE INSERT ON crossing BEGIN SELECT RAISE(ABORT, 'no'); END",
    "DELETE FROM region_revision",
  ])
  func tablesThatWereChangedAreNoFaultOfTheProgram(_ change: String) throws {
    let test = try TestJournal([region("a")])
    try test.record([crossing(.entry, "a", 1), crossing(.exit, "a", 9)])
    try Connection(test.path, .write).execute("PRAGMA foreign_keys = OFF; " + change)
    let journal = try Journal(path: test.path, .write)
    let error = journalError {
      try journal.crossings(HistoryFilter()) { _ in }
      try journal.visits(HistoryFilter()) { _ in }
      let settings = RunSettings(device: nil, profile: "balanced", filter: .init(), startDate: nil)
      let recorder = try ReplayRecorder(
        journal, regions: try journal.regions(), settings: settings, centre: .init(), shownAt: nil)
      try recorder.record([crossing(.entry, "a", 2)])
      _ = try recorder.publish(source: "a", digest: "e", summary: RunSummary())
    }
    #expect(error?.code == .unreadable)
    #expect(
      error?.message.hasPrefix(
        "Cannot use the journal '\(test.path)': another program has changed its tables (")
        == true, "\(error?.message ?? "no error")")
  }

  @Test func countsThatNoOneCanCountAreLeftOut() throws {
    let test = try TestJournal([region("a")])
    try test.record([crossing(.entry, "a", 1)])
    try Connection(test.path, .write).execute(
      #"UPDATE run SET rejected = '{"jump":1e300,"late":2,"coarse":-1e19,"invalid":0.5}'"#)
    #expect(try test.journal.runs().first?.summary.rejected == [.late: 2])
  }
}
