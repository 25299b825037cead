internal import FencelineCivilTime
internal import FencelineDecisions
internal import FencelineGeofencing
internal import FencelinePositioning
internal import FencelineSQLiteStore

/// What a batch becomes in the tables; inside a turn.
extension LiveRecorder {
  func write(_ batch: LiveBatch, at now: Moment) throws {
    let connection = journal.connection
    for number in batch.begunRegions { try journal.forgetRegion(number, knownAfter: batch.seen ?? 0) }
    for region in batch.narrowedRegions { try journal.dismissStrangers(of: region) }
    for outcome in batch.outcomes { try write(outcome, at: now) }
    if storesPositions {
      for (fix, start, isTold) in batch.positions {
        try positions.store(fix, start: start, keep: isTold, in: journal)
      }
      for fix in batch.completed {
        try positions.complete(fix, in: journal)
      }
    }
    for (device, memory) in batch.memories { try journal.save(memory, of: device) }
    for (device, changes) in batch.changes {
      if changes.wasReset { try connection.run("DELETE FROM region_state WHERE device = ?", .text(device)) }
      for (id, state) in changes.states {
        guard let region = regions[id] else { continue }
        try journal.save(state, device, region)
      }
    }
    for signal in batch.signals {
      signals += 1
      try connection.run(
        "INSERT INTO signal (run, number, at, source, device, state, event) VALUES (?, ?, ?, ?, ?, ?, ?)",
        .integer(run), .integer(signals), .integer(signal.at.milliseconds), .text(signal.source),
        .optional(signal.device), .text(signal.state), .optional(signal.event))
    }
    if let last = batch.seen { try connection.run("DELETE FROM change WHERE id <= ?", .integer(last)) }
    try count(batch)
  }

  private func count(_ batch: LiveBatch) throws {
    guard batch.fixes > 0 || !batch.outcomes.isEmpty else { return }
    summary.fixes += batch.fixes
    summary.accepted += batch.positions.count
    for (reason, count) in batch.rejected { summary.rejected[reason, default: 0] += count }
    for (fix, _, _) in batch.positions {
      summary.firstFix = min(summary.firstFix ?? fix.time, fix.time)
      summary.lastFix = max(summary.lastFix ?? fix.time, fix.time)
    }
    summary.crossings = Int(sequence)
    try journal.connection.run(
      """
      UPDATE run SET fixes = ?, accepted = ?, rejected = ?, crossings = ?, first_fix = ?, last_fix = ? WHERE id = ?
      """,
      .integer(Int64(summary.fixes)), .integer(Int64(summary.accepted)), .text(summary.rejectedText),
      .integer(sequence), .optional(summary.firstFix?.milliseconds),
      .optional(summary.lastFix?.milliseconds), .integer(run))
  }

  private func write(_ outcome: Outcome, at now: Moment) throws {
    switch outcome {
    case .crossing(let crossing):
      guard let region = regions[crossing.region] else {
        throw JournalError(
          .fault,
          "A crossing names the region '\(crossing.region.printable)', which the journal does not have.")
      }
      sequence += 1
      try journal.insert(crossing, run, sequence, of: region)
      try outbox.fill(crossing, run, sequence, of: region.region, at: now)
      let entered = crossing.kind == .entry ? crossing.at : try visitBegin(crossing.device, region)
      switch crossing.kind {
      case .entry: try begin(crossing.device, region, crossing.at)
      case .exit: try end(crossing.device, region, crossing.at, .exit)
      case .dwell: break
      }
      notifications.add(
        try notifications.centre.handOver(crossing, run, sequence, of: region, entered: entered, at: now))
    case .visitBegan(let device, let id, let at):
      guard let region = regions[id] else { return }
      try begin(device, region, at)
      notifications.add(try notifications.centre.handOverVisit(device, of: region, since: at, at: now))
    case .visitEnded(let device, let id, let at, let reason):
      if let region = regions[id] { try end(device, region, at, reason) }
    }
  }

  /// When the visit that goes on began; nil where none does.
  private func visitBegin(_ device: String, _ region: StoredRegion) throws -> Timestamp? {
    try journal.connection.rows(
      "SELECT entered FROM visit WHERE run = ? AND device = ? AND region = ? AND reason = 'open'",
      [.integer(run), .text(device), .integer(region.number)]
    ) { Timestamp(milliseconds: $0.integer(0)) }.first
  }

  private func begin(_ device: String, _ region: StoredRegion, _ at: Timestamp) throws {
    visits += 1
    try journal.insertVisit(run, visits, device: device, of: region, entered: at, left: nil, nil)
  }

  private func end(_ device: String, _ region: StoredRegion, _ at: Timestamp, _ reason: VisitEnd) throws {
    try journal.connection.run(
      """
      UPDATE visit SET left = max(entered, ?), reason = ?
      WHERE run = ? AND device = ? AND region = ? AND reason = 'open'
      """, .integer(at.milliseconds), .text(reason.rawValue), .integer(run), .text(device),
      .integer(region.number))
  }
}
