import FencelineCivilTime
import FencelineGeofencing
import FencelineTestSupport
import Testing

@testable import FencelineEventJournal
@testable import FencelineSQLiteStore

/// What the database looks like from outside: the views, how queries run, and whether all of it fits together.
struct DatabaseTests {
  @Test func theViewsTellTheTimesToTheMillisecond() throws {
    let test = try TestJournal([region("a")])
    var random = SplitMix64(seed: 41)
    var outcomes: [Outcome] = []
    for place in 0..<1_000 {
      let instant = Int64.random(
        in: place < 900 ? 0...4_102_444_800_000 : -2_000_000_000_000...0, using: &random)
      guard case .crossing(var own) = crossing(place % 2 == 0 ? .entry : .exit, "a", 0) else { continue }
      (own.at, own.confirmedAt) = (Timestamp(milliseconds: instant), Timestamp(milliseconds: instant + 1))
      (own.earliest, own.latest) = (
        Timestamp(milliseconds: instant - 1_000), Timestamp(milliseconds: instant + 1)
      )
      outcomes.append(.crossing(own))
    }
    try test.record(outcomes)
    let connection = try Connection(test.path, .read)
    let shown = try connection.rows(
      "SELECT sequence, at, confirmed_at, earliest, latest FROM crossings_readable"
    ) { row in
      (row.integer(0), (1..<5).map { row.text($0) })
    }
    var times: [Int64: [String]] = [:]
    for row in try test.crossings() {
      times[row.sequence] = [
        row.crossing.at, row.crossing.confirmedAt, row.crossing.earliest, row.crossing.latest,
      ].map(
        \.description)
    }
    #expect(shown.count == 1_000)
    #expect(shown.filter { times[$0.0] != $0.1 }.map(\.1) == [])
    let visits = try connection.rows("SELECT entered, left, seconds FROM visits") {
      ($0.text(0), $0.text(1), $0.real(2))
    }
    let expected = try test.visits()
    #expect(visits.map(\.0) == expected.map(\.entered.description))
    #expect(visits.map(\.1) == expected.map { $0.left?.description ?? "" })
    #expect(visits.map(\.2) == expected.map { $0.seconds ?? 0 })
  }

  @Test func theViewsShowWhatIsVisible() throws {
    var titled = region("a")
    titled.title = "Head office"
    let test = try TestJournal([titled])
    try test.record(
      [crossing(.entry, "a", 1), crossing(.exit, "a", 2), crossing(.entry, "a", 3)], source: "ride.gpx")
    let hidden = try test.recorder()
    try hidden.record((0..<10_000).map { crossing($0 % 2 == 0 ? .entry : .exit, "a", Double($0)) })
    let connection = try Connection(test.path, .read)
    let crossings = try connection.rows(
      "SELECT run, device, region, title, kind, cause, notify, source FROM crossings_readable"
    ) { row in (0..<8).map { row.text($0) } }
    #expect(
      crossings == [
        ["1", "d", "a", "Head office", "entry", "observed", "1", "ride.gpx"],
        ["1", "d", "a", "Head office", "exit", "observed", "0", "ride.gpx"],
        ["1", "d", "a", "Head office", "entry", "observed", "1", "ride.gpx"],
      ])
    let visits = try connection.rows("SELECT run, device, region, title, seconds, reason, source FROM visits")
    { row in
      (0..<7).map { row.text($0) }
    }
    #expect(
      visits == [
        ["1", "d", "a", "Head office", "1.0", "exit", "ride.gpx"],
        ["1", "d", "a", "Head office", "", "open", "ride.gpx"],
      ])
    hidden.abandon()
  }

  /// How SQLite finds the rows of history for a filter, as it says itself.
  private func plan(_ table: String, _ change: (inout HistoryFilter) -> Void) throws -> String {
    let test = try TestJournal([region("a")])
    try test.record([crossing(.entry, "a", 1)])
    if table == "crossing" { _ = try test.crossings(change) } else { _ = try test.visits(change) }
    let queries = test.journal.connection.statements.keys.filter {
      $0.contains("FROM \(table) ") && $0.contains("ORDER BY")
    }
    return try queries.sorted().flatMap { query in
      try test.journal.connection.rows("EXPLAIN QUERY PLAN " + query) { $0.text(3) }
    }.joined(separator: "\n")
  }

  @Test(arguments: ["crossing", "visit"])
  func historyIsFoundByIndex(_ table: String) throws {
    let letter = table.prefix(1)
    #expect(
      try plan(table) { $0.region = "a" }.contains("SEARCH \(letter) USING INDEX \(table)_region (region=?"))
    #expect(
      try plan(table) { $0.device = "d" }.contains("SEARCH \(letter) USING INDEX \(table)_device (device=?"))
    #expect(try plan(table) { $0.until = time(0) }.contains("\(letter) USING INDEX \(table)_time"))
    #expect(try plan(table) { _ in }.contains("\(letter) USING INDEX \(table)_time"))
    #expect(try plan(table) { $0.run = 1 }.contains("SEARCH \(letter) USING PRIMARY KEY (run=?"))
    #expect(try !plan(table) { $0.limit = 5 }.contains("TEMP B-TREE"))
  }

  @Test func thePresentIsFoundWithoutReadingThePast() throws {
    #expect(
      try plan("crossing") { $0.since = time(0) }.contains(
        "SEARCH c USING INDEX crossing_time (confirmed_at>?"))
    #expect(try plan("visit") { $0.until = time(0) }.contains("SEARCH v USING INDEX visit_time (entered<?"))
  }

  @Test func everythingFitsTogetherAfterwards() throws {
    let test = try TestJournal([region("a"), region("b")])
    for number in 0..<4 {
      try test.record(
        [crossing(.entry, "a", 1), crossing(.exit, "a", 2), crossing(.entry, "b", 3)], digest: "\(number % 3)"
      )
      _ = try test.journal.store([region("a", radius: 10 + Double(number))], update: true)
    }
    let abandoned = try test.recorder()
    try abandoned.record([crossing(.entry, "b", 1)])
    abandoned.abandon()
    _ = try test.journal.removeRegions(["b"])
    _ = try test.journal.removeRuns([2])
    let connection = try Connection(test.path, .read)
    #expect(try connection.rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    #expect(try connection.rows("PRAGMA foreign_key_check") { $0.text(0) } == [])
    #expect(
      try connection.rows("SELECT DISTINCT revision FROM crossing ORDER BY revision") { $0.integer(0) } == [
        1, 3, 4,
      ])
    #expect(try connection.rows("SELECT count(*) FROM region_revision") { $0.integer(0) } == [6])
  }
}
