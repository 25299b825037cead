package import FencelineCivilTime
internal import FencelineSQLiteStore

/// What is done to the run beside its turns.
extension LiveRecorder {
  /// Takes signals away that are older than `time`, some at a time.
  package func removeSignals(before time: Timestamp) throws(JournalError) {
    try journal.perform {
      _ = try journal.connection.run(
        """
        DELETE FROM signal WHERE run = ?1 AND number IN
          (SELECT number FROM signal WHERE run = ?1 AND at < ?2 ORDER BY number LIMIT 10000)
        """, .integer(run), .integer(time.milliseconds))
    }
  }

  /// Ends visits of regions that have expired while nobody looked.
  ///
  /// - Parameter now: The time by a clock that can be trusted.
  /// - Throws: ``JournalError``.
  package func endExpiredVisits(at now: Timestamp) throws(JournalError) {
    try journal.perform {
      _ = try journal.connection.transaction {
        try journal.connection.run(
          """
          UPDATE visit SET left = max(entered, (SELECT expires FROM region WHERE number = visit.region)), reason = 'expired'
          WHERE run = ? AND reason = 'open' AND region IN (SELECT number FROM region WHERE expires <= ?)
          """, .integer(run), .integer(now.milliseconds))
        try journal.connection.run(
          "DELETE FROM region_state WHERE region IN (SELECT number FROM region WHERE expires <= ?)",
          .integer(now.milliseconds))
      }
    }
  }

  /// Ends the service in order; the run stays and is taken up by the next one.
  package func end() throws(JournalError) {
    try journal.perform {
      try journal.connection.execute("PRAGMA synchronous = FULL")
      _ = try journal.connection.transaction {
        try journal.connection.run(
          "UPDATE run SET writer = NULL, ended = ? WHERE id = ?", .integer(Journal.now), .integer(run))
      }
    }
  }

  /// Says anew how fixes are evaluated.
  package func describe(source: String, settings: RunSettings) throws(JournalError) {
    try journal.perform {
      _ = try journal.connection.run(
        "UPDATE run SET source = ?, settings = ? WHERE id = ?", .text(source), .text(settings.text),
        .integer(run))
    }
  }
}
