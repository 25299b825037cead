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
  /// All regions, by identifier, or where no order is needed by number, as they lie in their table.
  package func regions(inOrder: Bool = true) throws(JournalError) -> [StoredRegion] {
    try perform { try storedRegions("ended IS NULL ORDER BY \(inOrder ? "id" : "number")", []) }
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
    var usable = UsableRegions()
    func take(_ row: RegionRow) {
      if let problem = row.problem {
        // One that is disabled would not be watched anyway.
        if row.stored.region.isEnabled { usable.problems[row.stored.number] = sentence(row, problem) }
      } else {
        usable.regions.append(row.stored)
      }
    }
    if let numbers {
      let list = SQLiteValue.text("[\(numbers.map(String.init).joined(separator: ","))]")
      try forEachRegionRow("number IN (SELECT value FROM json_each(?)) AND ended IS NULL", [list], take)
    } else {
      try forEachRegionRow("ended IS NULL ORDER BY id", [], take)
    }
    return usable
  }

  /// ``region(_:)`` within a transaction of the caller's.
  func storedRegion(_ id: String) throws -> StoredRegion? {
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
        var readable: StoredRegion?
        try forEachRegionRow("ended IS NULL AND id = ?", [.text(id)]) { row in
          if row.isReadable { readable = row.stored }
        }
        guard let old = try readable ?? storedRegion(id) else { return nil }
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
