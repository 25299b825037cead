import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineTestSupport
import Testing

struct RegionStoreTests {
  @Test func everyPropertyComesBack() throws {
    var full = region("full", radius: 12.5)
    (full.title, full.notifyOnEntry, full.notifyOnExit, full.repeats) = (
      "\"Zürich\"\u{0}", false, false, false
    )
    (full.dwell, full.profile, full.enterAfter, full.exitAfter) = ([60, 0.5], .steady, 0, 12.25)
    (full.exitMargin, full.initial, full.cooldown, full.priority) = (7.5, .entry, 900, -3)
    full.active = ["Mon-Fri 08:00-18:00 Europe/Zurich", "20:00-24:00 UTC"].compactMap(ActiveWindow.init)
    (full.expires, full.devices, full.tags, full.isEnabled) = (time(5.5), ["van-*", "'"], ["a", "ü"], false)
    let test = try TestJournal([full, region("plain")])
    #expect(try test.journal.regions().map(\.region) == [full, region("plain")])
    #expect(try test.journal.region("full")?.region == full)
    #expect(try test.journal.region("none") == nil)
    // Another process sees the same.
    #expect(try Journal(path: test.path, .read).regions() == test.journal.regions())
  }

  @Test func regionsComeByIdentifier() throws {
    #expect(
      try TestJournal([region("c"), region("a"), region("b")]).journal.regions().map(\.region.id) == [
        "a", "b", "c",
      ])
  }

  @Test func aTakenIdentifierStoresNothing() throws {
    let test = try TestJournal([region("a"), region("b")])
    let change = try test.journal.store([region("c"), region("b"), region("a", radius: 5)], update: false)
    #expect(change.conflicts == ["b", "a"])
    #expect(change.added == [] && change.updated == [] && change.unchanged == [])
    #expect(try test.journal.regions().map(\.region) == [region("a"), region("b")])
  }

  @Test func anUpdateTakesThePlaceOfTheSameIdentifier() throws {
    let test = try TestJournal([region("a"), region("b")])
    var titled = region("a")
    titled.title = "A"
    let change = try test.journal.store([titled, region("b"), region("c")], update: true)
    #expect(
      change.updated == ["a"] && change.unchanged == ["b"] && change.added == ["c"] && change.conflicts == [])
    #expect(try test.journal.region("a")?.region == titled)
  }

  @Test func onlyAnotherPlaceIsAnotherRevision() throws {
    let test = try TestJournal([region("a")])
    let first = try #require(try test.journal.region("a"))
    #expect(first.revision == 1)
    var edited = region("a")
    func store() throws -> StoredRegion? {
      _ = try test.journal.store([edited], update: true)
      return try test.journal.region("a")
    }
    (edited.title, edited.dwell) = ("A", [5])
    #expect(try store()?.revision == 1)
    edited.radius = 101
    #expect(try store()?.revision == 2)
    edited.centre.latitude += 1e-9
    #expect(try store()?.revision == 3)
    #expect(try store()?.revision == 3)
    #expect(try test.journal.region("a")?.number == first.number)
  }

  @Test func aRemovedRegionGivesItsIdentifierFree() throws {
    let test = try TestJournal([region("a"), region("b")])
    let number = try test.journal.region("a")?.number
    #expect(try test.journal.removeRegions(["a", "x", "b", "y"]) == ["x", "y"])
    #expect(try test.journal.regions().count == 2)
    #expect(try test.journal.removeRegions(["a"]) == [])
    #expect(try test.journal.regions().map(\.region.id) == ["b"])
    #expect(try test.journal.removeRegions(["a"]) == ["a"])
    #expect(try test.journal.store([region("a")], update: false).added == ["a"])
    #expect(try test.journal.region("a")?.number != number)
  }

  @Test func regionsAreEnabledAndDisabled() throws {
    let test = try TestJournal([region("a"), region("b")])
    #expect(try test.journal.enableRegions(["a", "x"], false) == ["x"])
    #expect(try test.journal.region("a")?.region.isEnabled == true)
    #expect(try test.journal.enableRegions(["a"], false) == [])
    #expect(try test.journal.regions().map(\.region.isEnabled) == [false, true])
    #expect(try test.journal.enableRegions(["a", "b"], true) == [])
    #expect(try test.journal.regions().map(\.region.isEnabled) == [true, true])
  }

  @Test func anIdentifierSpelledWithOtherCodePointsIsTheSame() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let test = try TestJournal([region(composed)])
    #expect(try test.journal.store([region(decomposed)], update: false).conflicts == [decomposed])
    #expect(try test.journal.region(decomposed)?.region == region(composed))
    #expect(try test.journal.enableRegions([decomposed], false) == [])
    #expect(try test.journal.regions().map(\.region.isEnabled) == [false])
    #expect(try test.journal.removeRegions([decomposed]) == [])
    #expect(try test.journal.regions() == [])
  }
}
