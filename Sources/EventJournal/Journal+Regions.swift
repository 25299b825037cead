internal import FencelineCivilTime
internal import FencelineGeodesy
package import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineSQLiteStore

/// A region as the journal holds it.
package struct StoredRegion: Hashable, Sendable {
  /// Its row, which no other region ever gets.
  package var number: Int64
  /// How often it was moved or resized, from 1.
  package var revision: Int64
  /// Whether it may notify; false once a region that notifies only once has done so.
  package var isArmed: Bool
  /// The number of the change after which something may be known of it.
  package var knownAfter: Int64
  /// The region.
  package var region: Region
}

/// Regions as the journal holds them, where another program may have written what cannot be used.
struct UsableRegions {
  /// Those that can be used.
  var regions: [StoredRegion] = []
  /// A sentence for each of the others, by its row.
  var problems: [Int64: String] = [:]
}

/// What became of regions that were to be stored.
package struct RegionChange: Hashable, Sendable {
  /// Identifiers of those that are new.
  package var added: [String] = []
  /// Identifiers of those that took the place of one.
  package var updated: [String] = []
  /// Identifiers of those that were there already, just so.
  package var unchanged: [String] = []
  /// Identifiers that were taken: nothing was stored.
  package var conflicts: [String] = []
}

extension Journal {
  /// All regions, by identifier.
  package func regions() throws(JournalError) -> [StoredRegion] {
    try perform { try storedRegions("ended IS NULL ORDER BY id", []) }
  }

  /// The region with an identifier; nil where there is none.
  package func region(_ id: String) throws(JournalError) -> StoredRegion? {
    try perform { try storedRegion(id) }
  }

  /// Those of the regions that are there and can be used.
  ///
  /// - Parameter numbers: Their rows; nil for all.
  /// - Returns: They, and why others cannot be used.
  /// - Throws: What the database says.
  func usableRegions(numbered numbers: [Int64]? = nil) throws -> UsableRegions {
    guard let numbers else { return usable(try regionRows("ended IS NULL ORDER BY id", [])) }
    let list = SQLiteValue.text("[\(numbers.map(String.init).joined(separator: ","))]")
    return usable(
      try regionRows("number IN (SELECT value FROM json_each(?)) AND ended IS NULL", [list]))
  }

  private func usable(_ rows: [RegionRow]) -> UsableRegions {
    var usable = UsableRegions()
    for row in rows {
      if let problem = row.problem {
        // One that is disabled would not be watched anyway.
        if row.stored.region.isEnabled { usable.problems[row.stored.number] = sentence(row, problem) }
      } else {
        usable.regions.append(row.stored)
      }
    }
    return usable
  }

  private func storedRegion(_ id: String) throws -> StoredRegion? {
    // SQLite tells a letter from the same one composed of two code points; people and Swift do not.
    try storedRegions("ended IS NULL AND id = ?", [.text(id)]).first
      ?? storedRegions("ended IS NULL", []).first { $0.region.id == id }
  }

  /// Stores regions: all of them, or none where an identifier is taken.
  ///
  /// - Parameters:
  ///   - regions: Valid regions with different identifiers.
  ///   - update: Whether they take the place of those with the same identifiers.
  ///   - progress: Told now and then how many are done.
  /// - Returns: What became of each.
  /// - Throws: ``JournalError``.
  package func store(
    _ regions: [Region], update: Bool, progress: (Int) -> Void = { _ in }
  ) throws(JournalError) -> RegionChange {
    try perform {
      try connection.transaction {
        var change = RegionChange()
        var known: [String: StoredRegion] = [:]
        for stored in try storedRegions("ended IS NULL", []) { known[stored.region.id] = stored }
        change.conflicts = update ? [] : regions.map(\.id).filter { known[$0] != nil }
        guard change.conflicts.isEmpty else { return change }
        let now = Journal.now
        for (place, region) in regions.enumerated() {
          if place.isMultiple(of: 1000) { progress(place) }
          if let old = known[region.id] {
            if old.region == region {
              change.unchanged.append(region.id)
            } else {
              change.updated.append(region.id)
              try replace(old, with: region, now)
            }
          } else {
            change.added.append(region.id)
            try insert(region, now)
          }
        }
        return change
      }
    }
  }

