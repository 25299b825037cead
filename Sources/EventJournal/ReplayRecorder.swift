internal import FencelineCivilTime
package import FencelineGeofencing
internal import FencelineGeodesy
internal import FencelineSQLiteStore

/// Writes one replay into the journal: in pieces, unseen by anyone until it is complete.
///
/// A replay that ends early, by an error or a kill, leaves only rows that nobody sees; the next replay sweeps them away.
package final class ReplayRecorder {
  /// The number of the run.
  package let run: Int64
  private let journal: Journal
  private let regions: [StoredRegion]
  /// Where in ``regions`` each is; filled when it is first asked for, since a run may have no crossing.
  private var places: [String: Int] = [:]
  /// Outcomes that are not written yet.
  private var waiting: [Outcome] = []
  private var crossings = 0
  private var visits: Int64 = 0
  private var openVisits: [VisitKey: OpenVisit] = [:]
  private var notifications: ReplayNotifications

  private struct VisitKey: Hashable {
    var device: String
    var region: String
  }
  private struct OpenVisit {
    var number: Int64
    var entered: Timestamp
  }

  /// Rows in one transaction.
  private static let chunk = 10_000

  /// Begins a replay.
  ///
  /// - Parameters:
  ///   - journal: Where it goes.
  ///   - regions: Those that outcomes may name.
  ///   - settings: How it is evaluated.
  ///   - centre: How the notification centre behaves.
  ///   - shownAt: The time at which notifications are shown; nil only records what would have been.
  /// - Throws: ``JournalError``.
  package init(
    _ journal: Journal, regions: [StoredRegion], settings: RunSettings, centre: CentreSettings,
    shownAt: Moment?
  ) throws(JournalError) {
    self.journal = journal
    self.regions = regions
    notifications = ReplayNotifications(NotificationCentre(journal, centre), shownAt: shownAt)
    try journal.sweep()
    run = try journal.perform {
      try journal.connection.run(
        "INSERT INTO run (kind, visible, writer, source, settings, began) VALUES ('replay', 0, ?, '', ?, ?)",
        .text(ProcessMark.own), .text(settings.text), .integer(Journal.now))
      return journal.connection.lastInsertedRow
    }
  }

  /// Takes what a fix has brought about.
  ///
  /// - Parameter outcomes: In their order.
  /// - Returns: The sequence number of the first crossing among them; the others follow from it.
  /// - Throws: ``JournalError`` where a full piece could not be written.
  @discardableResult
  package func record(_ outcomes: [Outcome]) throws(JournalError) -> Int {
    let first = crossings + 1
    for outcome in outcomes {
      if case .crossing = outcome { crossings += 1 }
      waiting.append(outcome)
    }
    if waiting.count >= ReplayRecorder.chunk { try flush() }
    return first
  }

  /// Completes the run: from now on everyone sees it, and an earlier one of the same content and settings no longer.
  ///
  /// - Parameters:
  ///   - source: The files, for people.
  ///   - digest: SHA-256 of the content, in hexadecimal digits.
  ///   - summary: What is to be said of the run.
  /// - Returns: The number of the run whose place it took; nil where there was none.
  /// - Throws: ``JournalError``.
  package func publish(source: String, digest: String, summary: RunSummary) throws(JournalError) -> Int64? {
    try flush()
    let replaced = try journal.perform {
      try journal.connection.transaction {
        let connection = journal.connection
        for (key, visit) in openVisits.sorted(by: { $0.value.number < $1.value.number }) {
          try insert(visit, key, left: nil, nil)
        }
        let same = """
          SELECT old.id FROM run old JOIN run new ON new.id = ? AND old.settings = new.settings
          WHERE old.digest = ? AND old.visible AND old.kind = 'replay'
          """
        let replaced = try connection.rows(same, [.integer(run), .text(digest)]) { $0.integer(0) }
        for id in replaced { try connection.run("UPDATE run SET visible = 0 WHERE id = ?", .integer(id)) }
        try connection.run(
          """
          UPDATE run SET visible = 1, writer = NULL, source = ?, digest = ?, ended = ?, fixes = ?, accepted = ?, rejected = ?,
            crossings = ?, first_fix = ?, last_fix = ? WHERE id = ?
          """,
          .text(source), .text(digest), .integer(Journal.now), .integer(Int64(summary.fixes)),
          .integer(Int64(summary.accepted)),
          .text(summary.rejectedText), .integer(Int64(crossings)), .optional(summary.firstFix?.milliseconds),
          .optional(summary.lastFix?.milliseconds), .integer(run))
        return replaced.last
      }
    }
    // The run stands, whatever becomes of the one whose place it took: the next replay sweeps too.
    try? journal.sweep()
    return replaced
  }

  /// Gives the run up; nothing of it is left.
  package func abandon() {
    _ = try? journal.connection.run(
      "UPDATE run SET writer = NULL WHERE id = ? AND NOT visible", .integer(run))
    try? journal.sweep()
  }

  private func flush() throws(JournalError) {
    guard !waiting.isEmpty else { return }
    let first = crossings - waiting.count { if case .crossing = $0 { true } else { false } } + 1
    try journal.perform {
      // Nobody sees these rows before `publish` has synchronised them with its own commit.
      try journal.connection.execute("PRAGMA synchronous = NORMAL")
      defer { try? journal.connection.execute("PRAGMA synchronous = FULL") }
      try journal.connection.transaction {
        var sequence = first
        for outcome in waiting { try write(outcome, &sequence) }
      }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func write(_ outcome: Outcome, _ sequence: inout Int) throws {
    switch outcome {
    case .crossing(let crossing):
      let region = try known(crossing.region)
      try journal.insert(crossing, run, Int64(sequence), of: region)
      let key = VisitKey(device: crossing.device, region: crossing.region)
      let entered = crossing.kind == .entry ? crossing.at : openVisits[key]?.entered
      try notifications.take(crossing, run, Int64(sequence), of: region, entered: entered)
      sequence += 1
      switch crossing.kind {
      case .entry: begin(key, crossing.at)
      case .exit: try end(key, crossing.at, .exit)
      case .dwell: break
      }
    case .visitBegan(let device, let region, let at): begin(VisitKey(device: device, region: region), at)
    case .visitEnded(let device, let region, let at, let reason):
      try end(VisitKey(device: device, region: region), at, reason)
    }
  }

  private func begin(_ key: VisitKey, _ at: Timestamp) {
    visits += 1
    openVisits[key] = OpenVisit(number: visits, entered: at)
  }

  private func end(_ key: VisitKey, _ at: Timestamp, _ reason: VisitEnd) throws {
    guard let visit = openVisits.removeValue(forKey: key) else { return }
    try insert(visit, key, left: at, reason)
  }

  private func insert(_ visit: OpenVisit, _ key: VisitKey, left: Timestamp?, _ reason: VisitEnd?) throws {
    try journal.insertVisit(
      run, visit.number, device: key.device, of: try known(key.region), entered: visit.entered, left: left,
      reason)
  }

  private func known(_ id: String) throws -> StoredRegion {
    if places.isEmpty {
      places.reserveCapacity(regions.count)
      for place in regions.indices.reversed() { places[regions[place].region.id] = place }
    }
    guard let place = places[id] else {
      throw JournalError(
        .fault, "A crossing names the region '\(id.printable)', which the replay was not begun with.")
    }
    return regions[place]
  }
}

@available(*, unavailable)
extension ReplayRecorder: Sendable {}
