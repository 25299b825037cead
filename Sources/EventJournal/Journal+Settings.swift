internal import FencelineSQLiteStore

extension Journal {
  /// What users have set, by key: texts as they were given.
  package func settings() throws(JournalError) -> [String: String] {
    let rows = try perform {
      try connection.rows("SELECT key, value FROM setting") { ($0.text(0), $0.text(1)) }
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Sets a key, or gives it its default again; where nothing changes nobody is told of it.
  ///
  /// - Parameters:
  ///   - key: Which.
  ///   - value: A text that is valid for it; nil for the default.
  /// - Returns: Whether anything has changed.
  /// - Throws: ``JournalError``.
  @discardableResult
  package func set(_ key: String, to value: String?) throws(JournalError) -> Bool {
    try perform {
      guard let value else { return try connection.run("DELETE FROM setting WHERE key = ?", .text(key)) > 0 }
      return try connection.run(
        """
        INSERT INTO setting VALUES (?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, changed = excluded.changed
        WHERE value <> excluded.value
        """, .text(key), .text(value), .integer(Journal.now)) > 0
    }
  }

  /// Whether it holds neither a region nor a run.
  package func isBlank() throws(JournalError) -> Bool {
    try perform {
      try connection.rows(
        """
        SELECT NOT EXISTS (SELECT 1 FROM region WHERE ended IS NULL) AND NOT EXISTS (SELECT 1 FROM run WHERE visible)
        """
      ) { $0.integer(0) != 0 }[0]
    }
  }
}