  /// Changes one region, whatever others do to it at the same time.
  ///
  /// - Parameters:
  ///   - id: Its identifier.
  ///   - change: What to change; where it throws, or gives a region that is not valid, nothing is stored.
  /// - Returns: The region before and after; nil where there is none.
  /// - Throws: ``JournalError``, or what `change` throws.
  package func updateRegion(
    _ id: String, _ change: (inout Region) throws -> Void
  ) throws -> (before: Region, after: Region)? {
    var failure: (any Error)?
    let result: (Region, Region)? = try perform {
      try connection.transaction {
        // An edit may mend what cannot be used, as long as it can be read.
        let condition = "ended IS NULL AND id = ?"
        let row = try regionRows(condition, [.text(id)]).first { $0.isReadable }
        guard let old = try row?.stored ?? storedRegion(id) else { return nil }
        var region = old.region
        do { try change(&region) } catch {
          failure = error
          return nil
        }
        if region != old.region { try replace(old, with: region, Journal.now) }
        return (old.region, region)
      }
    }
    if let failure { throw failure }
    return result
  }

  /// Ends regions; history goes on naming them.
  ///
  /// - Parameter ids: Identifiers.
  /// - Returns: Those that there are no regions for: then nothing was changed.
  /// - Throws: ``JournalError``.
  package func removeRegions(_ ids: [String]) throws(JournalError) -> [String] {
    try changeRegions(ids) { id, now in
      try connection.run(
        "UPDATE region SET ended = ?, changed = ? WHERE id = ? AND ended IS NULL", now, now, id)
    }
  }

  /// Enables or disables regions.
  ///
  /// - Parameters:
  ///   - ids: Identifiers.
  ///   - isEnabled: Whether they are watched from now on.
  /// - Returns: Those that there are no regions for: then nothing was changed.
  /// - Throws: ``JournalError``.
  package func enableRegions(_ ids: [String], _ isEnabled: Bool) throws(JournalError) -> [String] {
    try changeRegions(ids) { id, now in
      try connection.run(
        "UPDATE region SET enabled = ?, changed = ? WHERE id = ? AND ended IS NULL AND enabled <> ?",
        .boolean(isEnabled), now, id, .boolean(isEnabled))
    }
  }

  /// Lets regions that notify only once do so again.
  ///
  /// - Parameter ids: Identifiers.
  /// - Returns: Those that there are no regions for: then nothing was changed.
  /// - Throws: ``JournalError``.
  package func rearmRegions(_ ids: [String]) throws(JournalError) -> [String] {
    try changeRegions(ids) { id, now in
      try connection.run(
        "UPDATE region SET armed = 1, changed = ? WHERE id = ? AND ended IS NULL AND NOT armed", now, id)
    }
  }

  private func changeRegions(
    _ ids: [String], _ change: (SQLiteValue, SQLiteValue) throws -> Void
  ) throws(JournalError) -> [String] {
    try perform {
      try connection.transaction {
        let known = Set(try connection.rows("SELECT id FROM region WHERE ended IS NULL") { $0.text(0) })
        let missing = ids.filter { !known.contains($0) }
        guard missing.isEmpty else { return missing }
        let now = SQLiteValue.integer(Journal.now)
        // As they are stored: equal texts may be spelled with different code points.
        for id in known.filter(Set(ids).contains) { try change(.text(id), now) }
        return []
      }
    }
  }
}

/// A row of the table of regions, into which another program may have written.
private struct RegionRow {
  var stored: StoredRegion
  /// Whether each of its values could be read.
  var isReadable: Bool
  /// Why it cannot be used: what cannot is never used as something else. nil where it can.
  var problem: String?

  init(_ stored: StoredRegion, isReadable: Bool) {
    self.stored = stored
    self.isReadable = isReadable
    // A name that is only ugly hurts nobody.
    let problems = stored.region.problems().filter { !["id", "title", "tags"].contains($0.property) }
    problem = isReadable ? problems.first?.message : "One of its values cannot be read."
  }
}

extension Journal {
  private static let columns = [
    "id", "latitude", "longitude", "radius", "title", "notify_on_entry", "notify_on_exit", "dwell", "repeats",
    "profile", "enter_after", "exit_after", "exit_margin", "initial", "cooldown", "active", "expires",
    "devices",
    "tags", "priority", "enabled",
  ]

  /// The region's values in the order of ``columns``.
  private static func values(_ region: Region) -> [SQLiteValue] {
    func list(_ values: [JSONValue]) -> SQLiteValue { .text(JSONValue.array(values).line) }
    return [
      .text(region.id), .real(region.centre.latitude), .real(region.centre.longitude), .real(region.radius),
      .optional(region.title), .boolean(region.notifyOnEntry), .boolean(region.notifyOnExit),
      list(region.dwell.map(JSONValue.number)), .boolean(region.repeats), .optional(region.profile?.rawValue),
      .optional(region.enterAfter), .optional(region.exitAfter), .optional(region.exitMargin),
      .text(region.initial.rawValue), .optional(region.cooldown),
      list(region.active.map { .text($0.description) }), .optional(region.expires?.milliseconds),
      list(region.devices.map(JSONValue.text)), list(region.tags.map(JSONValue.text)),
      .integer(Int64(region.priority)), .boolean(region.isEnabled),
    ]
  }

