import FencelineEventJournal
import FencelineGeofencing
import FencelineSQLiteStore
import FencelineTestSupport
import Testing

struct JournalNamesTests {
  private func journal(_ folder: TemporaryFolder, _ ids: [String]) throws -> String {
    let path = folder.path("journal.db")
    let regions = ids.map { id in
      var region = region(id)
      region.title = "About \(id)"
      return region
    }
    _ = try Journal(path: path, .write).store(regions, update: false)
    return path
  }

  private func texts(_ names: [JournalNames.Name]) -> [String] { names.map(\.text) }

  @Test func regionsAreFoundByHowTheyBegin() throws {
    let folder = try TemporaryFolder()
    let path = try journal(folder, ["office", "off\u{10FFFE}x", "of", "zürich", "a%", "a_b", "gone"])
    _ = try Journal(path: path, .write).removeRegions(["gone"])
    let names = try #require(JournalNames(path: path))
    #expect(texts(names.regions(beginning: "")) == ["a%", "a_b", "of", "office", "off\u{10FFFE}x", "zürich"])
    #expect(names.regions(beginning: "offi").map(\.about) == ["About office"])
    #expect(texts(names.regions(beginning: "off")) == ["office", "off\u{10FFFE}x"])
    #expect(texts(names.regions(beginning: "a%")) == ["a%"])
    #expect(texts(names.regions(beginning: "zü")) == ["zürich"])
    #expect(names.regions(beginning: "x") == [] && names.regions(beginning: "gone") == [])
  }

  @Test func ofManyRegionsTheFirstOnesAndTheLastAreGiven() throws {
    let folder = try TemporaryFolder()
    let path = try journal(folder, (10_000..<30_000).map { "r-\($0)" })
    let names = try #require(JournalNames(path: path))
    let found = names.regions(beginning: "r-1")
    #expect(found.count == JournalNames.limit)
    #expect(found.first?.text == "r-10000" && found[198].text == "r-10198" && found.last?.text == "r-19999")
    #expect(names.regions(beginning: "r-15").last?.text == "r-15999")
    // Only those that are given are read.
    let clock = ContinuousClock()
    let few = clock.measure { for _ in 0..<20 { _ = names.regions(beginning: "r-") } }
    let all = try clock.measure { _ = try Journal(path: path, .read).regions() }
    #expect(few < all)
  }

  @Test func runsAndDevicesAreFoundToo() throws {
    let folder = try TemporaryFolder()
    let path = try journal(folder, ["office"])
    let connection = try Connection(path, .write)
    for (id, kind, visible) in [(1, "live", 1), (2, "replay", 1), (3, "replay", 0), (12, "replay", 1)] {
      try connection.execute(
        """
        INSERT INTO run (id, kind, visible, source, settings, began)
          VALUES (\(id), '\(kind)', \(visible), 'source \(id)', '{}', 0)
        """)
    }
    for (number, device) in ["bus", "bike", "bus", "bike", "van", "bus"].enumerated() {
      try connection.execute(
        """
        INSERT INTO crossing VALUES (2, \(number), '\(device)', 1, 1, 'entry', 0, 0, 0, 0, 'observed', 1, 47, 8)
        """)
    }
    let names = try #require(JournalNames(path: path))
    #expect(
      names.runs(beginning: "", isLive: true).map { "\($0.text): \($0.about)" } == [
        "last: source 12", "live: source 1", "12: source 12", "2: source 2", "1: source 1",
      ])
    #expect(texts(names.runs(beginning: "", isLive: false)) == ["12", "2"])
    #expect(texts(names.runs(beginning: "1", isLive: false)) == ["12"])
    #expect(texts(names.devices(beginning: "")) == ["bike", "bus", "van"])
    #expect(texts(names.devices(beginning: "b")) == ["bike", "bus"])
    #expect(texts(names.devices(beginning: "bu")) == ["bus"] && names.devices(beginning: "x") == [])
  }

  @Test func whatIsNoJournalHasNoNamesAndStaysAsItIs() throws {
    let folder = try TemporaryFolder()
    #expect(JournalNames(path: folder.path("missing.db")) == nil)
    #expect(JournalNames(path: folder.path("no/folder.db")) == nil)
    #expect(JournalNames(path: folder.path("")) == nil)
    for (name, content) in [("empty.db", ""), ("text.db", String(repeating: "no database ", count: 1000))] {
      try folder.write(name, content)
      #expect(JournalNames(path: folder.path(name)) == nil)
    }
    // Above all an empty file has not become a journal.
    #expect(folder.names == ["empty.db", "text.db"])
    #expect(
      try Connection(folder.path("empty.db"), .read).rows("PRAGMA user_version") { $0.integer(0) } == [0])
    let other = try Connection(folder.path("other.db"), .create)
    try other.execute("CREATE TABLE region (id, title, ended); INSERT INTO region VALUES ('a', 'b', NULL)")
    #expect(JournalNames(path: folder.path("other.db")) == nil)
    let path = try journal(folder, ["office"])
    try Connection(path, .write).execute("PRAGMA user_version = 99")
    #expect(JournalNames(path: path) == nil)
  }

  @Test func whatIsLockedOrDamagedHasNoNames() throws {
    let folder = try TemporaryFolder()
    let path = try journal(folder, ["office"])
    let names = try #require(JournalNames(path: path))
    let writer = try Connection(path, .write)
    // A writer keeps nobody from reading.
    try writer.execute("BEGIN IMMEDIATE")
    #expect(texts(names.regions(beginning: "")) == ["office"])
    try writer.execute("COMMIT; DROP INDEX region_id; ALTER TABLE region RENAME TO lost")
    #expect(names.regions(beginning: "") == [])
    // Nobody is waited for who keeps the file to itself.
    let locked = folder.path("locked.db")
    _ = try Journal(path: locked, .write)
    let holder = try Connection(locked, .write)
    try holder.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
    #expect(JournalNames(path: locked) == nil)
    try holder.execute("COMMIT")
    #expect(JournalNames(path: locked) != nil)
  }
}
