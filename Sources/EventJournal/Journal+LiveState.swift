internal import FencelineCivilTime
internal import FencelineDecisions
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelinePositioning
internal import FencelineSQLiteStore

/// What the live run knows, row by row.
extension Journal {
  /// Looks whether the file is sound, as far as that can be seen quickly.
  ///
  /// - Throws: ``JournalError`` where it is damaged.
  package func checkQuickly() throws(JournalError) {
    let faults = try perform { try connection.rows("PRAGMA quick_check(3)") { $0.text(0) } }
    guard faults != ["ok"] else { return }
    throw JournalError(
      .unreadable,
      "The journal '\(path)' is damaged (\(faults.first ?? "no answer")). "
        + "Restore a backup, or move the file away and a new one is made.")
  }

  func save(_ memory: DeviceMemory, of device: String) throws {
    let fix = memory.last
    try connection.run(
      """
      INSERT OR REPLACE INTO device_state (device, time, latitude, longitude, accuracy, altitude, speed, course, source,
        track, memory) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(device), .integer(fix.time.milliseconds), .real(fix.coordinate.latitude),
      .real(fix.coordinate.longitude), .optional(fix.accuracy), .optional(fix.altitude), .optional(fix.speed),
      .optional(fix.course), .text(fix.source.rawValue), .integer(Int64(fix.track)),
      .text(LiveMemory.text(memory)))
  }

  func save(_ state: RegionState?, _ device: String, _ region: StoredRegion) throws {
    guard let state else {
      try connection.run(
        "DELETE FROM region_state WHERE device = ? AND region = ?", .text(device), .integer(region.number))
      return
    }
    try connection.run(
      "INSERT OR REPLACE INTO region_state (device, region, revision, side, detail) VALUES (?, ?, ?, ?, ?)",
      .text(device), .integer(region.number), .integer(region.revision), .text(state.side.rawValue),
      .text(LiveMemory.text(state)))
  }

  /// Forgets what is known of a region, and ends its live visits, as the edit itself has done: a commit that was late may have
  /// brought some of it back.
  func forgetRegion(_ number: Int64, knownAfter change: Int64) throws {
    try connection.run(
      "UPDATE region SET unknown_since = max(unknown_since, ?) WHERE number = ?", .integer(change),
      .integer(number))
    try connection.run("DELETE FROM region_state WHERE region = ?", .integer(number))
    try connection.run(
      """
      UPDATE visit SET
        left = max(entered, (SELECT changed FROM region WHERE number = visit.region)),
        reason = (SELECT CASE WHEN ended IS NOT NULL THEN 'removed' WHEN enabled = 0 THEN 'disabled' ELSE 'edited' END
          FROM region WHERE number = visit.region)
      WHERE region = ? AND reason = 'open' AND run IN (SELECT id FROM run WHERE kind = 'live')
      """, .integer(number))
  }

  /// Forgets what is known of a region by devices that it does not concern.
  func dismissStrangers(of region: StoredRegion) throws {
    guard !region.region.devices.contains("*") else { return }
    let globs = region.region.devices.map(Glob.init)
    let devices = try connection.rows(
      "SELECT device FROM region_state WHERE region = ?", [.integer(region.number)]
    ) { $0.text(0) }
    for device in devices where !globs.contains(where: { $0.matches(device) }) {
      try save(nil, device, region)
    }
  }

  func deviceMemories() throws -> [DeviceMemory] {
    try connection.rows(
      """
      SELECT device, time, latitude, longitude, accuracy, altitude, speed, course, source, track, memory
      FROM device_state ORDER BY device
      """
    ) { row in
      let last = Fix(
        device: row.text(0), time: Timestamp(milliseconds: row.integer(1)),
        coordinate: Coordinate(latitude: row.real(2), longitude: row.real(3)),
        accuracy: row.optionalReal(4), altitude: row.optionalReal(5), speed: row.optionalReal(6),
        course: row.optionalReal(7), source: FixSource(rawValue: row.text(8)) ?? .tpv,
        track: Int32(truncatingIfNeeded: row.integer(9)))
      guard last.coordinate.isValid, (Timestamp.earliest...Timestamp.latest).contains(last.time) else {
        return nil
      }
      return LiveMemory.memory(row.text(10), last: last)
    }.compactMap { $0 }
  }

  /// What is known of devices and regions as they are now.
  func regionStates(_ body: (String, Int64, RegionState) -> Void) throws {
    let rows = try connection.rows(
      """
      SELECT s.device, s.region, s.side, s.detail FROM region_state s
      JOIN region r ON r.number = s.region AND r.revision = s.revision AND r.ended IS NULL AND r.enabled
      """
    ) { ($0.text(0), $0.integer(1), LiveMemory.state($0.text(2), $0.text(3))) }
    for (device, region, state) in rows {
      if let state { body(device, region, state) }
    }
  }
}
