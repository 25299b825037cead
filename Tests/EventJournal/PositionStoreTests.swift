import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelinePositioning
import FencelineSQLiteStore
import FencelineTestSupport
import Testing

@Suite("Position store") struct PositionStoreTests {
  private func fix(_ seconds: Double, _ device: String = "van", north: Double = 0) -> Fix {
    Fix(
      device: device, time: time(seconds),
      coordinate: Coordinate(latitude: 47, longitude: 8).destination(azimuth: 0, distance: north), speed: 20)
  }

  private func positions(
    _ journal: Journal, device: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil
  )
    throws -> [Fix]
  {
    var all: [Fix] = []
    try journal.positions(device: device, since: since, until: until) { all += $0 }
    return all
  }

  @Test func aFixComesBackToItsUnits() throws {
    let test = try TestJournal()
    var store = PositionStore()
    let full = Fix(
      device: "Käthes Velo", time: time(1.234),
      coordinate: Coordinate(latitude: -33.856_784_351, longitude: 151.215_296_72), accuracy: 4.236,
      altitude: -12.344, speed: 3.14159, course: 359.996)
    try store.store(full, start: .newTrack, keep: false, in: test.journal)
    let bare = Fix(device: "b", time: time(2), coordinate: Coordinate(latitude: 90, longitude: -180))
    try store.store(bare, start: .newTrack, keep: false, in: test.journal)
    let read = try positions(test.journal)
    #expect(read.map(\.device) == ["Käthes Velo", "b"])
    var expected = full
    expected.coordinate = Coordinate(latitude: -33.856_784_4, longitude: 151.215_296_7)
    (expected.accuracy, expected.altitude, expected.speed, expected.course) = (4.24, -12.34, 3.14, 0)
    #expect(read == [expected, bare])
  }

  @Test func whatIsSaidLaterOfAFixIsStored() throws {
    let test = try TestJournal()
    var store = PositionStore()
    for (second, north) in [(0.0, 0.0), (1, 1), (40, 500)] {
      var fix = fix(second, north: north)
      try store.store(fix, start: second == 0 ? .newTrack : .continues, keep: false, in: test.journal)
      (fix.altitude, fix.course) = (400 + second, second)
      try store.complete(fix, in: test.journal)
    }
    // The second fix was passed over, and stored when the third one showed that the device moves.
    let read = try positions(test.journal)
    #expect(read.map(\.time) == [0, 1, 40].map(time))
    #expect(read.map(\.altitude) == [400, 401, 440] && read.map(\.course) == [0, 1, 40])
    // Of a fix that was not stored nothing is.
    var gone = fix(39)
    gone.altitude = 1
    try store.complete(gone, in: test.journal)
    #expect(try positions(test.journal) == read)
  }

  @Test func tracksAreCountedAndDevicesApart() throws {
    let test = try TestJournal()
    var store = PositionStore()
    for device in ["van", "bus"] {
      for second in 0..<30 {
        let start: TrackStart = second == 0 || second == 13 ? .newTrack : .continues
        try store.store(
          fix(Double(second), device, north: 20 * Double(second)), start: start, keep: false, in: test.journal
        )
      }
    }
    let read = try positions(test.journal)
    let seconds = [0.0, 5, 10, 12, 13, 18, 23, 28]
    #expect(read.map(\.device) == Array(repeating: "bus", count: 8) + Array(repeating: "van", count: 8))
    #expect(read.prefix(8).map(\.time) == seconds.map(time))
    #expect(read.prefix(8).map(\.track) == [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(
      try positions(test.journal, device: "v*", since: time(5), until: time(13)).map(\.time)
        == [5, 10, 12].map(time))
    // A part that begins within a track is a track.
    #expect(try positions(test.journal, device: "van", since: time(18)).map(\.track) == [0, 0, 0])
    #expect(try positions(test.journal, device: "tram").isEmpty)
  }

  @Test func aRestartGoesOnWhereTheJournalStands() throws {
    let test = try TestJournal()
    var whole = PositionStore()
    for second in 0..<100 {
      try whole.store(
        fix(Double(second), "a", north: 20 * Double(second)), start: second == 0 ? .newTrack : .continues,
        keep: false,
        in: test.journal)
      var fresh = PositionStore()
      try fresh.store(
        fix(Double(second), "b", north: 20 * Double(second)), start: second == 0 ? .newTrack : .continues,
        keep: false,
        in: test.journal)
    }
    let (a, b) = (try positions(test.journal, device: "a"), try positions(test.journal, device: "b"))
    #expect(a.count == 20 && a.map(\.time) == b.map(\.time) && Set(b.map(\.track)) == [0])
  }

  @Test func aTimeThatComesAgainIsStoredAnew() throws {
    let test = try TestJournal()
    var store = PositionStore()
    try store.store(fix(0), start: .newTrack, keep: false, in: test.journal)
    try store.store(fix(10, north: 200), start: .continues, keep: false, in: test.journal)
    try store.store(fix(0, north: 500), start: .newSession, keep: false, in: test.journal)
    let read = try positions(test.journal)
    #expect(read.map(\.time) == [time(0), time(10)])
    #expect(read[0].coordinate.distance(to: fix(0, north: 500).coordinate) < 0.02)
  }

  @Test func longTracksAreReadPageByPage() throws {
    let test = try TestJournal()
    try fill(test, rows: 2500)
    var pages: [Int] = []
    var last: Timestamp?
    try test.journal.positions { page in
      pages.append(page.count)
      for fix in page {
        #expect(last.map { $0 < fix.time } ?? true)
        last = fix.time
      }
    }
    #expect(pages == [1000, 1000, 500])
    // Another process may write between two pages: no page keeps the database pinned.
    let other = try Journal(path: test.path, .write)
    var store = PositionStore()
    try test.journal.positions { _ in
      try store.store(fix(0, "other"), start: .newTrack, keep: false, in: other)
    }
  }

  /// Rows of two devices in turn, a second apart.
  private func fill(_ test: TestJournal, rows: Int, devices: [String] = ["van"]) throws {
    let connection = try Connection(test.path, .write)
    for (number, device) in devices.enumerated() {
      try connection.run("INSERT INTO device VALUES (?, ?)", .integer(Int64(number + 1)), .text(device))
      try connection.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
        INSERT INTO position SELECT ?2, ?3 + 1000 * i, 470000000, 80000000, NULL, NULL, NULL, NULL, 0 FROM n
        """, .integer(Int64(rows)), .integer(Int64(number + 1)), .integer(time(0).milliseconds))
    }
  }

  @Test func oldPositionsGoALittleAtATime() throws {
    let test = try TestJournal()
    try fill(test, rows: 12_000, devices: ["a", "b"])
    var calls = 1
    while try test.journal.removePositions(before: time(11_000)) { calls += 1 }
    #expect(calls == 3)
    let read = try positions(test.journal)
    #expect(read.count == 2000 && read.allSatisfy { $0.time >= time(11_000) })
    #expect(try test.journal.removePositions(before: time(11_000)) == false)
  }

  @Test func whatAnotherHandHasWrittenDoesNoHarm() throws {
    let test = try TestJournal()
    let connection = try Connection(test.path, .write)
    try connection.execute(
      """
      INSERT INTO device VALUES (1, 'x');
      INSERT INTO position VALUES (1, \(Int64.max), 0, 0, NULL, NULL, NULL, NULL, 1);
      INSERT INTO position VALUES (1, 5, 9000000000, 0, NULL, NULL, NULL, NULL, 1);
      """)
    #expect(try positions(test.journal, until: .latest).isEmpty)
  }
}
