import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineSQLiteStore
import Testing

@Suite("Settings") struct SettingsTests {
  @Test func valuesAreKeptAndTheServiceIsToldOnlyOfChanges() throws {
    let test = try TestJournal()
    let connection = try Connection(test.path, .write)
    // Where the service has never run, there is nobody to tell.
    try connection.execute(
      "INSERT INTO run (kind, visible, source, settings, began) VALUES ('live', 1, '', '{}', 0)")
    func changes() throws -> Int {
      try connection.rows("SELECT id FROM change WHERE what = 'setting'") { _ in 0 }.count
    }
    #expect(try test.journal.settings().isEmpty)
    #expect(try test.journal.set("silence", to: "20s") && test.journal.set("device", to: "Käthe's"))
    #expect(try test.journal.settings() == ["silence": "20s", "device": "Käthe's"])
    #expect(try changes() == 2)
    #expect(try !test.journal.set("silence", to: "20s") && !test.journal.set("profile", to: nil))
    #expect(try changes() == 2)
    #expect(try test.journal.set("silence", to: "5s") && test.journal.set("device", to: nil))
    #expect(try test.journal.settings() == ["silence": "5s"])
    #expect(try changes() == 4)
  }

  @Test func aJournalIsBlankUntilThereIsARegionOrARun() throws {
    let test = try TestJournal()
    #expect(try test.journal.isBlank())
    _ = try test.journal.set("silence", to: "20s")
    #expect(try test.journal.isBlank())
    let region = Region(id: "a", centre: Coordinate(latitude: 1, longitude: 2), radius: 50)
    _ = try test.journal.store([region], update: false)
    #expect(try !test.journal.isBlank())
    _ = try test.journal.removeRegions(["a"])
    #expect(try test.journal.isBlank())
    try test.record([])
    #expect(try !test.journal.isBlank())
  }
}
