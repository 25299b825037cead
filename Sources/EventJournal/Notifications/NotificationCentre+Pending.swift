internal import FencelineCivilTime
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// What waits to be due.
extension NotificationCentre {
  /// Pending requests, those that are due first first, then those that time does not make due; told one by one.
  ///
  /// - Parameters:
  ///   - app: Whose; nil is all.
  ///   - body: Told each.
  /// - Throws: ``JournalError``.
  package func pending(of app: String? = nil, _ body: (StoredRequest) throws -> Void) throws {
    try pages("due IS NOT NULL AND (due, number) > (?2, ?3) ORDER BY due, number", of: app, body)
    try pages("due IS NULL AND number > ?3 ORDER BY number", of: app, body)
  }

  /// Rows in pieces: who reads slowly must not keep the log beside the file from being emptied.
  private func pages(_ condition: String, of app: String?, _ body: (StoredRequest) throws -> Void) throws {
    var (due, number) = (Int64.min, Int64.min)
    while true {
      let page = try journal.perform {
        try connection.rows(
          "SELECT \(StoredRequest.columns) FROM request WHERE (?1 IS NULL OR app = ?1) AND \(condition) LIMIT 1000",
          [.optional(app), .integer(due), .integer(number)]
        ) { (request: StoredRequest($0), due: $0.integer(9), number: $0.integer(0)) }
      }
      guard let last = page.last else { return }
      for case (let request?, _, _) in page { try body(request) }
      (due, number) = (last.due, last.number)
    }
  }

  /// The pending request of a name; nil where there is none.
  package func pending(_ identifier: String, of app: String) throws -> StoredRequest? {
    try journal.perform { try stored(identifier, of: app) }
  }

  func stored(_ identifier: String, of app: String) throws -> StoredRequest? {
    try connection.rows(
      "SELECT \(StoredRequest.columns) FROM request WHERE app = ? AND id = ?",
      [.text(app), .text(identifier)]
    ) { StoredRequest($0) }.first ?? nil
  }

  /// How many requests are pending.
  package func pendingCount(of app: String? = nil) throws -> Int {
    try journal.perform {
      try connection.rows("SELECT count(*) FROM request WHERE ?1 IS NULL OR app = ?1", [.optional(app)]) {
        Int($0.integer(0))
      }.first ?? 0
    }
  }

  /// Removes pending requests; what was delivered of them stays.
  ///
  /// - Parameters:
  ///   - identifiers: Which.
  ///   - app: Whose.
  ///   - now: The time.
  /// - Returns: Those that are not pending; the others are gone.
  /// - Throws: ``JournalError``.
  package func removePending(_ identifiers: [String], of app: String, at now: Moment) throws -> [String] {
    try operate {
      var missing: [String] = []
      for identifier in identifiers where try remove([identifier], of: app, at: now) == 0 {
        missing.append(identifier)
      }
      return missing
    }
  }

  /// Removes all pending requests of an app.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``JournalError``.
  package func removeAllPending(of app: String, at now: Moment) throws -> Int {
    try operate {
      let owned = try connection.rows(
        "SELECT region FROM request WHERE app = ? AND owns_region AND region IS NOT NULL", [.text(app)]
      ) { $0.text(0) }
      let count = try connection.run("DELETE FROM request WHERE app = ?", .text(app))
      for region in owned { try endRegion(region, at: now) }
      return count
    }
  }

  /// Removes requests, and the regions that are there for them alone.
  func remove(_ identifiers: [String], of app: String, keeping region: String? = nil, at now: Moment) throws
    -> Int
  {
    var removed = 0
    for identifier in identifiers {
      let owned = try connection.rows(
        "SELECT region FROM request WHERE app = ? AND id = ? AND owns_region",
        [.text(app), .text(identifier)]
      ) { $0.text(0) }
      removed += try connection.run(
        "DELETE FROM request WHERE app = ? AND id = ?", .text(app), .text(identifier))
      for id in owned where id != region { try endRegion(id, at: now) }
    }
    return removed
  }

  /// Ends the region of a request that is gone, unless another one or a focus needs it.
  func endRegion(_ id: String, at now: Moment) throws {
    let heir =
      try connection.rows("SELECT min(number) FROM request WHERE region = ?", [.text(id)]) {
        $0.optionalInteger(0)
      }.first ?? nil
    if let heir {
      return try connection.statement("UPDATE request SET owns_region = 1 WHERE number = ?").run([
        .integer(heir)
      ])
    }
    let isNeeded =
      try connection.rows(
        "SELECT EXISTS (SELECT 1 FROM focus WHERE json_extract(definition, '$.inside') = ?)", [.text(id)]
      ) { $0.integer(0) != 0 }.first ?? false
    if isNeeded { return }
    try connection.run(
      "UPDATE region SET ended = ?1, changed = ?1 WHERE id = ?2 AND ended IS NULL",
      .integer(now.utc.milliseconds), .text(id))
  }
}
