package import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelineGeofencing
package import FencelinePositioning
internal import FencelineSQLiteStore

extension Journal {
  /// How many rows are read while the database is pinned.
  private static let page = 1000
  /// How many rows are deleted in one transaction.
  private static let chunk = 10_000

  static let positionColumns = "time, latitude, longitude, accuracy, altitude, speed, course, begins"

  /// A row of ``positionColumns``.
  static func fix(_ row: Statement, _ device: String) -> Fix {
    func value(_ column: Int32) -> Double? { row.optionalInteger(column).map { Double($0) / 100 } }
    return Fix(
      device: device, time: Timestamp(milliseconds: row.integer(0)),
      coordinate: Coordinate(
        latitude: Double(row.integer(1)) / 1e7, longitude: Double(row.integer(2)) / 1e7),
      accuracy: value(3), altitude: value(4), speed: value(5), course: value(6))
  }

  /// Reads stored positions, one device after the other by name, each in the order of time, a page at a time.
  ///
  /// - Parameters:
  ///   - device: A glob for devices; every device where nil.
  ///   - since: The earliest time.
  ///   - until: The time before which they are.
  ///   - body: Gets each page, of one device; `track` counts the tracks of the device, from 0.
  /// - Throws: ``JournalError``, or what `body` throws.
  package func positions(
    device: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil, _ body: ([Fix]) throws -> Void
  ) throws {
    let glob = device.map(Glob.init)
    let devices = try perform {
      try connection.rows("SELECT number, name FROM device ORDER BY name") { ($0.integer(0), $0.text(1)) }
    }
    let end = until?.milliseconds ?? .max
    for (number, name) in devices where glob?.matches(name) ?? true {
      var after = since.map { $0.milliseconds - 1 } ?? .min
      var track: Int32 = 0
      var isFirst = true
      var count = Journal.page
      while count == Journal.page {
        let page = try perform {
          try connection.rows(
            """
            SELECT \(Journal.positionColumns) FROM position WHERE device = ? AND time > ? AND time < ?
            ORDER BY time LIMIT \(Journal.page)
            """, [.integer(number), .integer(after), .integer(end)]
          ) { row in
            if row.integer(7) != 0, !isFirst { track &+= 1 }
            isFirst = false
            var fix = Journal.fix(row, name)
            fix.track = track
            return fix
          }
        }
        count = page.count
        if let last = page.last {
          after = last.time.milliseconds
          // Another hand may have written places that are none.
          try body(page.filter(\.coordinate.isValid))
        }
      }
    }
  }

  /// Deletes some of the positions from before a time, no more at once than anyone would wait for.
  ///
  /// - Parameter time: Those of this time and later ones stay.
  /// - Returns: Whether there may be more of them: call again, when there is time.
  /// - Throws: ``JournalError``.
  package func removePositions(before time: Timestamp) throws(JournalError) -> Bool {
    try perform {
      var left = Journal.chunk
      for number in try connection.rows("SELECT number FROM device", [], { $0.integer(0) }) where left > 0 {
        left -= try connection.run(
          """
          DELETE FROM position WHERE device = ?1 AND time IN
            (SELECT time FROM position WHERE device = ?1 AND time < ?2 ORDER BY time LIMIT ?3)
          """, .integer(number), .integer(time.milliseconds), .integer(Int64(left)))
      }
      return left == 0
    }
  }
}