  private func storedRegions(_ condition: String, _ values: [SQLiteValue]) throws -> [StoredRegion] {
    try regionRows(condition, values).map { row in
      guard let problem = row.problem else { return row.stored }
      throw JournalError(.unreadable, sentence(row, problem))
    }
  }

  private func sentence(_ row: RegionRow, _ problem: String) -> String {
    let mend = row.isReadable ? "Mend it with 'fenceline region edit', or remove it" : "Remove it"
    return
      "The journal '\(path)' holds a region '\(row.stored.region.id.printable)' that cannot be used: \(problem) "
      + "\(mend) with 'fenceline region remove'."
  }

  private func regionRows(_ condition: String, _ values: [SQLiteValue]) throws -> [RegionRow] {
    let columns = Journal.columns.joined(separator: ", ")
    return try connection.rows(
      "SELECT \(columns), number, revision, armed, unknown_since FROM region WHERE \(condition)", values
    ) { row in
      var isReadable = true
      func list<Value>(_ column: Int32, _ read: (JSONNode) -> Value?) -> [Value] {
        let text = row.text(column)
        if text == "[]" { return [] }
        let nodes = (try? JSONNode(parsing: text.utf8))?.elements
        let values = nodes?.compactMap(read)
        if values == nil || values?.count != nodes?.count { isReadable = false }
        return values ?? []
      }
      var region = Region(
        id: row.text(0), centre: Coordinate(latitude: row.real(1), longitude: row.real(2)),
        radius: row.real(3))
      region.title = row.optionalText(4)
      region.notifyOnEntry = row.integer(5) != 0
      region.notifyOnExit = row.integer(6) != 0
      region.dwell = list(7, \.number)
      region.repeats = row.integer(8) != 0
      if let name = row.optionalText(9) {
        region.profile = Profile(rawValue: name)
        if region.profile == nil { isReadable = false }
      }
      region.enterAfter = row.optionalReal(10)
      region.exitAfter = row.optionalReal(11)
      region.exitMargin = row.optionalReal(12)
      if let initial = InitialCrossing(rawValue: row.text(13)) {
        region.initial = initial
      } else {
        isReadable = false
      }
      region.cooldown = row.optionalReal(14)
      region.active = list(15) { $0.text.flatMap(ActiveWindow.init) }
      region.expires = row.optionalInteger(16).map(Timestamp.init)
      // What a region has by itself need not be read.
      if row.text(17) != #"["*"]"# { region.devices = list(17, \.text) }
      region.tags = list(18, \.text)
      region.priority = Int(row.integer(19))
      region.isEnabled = row.integer(20) != 0
      return RegionRow(
        StoredRegion(
          number: row.integer(21), revision: row.integer(22), isArmed: row.integer(23) != 0,
          knownAfter: row.integer(24), region: region),
        isReadable: isReadable)
    }
  }

  private func insert(_ region: Region, _ now: Int64) throws {
    let columns = Journal.columns + ["revision", "created", "changed"]
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.statement("INSERT INTO region (\(columns.joined(separator: ", "))) VALUES (\(places))")
      .run(
        Journal.values(region) + [1, .integer(now), .integer(now)])
    try addRevision(connection.lastInsertedRow, 1, region, now)
  }

  private func replace(_ old: StoredRegion, with region: Region, _ now: Int64) throws {
    let moved = old.region.centre != region.centre || old.region.radius != region.radius
    let revision = moved ? old.revision + 1 : old.revision
    let assignments = (Journal.columns + ["revision", "changed"]).map { "\($0) = ?" }.joined(separator: ", ")
    try connection.statement("UPDATE region SET \(assignments) WHERE number = ?").run(
      Journal.values(region) + [.integer(revision), .integer(now), .integer(old.number)])
    if moved { try addRevision(old.number, revision, region, now) }
    if old.region.repeats != region.repeats {
      try connection.run("UPDATE region SET armed = 1 WHERE number = ?", .integer(old.number))
    }
  }

  private func addRevision(_ number: Int64, _ revision: Int64, _ region: Region, _ now: Int64) throws {
    try connection.run(
      "INSERT INTO region_revision (region, revision, latitude, longitude, radius, since) VALUES (?, ?, ?, ?, ?, ?)",
      .integer(number), .integer(revision), .real(region.centre.latitude), .real(region.centre.longitude),
      .real(region.radius), .integer(now))
  }
}
