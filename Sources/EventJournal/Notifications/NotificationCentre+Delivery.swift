internal import FencelineCivilTime
internal import FencelineJSONText
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// How what is due reaches the list; within a transaction of the caller's.
extension NotificationCentre {
  /// Delivers what has become due together: shows it, holds it back, or records why it is not shown.
  ///
  /// An occurrence that was delivered before is passed over. What is delivered takes the place of what its request has delivered before.
  ///
  /// - Returns: What has happened, in order.
  func deliver(_ drafts: [Draft], at now: Moment) throws -> [CentreEvent] {
    guard !drafts.isEmpty else { return [] }
    var events: [CentreEvent] = []
    let focuses = try activeFocuses(at: now.utc).map(\.focus)
    let before = try connection.rows("SELECT coalesce(max(number), 0) FROM notification") { $0.integer(0) }[0]
    for draft in drafts {
      let permission = try permission(of: draft.app)
      var content = draft.content.filled { value(of: $0, draft, at: now) }
      let fate = fate(of: content, draft, permission, focuses, at: now)
      if fate.state != .suppressed {
        let isProvisional = permission.status(at: now.utc) == .provisional
        content.interruptionLevel = isProvisional ? .passive : permission.level(content.interruptionLevel)
        content.sound = permission.sound(content.sound, at: content.interruptionLevel)
      }
      let place = draft.crossing
      let isNew = try connection.run(
        """
        INSERT OR IGNORE INTO notification (app, id, request, key, content, due, at, run, sequence, region, device, crossed,
          state, reason, until, presentation, read) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
        """,
        .text(draft.app), .text(draft.identifier), .optional(draft.request), .optional(draft.key),
        .text(content.json.line), .integer(draft.due.milliseconds), .integer(now.utc.milliseconds),
        .optional(place?.run), .optional(place?.sequence), .optional(place?.region?.number),
        .optional(place?.device), .optional(place?.confirmedAt.milliseconds), .text(fate.state.rawValue),
        .optional(fate.reason), .optional(fate.until?.milliseconds), .integer(Int64(fate.options.rawValue)))
      guard isNew > 0 else { continue }
      let number = connection.lastInsertedRow
      if fate.state != .suppressed { try supersede(draft.app, draft.identifier, upTo: before, at: now) }
      if fate.state == .delivered { try list(draft.app, fate.options, content.badge) }
      guard let stored = try notification(number) else { continue }
      if fate.state == .delivered { try outbox?.fill(stored, at: now) }
      events.append(.notification(stored))
    }
    return events
  }

  /// What becomes of a notification.
  struct Fate {
    var state: StoredNotification.State
    var reason: String?
    var until: Timestamp?
    var options: PresentationOptions = []
  }

  private func fate(
    of content: NotificationContent, _ draft: Draft, _ permission: AppPermission, _ focuses: [Focus],
    at now: Moment
  ) -> Fate {
    if let reason = draft.suppression { return Fate(state: .suppressed, reason: reason) }
    let summary = permission.options.contains(.summary) ? settings.nextSummary(after: now.utc) : nil
    let presentation = Presentation(
      content, app: draft.app, permission, focuses: focuses, summary: summary, at: now.utc)
    return fate(presentation, app: draft.app, at: now)
  }

  func fate(_ presentation: Presentation, app: String, at now: Moment) -> Fate {
    switch presentation {
    case .suppressed: return Fate(state: .suppressed, reason: "permission")
    case .heldByFocus(let name): return Fate(state: .held, reason: "focus:\(name)")
    case .heldForSummary(let time): return Fate(state: .held, reason: "summary", until: time)
    case .shown(let options):
      guard settings.isForeground(app) else { return Fate(state: .delivered, options: options) }
      let deadline = Timestamp(milliseconds: now.utc.milliseconds + settings.presentationDeadline)
      return Fate(state: .asked, until: deadline, options: options)
    }
  }

  /// Takes away what a request has delivered before, and what of it is held back.
  private func supersede(_ app: String, _ identifier: String, upTo number: Int64, at now: Moment) throws {
    let values: [SQLiteValue] = [
      .text(app), .text(identifier), .integer(number), .integer(now.utc.milliseconds),
    ]
    let own = "app = ?1 AND id = ?2 AND number <= ?3 AND removed IS NULL"
    let count =
      try connection.rows(
        "SELECT count(*) FROM notification WHERE \(own) AND state = 'delivered' AND \(Self.isListed)",
        Array(values.prefix(3))
      ) { $0.integer(0) }.first ?? 0
    try connection.statement(
      """
      UPDATE notification SET removed = ?4,
        reason = CASE WHEN state = 'delivered' THEN reason ELSE 'replaced' END,
        until = CASE WHEN state = 'delivered' THEN until END,
        state = CASE WHEN state = 'delivered' THEN state ELSE 'suppressed' END
      WHERE \(own) AND state <> 'suppressed'
      """
    ).run(values)
    if count > 0 {
      try connection.run(
        "UPDATE app SET badge = max(0, badge - ?) WHERE id = ? AND counts", .integer(count), .text(app))
    }
  }

  /// Whether a row of the table of notifications stands in the list.
  static let isListed = "presentation & \(PresentationOptions.list.rawValue)"

  /// Sets the badge for a notification that is shown from now on.
  func list(_ app: String, _ options: PresentationOptions, _ badge: Int?) throws {
    if options.contains(.list) {
      try connection.run(
        "UPDATE app SET badge = min(badge + 1, 1000000000) WHERE id = ? AND counts", .text(app))
    }
    if options.contains(.badge), let badge {
      try connection.run(
        "UPDATE app SET badge = ? WHERE id = ? AND NOT counts", .integer(Int64(badge)), .text(app))
    }
  }

  /// A notification by its number.
  func notification(_ number: Int64) throws -> StoredNotification? {
    try connection.rows(
      "SELECT \(StoredNotification.columns) FROM \(StoredNotification.tables) WHERE n.number = ?",
      [.integer(number)]
    ) { StoredNotification($0) }.first
  }
}
