internal import FencelineCivilTime
internal import FencelineGeodesy
package import FencelinePositioning
internal import FencelineSQLiteStore

/// Stores where devices have been, thinned by ``TrackThinning``.
///
/// It remembers what was stored last of each device; after a restart it takes that from the journal. It is a value: who takes a
/// transaction back puts the store of before in its place.
package struct PositionStore: Sendable {
  private var tracks: [String: (number: Int64, thinning: TrackThinning)] = [:]

  /// A store that has to look up everything.
  package init() {}

  /// Stores an accepted fix, where it is not thinned out, in the transaction that is open.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - start: Whether it goes on where the device was.
  ///   - keep: Whether it is stored in any case: it has brought a crossing.
  ///   - journal: The journal.
  /// - Throws: ``JournalError``; then nothing is remembered of the fix.
  package mutating func store(
    _ fix: Fix, start: TrackStart, keep: Bool, in journal: Journal
  ) throws(JournalError) {
    var track: (number: Int64, thinning: TrackThinning)
    if let known = tracks[fix.device] { track = known } else { track = try journal.track(of: fix.device) }
    for (place, kept) in track.thinning.take(fix, start: start, keep: keep).reversed().enumerated() {
      try journal.insert(kept, of: track.number, begins: place == 0 && start != .continues)
    }
    tracks[fix.device] = track
  }

  /// Takes what is known now of a fix that was given to ``store(_:start:keep:in:)``.
  ///
  /// - Parameters:
  ///   - fix: The fix with its altitude, speed and course.
  ///   - journal: The journal.
  /// - Throws: ``JournalError``.
  package mutating func complete(_ fix: Fix, in journal: Journal) throws(JournalError) {
    guard let number = tracks[fix.device]?.number else { return }
    tracks[fix.device]?.thinning.complete(fix)
    try journal.complete(fix, of: number)
  }
}

extension Journal {
  /// The number of a device, made where it has none, and what its track goes on from.
  fileprivate func track(of device: String) throws(JournalError) -> (
    number: Int64, thinning: TrackThinning
  ) {
    try perform {
      try connection.run("INSERT OR IGNORE INTO device (name) VALUES (?)", .text(device))
      let number =
        try connection.rows("SELECT number FROM device WHERE name = ?", [.text(device)]) { $0.integer(0) }
        .first ?? 0
      let last = try connection.rows(
        "SELECT \(Journal.positionColumns) FROM position WHERE device = ? ORDER BY time DESC LIMIT 1",
        [.integer(number)]
      ) { Journal.fix($0, device) }
      return (number, TrackThinning(after: last.first))
    }
  }

  fileprivate func complete(_ fix: Fix, of device: Int64) throws(JournalError) {
    _ = try perform {
      try connection.run(
        "UPDATE position SET altitude = ?, speed = ?, course = ? WHERE device = ? AND time = ?",
        units(fix.altitude, 100), units(fix.speed, 100), course(of: fix), .integer(device),
        .integer(fix.time.milliseconds))
    }
  }

  private func units(_ value: Double?, _ perUnit: Double) -> SQLiteValue {
    .optional(value.flatMap { Int64(exactly: ($0 * perUnit).rounded()) })
  }

  /// Hundredths of degrees; 359.996° is north too.
  private func course(of fix: Fix) -> SQLiteValue {
    units(fix.course.map { ($0 * 100).rounded().truncatingRemainder(dividingBy: 36_000) / 100 }, 100)
  }

  fileprivate func insert(_ fix: Fix, of device: Int64, begins: Bool) throws(JournalError) {
    // Where time went back, what is known now counts.
    _ = try perform {
      try connection.run(
        "INSERT OR REPLACE INTO position VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", .integer(device),
        .integer(fix.time.milliseconds), units(fix.coordinate.latitude, 1e7),
        units(fix.coordinate.longitude, 1e7), units(fix.accuracy, 100), units(fix.altitude, 100),
        units(fix.speed, 100), course(of: fix), .boolean(begins))
    }
  }
}
