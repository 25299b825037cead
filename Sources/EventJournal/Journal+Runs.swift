internal import FencelineCivilTime
internal import FencelineSQLiteStore

extension Journal {
  /// How many rows are deleted in one transaction, so that nobody waits long for the lock.
  private static let chunk = 10_000

  /// The runs that are complete, oldest first.
  package func runs() throws(JournalError) -> [Run] {
    try perform { try runs("visible ORDER BY id", []) }
  }

  /// One run that is complete.
  package func run(_ id: Int64) throws(JournalError) -> Run? {
    try perform { try runs("visible AND id = ?", [.integer(id)]).first }
  }

  private func runs(_ condition: String, _ values: [SQLiteValue]) throws -> [Run] {
    try connection.rows(
      """
      SELECT id, kind, source, settings, began, ended, fixes, accepted, rejected, crossings, first_fix, last_fix
      FROM run WHERE \(condition)
      """, values
    ) { row in
      var summary = RunSummary()
      summary.fixes = Int(row.integer(6))
      summary.accepted = Int(row.integer(7))
      summary.rejected = RunSummary.rejected(row.text(8))
      summary.crossings = Int(row.integer(9))
      summary.firstFix = row.optionalInteger(10).map(Timestamp.init)
      summary.lastFix = row.optionalInteger(11).map(Timestamp.init)
      return Run(
        id: row.integer(0), isLive: row.text(1) == "live", source: row.text(2),
        settings: RunSettings(text: row.text(3)),
        began: Timestamp(milliseconds: row.integer(4)), ended: row.optionalInteger(5).map(Timestamp.init),
        summary: summary)
    }
  }

  /// Takes replays away, with their crossings and visits.
  ///
  /// - Parameter ids: Runs.
  /// - Returns: Those that there are no replays for: then nothing was changed.
  /// - Throws: ``JournalError``.
  package func removeRuns(_ ids: [Int64]) throws(JournalError) -> [Int64] {
    let missing = try perform {
      try connection.transaction {
        let known = Set(
          try connection.rows("SELECT id FROM run WHERE visible AND kind = 'replay'") { $0.integer(0) })
        let missing = ids.filter { !known.contains($0) }
        guard missing.isEmpty else { return missing }
        for id in ids {
          try connection.run("UPDATE run SET visible = 0, writer = NULL WHERE id = ?", .integer(id))
        }
        return []
      }
    }
    // Nobody sees the runs any more, whatever becomes of their rows: the next replay sweeps too.
    if missing.isEmpty { try? sweep() }
    return missing
  }

  /// Deletes what is no longer wanted: removed and replaced runs, and those whose writer was killed.
  package func sweep() throws(JournalError) {
    try perform {
      let hidden = try connection.rows("SELECT id, writer FROM run WHERE NOT visible") {
        (id: $0.integer(0), writer: $0.optionalText(1))
      }
      for run in hidden where run.writer.map({ !ProcessMark.isAlive($0) }) ?? true {
        for (table, key) in [("crossing", "sequence"), ("visit", "number"), ("notification", "number")] {
          let sql = """
            DELETE FROM \(table) WHERE run = ?1 AND \(key) IN
              (SELECT \(key) FROM \(table) WHERE run = ?1 LIMIT \(Journal.chunk))
            """
          while try connection.run(sql, .integer(run.id)) == Journal.chunk {}
        }
        try connection.run("DELETE FROM run WHERE id = ?", .integer(run.id))
      }
    }
  }
}
