internal import FencelineCivilTime
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// What waits for the end of a focus, for the summary or for a foreground client; within a transaction of the caller's.
extension NotificationCentre {
  /// Said in these words, SQLite finds the few rows that wait by their index; of a single state it would go through all there are.
  private static let isWaiting = "state IN ('asked', 'held')"
  /// Rows that are seen to in one turn.
  private static let most = 1000

  /// Whether something waits for a focus that is not on.
  func holdsForNoFocus(at now: Timestamp) throws -> Bool {
    let reasons = try connection.rows(
      "SELECT DISTINCT reason FROM notification WHERE \(Self.isWaiting) AND state = 'held' AND until IS NULL"
    ) { $0.text(0) }
    guard !reasons.isEmpty else { return false }
    let active = Set(try activeFocuses(at: now).map { "focus:\($0.focus.identifier)" })
    return reasons.contains { !active.contains($0) }
  }

  /// Shows what was held back and is no longer, and what nobody has answered in time.
  ///
  /// - Returns: What has happened, in order.
  func release(at now: Moment) throws -> [CentreEvent] {
    let focuses = try activeFocuses(at: now.utc).map(\.focus)
    var waiting = try waiting(
      "n.state IN ('asked', 'held') AND n.until <= ?", [.integer(now.utc.milliseconds)])
    if try holdsForNoFocus(at: now.utc) {
      let active = focuses.map { _ in "?" }.joined(separator: ", ")
      waiting += try self.waiting(
        "n.\(Self.isWaiting) AND n.state = 'held' AND n.until IS NULL AND n.reason NOT IN (\(active))",
        focuses.map { .text("focus:\($0.identifier)") })
    }
    guard !waiting.isEmpty else { return [] }
    var events: [CentreEvent] = []
    // What matters most comes first; what matters as much, in its order.
    let ordered = waiting.enumerated().sorted { a, b in
      (-a.element.content.relevanceScore, a.offset) < (-b.element.content.relevanceScore, b.offset)
    }
    for (_, held) in ordered {
      if held.state == .asked {
        events += try presentUnanswered(held, at: now)
      } else {
        events += try release(held, focuses, at: now)
      }
    }
    return events
  }

  private func waiting(_ condition: String, _ values: [SQLiteValue]) throws -> [StoredNotification] {
    try connection.rows(
      """
      SELECT \(StoredNotification.columns) FROM \(StoredNotification.tables) WHERE \(condition)
      ORDER BY n.number LIMIT \(Self.most)
      """, values
    ) { StoredNotification($0) }
  }

  private func release(
    _ held: StoredNotification, _ focuses: [Focus], at now: Moment
  ) throws -> [CentreEvent] {
    let permission = try permission(of: held.app)
    // The summary has come; the next one is not waited for.
    let presentation = Presentation(
      held.content, app: held.app, permission, focuses: focuses, summary: nil, at: now.utc)
    let fate = fate(presentation, app: held.app, at: now)
    switch fate.state {
    case .held, .asked:
      try connection.run(
        "UPDATE notification SET state = ?, reason = ?, until = ?, presentation = ? WHERE number = ?",
        .text(fate.state.rawValue), .optional(fate.reason), .optional(fate.until?.milliseconds),
        .integer(Int64(fate.options.rawValue)), .integer(held.number))
      guard fate.state == .asked, let asked = try notification(held.number) else { return [] }
      return [.notification(asked)]
    case .delivered, .suppressed: return try present(held, fate.options, reason: fate.reason, at: now)
    }
  }

  /// Takes the answer of a foreground client.
  ///
  /// - Parameters:
  ///   - number: Of the notification.
  ///   - options: How it is shown, no more than it would be without it; nil where the client has gone, so that the app is not in the
  ///     foreground any more.
  ///   - now: The time.
  /// - Returns: What has happened; nil where it was shown already.
  /// - Throws: What the database says.
  func answerPresentation(
    _ number: Int64, _ options: PresentationOptions?, at now: Moment
  ) throws -> CentreEvent? {
    guard let asked = try notification(number), asked.state == .asked else { return nil }
    let shown = options.map(asked.presentation.intersection) ?? asked.presentation
    return try present(asked, shown, reason: shown.isEmpty ? "foreground" : nil, at: now).first
  }

  /// Shows all that a client was asked about which has gone.
  func presentAsked(at now: Moment) throws -> [CentreEvent] {
    var events: [CentreEvent] = []
    for asked in try waiting("n.\(Self.isWaiting) AND n.state = 'asked'", []) {
      events += try present(asked, asked.presentation, reason: nil, at: now)
    }
    return events
  }

  /// Shows what a foreground client has said nothing about, or does not.
  private func presentUnanswered(_ asked: StoredNotification, at now: Moment) throws -> [CentreEvent] {
    try present(
      asked, settings.showsUnanswered ? asked.presentation : [],
      reason: settings.showsUnanswered ? nil : "unanswered", at: now)
  }

  private func present(
    _ held: StoredNotification, _ options: PresentationOptions, reason: String?, at now: Moment
  ) throws -> [CentreEvent] {
    let state: StoredNotification.State = options.isEmpty ? .suppressed : .delivered
    try connection.run(
      "UPDATE notification SET state = ?, reason = ?, until = NULL, presentation = ?, at = ? WHERE number = ?",
      .text(state.rawValue), .optional(reason), .integer(Int64(options.rawValue)),
      .integer(now.utc.milliseconds), .integer(held.number))
    if state == .delivered { try list(held.app, options, held.content.badge) }
    guard let shown = try notification(held.number) else { return [] }
    if state == .delivered { try outbox?.fill(shown, at: now) }
    return [.notification(shown)]
  }
}
