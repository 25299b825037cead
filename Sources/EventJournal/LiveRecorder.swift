package import FencelineDecisions
package import FencelineGeofencing
internal import FencelineGeodesy
package import FencelinePositioning
internal import FencelineSQLiteStore

/// Writes the live run into the journal, and reads what others have edited meanwhile.
///
/// A turn of the engine is one transaction: ``begin(at:)`` takes the lock and says what was edited, the engine decides, ``commit(_:)`` writes
/// what it has decided together with where it stands. So no edit can come between a decision and its record. Where a commit
/// fails, the same batch is committed later with ``commitAgain(_:at:)``: nothing is decided twice.
package final class LiveRecorder {
  /// The number of the live run.
  package let run: Int64
  /// Whether the service before this one was not ended in order: a kill, or a power cut.
  package let wasCutOff: Bool
  /// What went in and came out since the run began, as far as it is committed.
  package internal(set) var summary = RunSummary()
  /// The sequence number of the last crossing that was committed.
  package internal(set) var sequence: Int64 = 0
  /// The number of the last edit that was taken notice of.
  package private(set) var seen: Int64 = 0

  /// Whether positions are kept.
  package var storesPositions = true

  /// More than can be written in the life of any disk.
  private static let mostRows: Int64 = 1 << 52

  let journal: Journal
  /// What crossings and time bring about for people.
  package let notifications: LiveNotifications
  /// What is carried to people and machines.
  package let outbox: LiveOutbox
  /// The regions that outcomes may name, by identifier.
  var regions: [String: StoredRegion] = [:]
  var identifiers: [Int64: String] = [:]
  /// Why regions are not watched that another program has written, a sentence for each, by row.
  package internal(set) var regionProblems: [Int64: String] = [:]
  var visits: Int64 = 0
  var positions = PositionStore()
  var signals: Int64 = 0

  /// Takes up the live run, or begins it.
  ///
  /// - Parameters:
  ///   - journal: Where it is; this process is the one that serves it.
  ///   - source: The receivers, for people.
  ///   - settings: How fixes are evaluated.
  ///   - centre: How the notification centre behaves.
  /// - Throws: ``JournalError``, also where the journal is found damaged after a service that was cut off.
  package init(
    _ journal: Journal, source: String, settings: RunSettings, centre: CentreSettings
  ) throws(JournalError) {
    self.journal = journal
    outbox = LiveOutbox(journal)
    var notificationCentre = NotificationCentre(journal, centre)
    notificationCentre.outbox = outbox
    notifications = LiveNotifications(notificationCentre)
    let connection = journal.connection
    let found = try journal.perform {
      try connection.rows("SELECT id, writer IS NOT NULL FROM run WHERE kind = 'live'") {
        (id: $0.integer(0), hasWriter: $0.integer(1) != 0)
      }.first
    }
    wasCutOff = found?.hasWriter ?? false
    if wasCutOff { try journal.checkQuickly() }
    run = try journal.perform {
      try connection.transaction {
        guard let found else {
          try connection.run(
            """
            INSERT INTO run (kind, visible, writer, source, settings, began) VALUES ('live', 1, ?, ?, ?, ?)
            """, .text(ProcessMark.own), .text(source), .text(settings.text), .integer(Journal.now))
          return connection.lastInsertedRow
        }
        try connection.run(
          "UPDATE run SET visible = 1, writer = ?, source = ?, settings = ?, ended = NULL WHERE id = ?",
          .text(ProcessMark.own), .text(source), .text(settings.text), .integer(found.id))
        return found.id
      }
    }
    try journal.perform {
      func number(_ sql: String) throws -> Int64 {
        let number = try connection.rows(sql, [.integer(run)]) { $0.integer(0) }.first ?? 0
        guard (0...LiveRecorder.mostRows).contains(number) else {
          throw JournalError(
            .unreadable,
            "Cannot use the journal '\(journal.path)': another program has written a number of \(number) into it. "
              + "Restore a backup, or move the file away and a new one is made.")
        }
        return number
      }
      _ = try number("SELECT max(fixes, accepted) FROM run WHERE id = ?")
      sequence = try number("SELECT coalesce(max(sequence), 0) FROM crossing WHERE run = ?")
      visits = try number("SELECT coalesce(max(number), 0) FROM visit WHERE run = ?")
      signals = try number("SELECT coalesce(max(number), 0) FROM signal WHERE run = ?")
      try connection.execute("PRAGMA synchronous = NORMAL")
    }
    if let run = try journal.run(run) { summary = run.summary }
    summary.crossings = Int(sequence)
  }

  /// Makes a pipeline that watches the journal's regions and goes on where the run stands.
  ///
  /// - Parameters:
  ///   - profile: For regions that name none.
  ///   - filter: Which fixes count.
  ///   - now: The time.
  /// - Returns: The pipeline.
  /// - Throws: ``JournalError``.
  package func pipeline(
    profile: Profile, filter: FixFilter.Settings, at now: Moment
  ) throws(JournalError) -> Pipeline {
    // First of all: an edit that comes while the rest is read is then taken notice of once more.
    seen = try journal.perform {
      try journal.connection.rows("SELECT seq FROM sqlite_sequence WHERE name = 'change'") { $0.integer(0) }
        .first ?? 0
    }
    let entries = try entries()
    let (pipeline, outcomes) = try journal.perform {
      var regions = RegionSet(defaultProfile: profile)
      regions.put(entries)
      regions.version = seen
      var pipeline = Pipeline(regions: regions, filter: filter, notesChanges: true)
      var states: [String: [String: RegionState]] = [:]
      try journal.regionStates { device, number, state in
        if let id = identifiers[number] { states[device, default: [:]][id] = state }
      }
      for memory in try journal.deviceMemories() {
        pipeline.restore(memory.last.device, memory, states[memory.last.device] ?? [:])
      }
      // What concerned a device when the service ended, and was edited meanwhile.
      var outcomes: [Outcome] = []
      pipeline.put(
        entries.filter { !$0.region.devices.contains("*") }, version: seen, into: &outcomes)
      return (pipeline, outcomes)
    }
    var batch = LiveBatch()
    batch.take(outcomes)
    batch.seen = seen
    // Of what cannot be used nothing is known, and nobody stays inside it.
    batch.begunRegions = regionProblems.keys.sorted()
    batch.narrowedRegions = regions.values.filter { !$0.region.devices.contains("*") }
    try commitAgain(batch, at: now)
    return pipeline
  }

  func know(_ region: StoredRegion) {
    regions[region.region.id] = region
    identifiers[region.number] = region.region.id
  }

  /// The region with an identifier, also one that was removed while the service runs.
  package func region(_ id: String) -> Region? { regions[id]?.region }

  /// All regions as they are now, and what is known of them stays.
  ///
  /// - Throws: ``JournalError``.
  package func entries() throws(JournalError) -> [RegionSet.Entry] {
    let found = try journal.perform { try journal.usableRegions() }
    regionProblems = found.problems
    for region in found.regions { know(region) }
    return found.regions.map { RegionSet.Entry($0.region, since: $0.knownAfter, isNew: false) }
  }

  /// Whether another process has written to the journal since the last call; cheap, and never from within a turn.
  package func hasForeignCommits() throws(JournalError) -> Bool {
    let version = try journal.perform {
      try journal.connection.rows("PRAGMA data_version") { $0.integer(0) }.first ?? 0
    }
    if version != dataVersion { mustLook = true }
    dataVersion = version
    return mustLook
  }
  private var dataVersion: Int64 = -1
  /// Whether edits may be there that no turn has taken notice of.
  private var mustLook = true

  /// Looks for edits in the next turn: this process has made some itself.
  package func lookForEdits() { mustLook = true }

  /// Begins a turn: from here to its end nobody else writes.
  ///
  /// - Parameter now: The time.
  /// - Returns: What was edited since the last one; nil where nothing was.
  /// - Throws: ``JournalError``; then no turn has begun.
  package func begin(at now: Moment) throws(JournalError) -> Edits? {
    try journal.perform { try journal.connection.execute("BEGIN IMMEDIATE") }
    do {
      let edits = try edits()
      try journal.perform { try outbox.look(at: now) }
      mustLook = false
      return edits
    } catch {
      abandon()
      throw error
    }
  }

  /// Ends a turn without a trace.
  package func abandon() {
    try? journal.connection.execute("ROLLBACK")
  }

  /// Writes what was decided and what that and the time bring about, and ends the turn; crossings and notifications survive a power
  /// cut once ``synchronise()`` has returned as well.
  ///
  /// - Parameters:
  ///   - batch: What was decided.
  ///   - now: The time.
  /// - Returns: The sequence number of the first crossing in it.
  /// - Throws: ``JournalError``: nothing was written, and ``commitAgain(_:at:)`` is to be tried later.
  @discardableResult
  package func commit(_ batch: LiveBatch, at now: Moment) throws(JournalError) -> Int64 {
    let before = (sequence, visits, signals, summary, positions)
    do {
      try journal.perform {
        try outbox.followClock(at: now)
        try outbox.look(at: now)
        try write(batch, at: now)
        try workOnNotifications(at: now)
        try outbox.work(at: now)
        try journal.connection.execute("COMMIT")
      }
    } catch {
      abandon()
      notifications.abandon()
      outbox.abandon()
      (sequence, visits, signals, summary, positions) = before
      if let last = batch.seen { seen = max(seen, last) }
      throw error
    }
    if let last = batch.seen { seen = max(seen, last) }
    notifications.settle()
    outbox.settle(at: now)
    if outbox.mustLook { mustLook = true }
    // A request that has fired may have ended its region.
    if notifications.hasEvents { mustLook = true }
    return before.0 + 1
  }

  /// Lets the notification centre do its part of a turn; where another program has spoilt what it needs, crossings are recorded all the same.
  private func workOnNotifications(at now: Moment) throws {
    let connection = journal.connection
    try connection.execute("SAVEPOINT notifications")
    let filled = outbox.filled
    do {
      try notifications.work(at: now)
    } catch let error as JournalError where error.code == .unreadable || error.code == .fault {
      try connection.execute("ROLLBACK TO notifications")
      outbox.forgetFilling(since: filled)
      notifications.fail(error.message, at: now)
    }
    try connection.execute("RELEASE notifications")
  }

  /// Makes sure that the crossings that were committed survive a power cut.
  ///
  /// - Throws: ``JournalError``.
  package func synchronise() throws(JournalError) {
    try journal.perform {
      let connection = journal.connection
      try connection.execute("PRAGMA synchronous = FULL")
      defer { try? connection.execute("PRAGMA synchronous = NORMAL") }
      // Its own commit synchronises all that was written before it; but only if it changes something: SQLite writes no page for a
      // row that stays as it is.
      _ = try connection.transaction {
        try connection.run("UPDATE run SET synchronised = ? WHERE id = ?", .integer(sequence), .integer(run))
      }
    }
  }

  /// Commits in a transaction of its own what could not be committed in its turn.
  @discardableResult
  package func commitAgain(_ batch: LiveBatch, at now: Moment) throws(JournalError) -> Int64 {
    try journal.perform { try journal.connection.execute("BEGIN IMMEDIATE") }
    return try commit(batch, at: now)
  }
}

@available(*, unavailable)
extension LiveRecorder: Sendable {}
