internal import FencelineCivilTime
internal import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineNotifying
internal import FencelineSQLiteStore

extension NotificationCentre {
  /// A notification that is about to be delivered.
  struct Draft {
    var app: String
    var identifier: String
    var content: NotificationContent
    /// The number of its request and the occurrence; nil where it comes from a region.
    var request: Int64?
    var key: Int64?
    var due: Timestamp
    var crossing: CrossingPlace?
    /// What keeps it from being shown, whatever the user allows.
    var suppression: String?

    init(_ stored: StoredRequest, _ occurrence: Occurrence) {
      app = stored.request.app
      identifier = stored.request.identifier
      content = stored.request.content
      request = stored.number
      key = occurrence.key
      due = occurrence.at
    }

    init(app: String, identifier: String, content: NotificationContent, due: Timestamp) {
      self.app = app
      self.identifier = identifier
      self.content = content
      self.due = due
    }
  }

  /// The crossing that a notification tells of.
  struct CrossingPlace {
    /// nil where a device is inside a region when the request is made.
    var run: Int64?
    var sequence: Int64?
    var region: StoredRegion?
    var device: String
    var kind: Crossing.Kind
    var at: Timestamp
    var confirmedAt: Timestamp
    /// When the visit began; nil where it is not known.
    var entered: Timestamp?
  }

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
      var content = draft.content.filled { value(of: $0, draft, at: now) }
      let permission = try permission(of: draft.app)
      let summary = permission.options.contains(.summary) ? settings.nextSummary(after: now.utc) : nil
      var (state, reason, until, options) = (
        StoredNotification.State.suppressed, draft.suppression, Timestamp?.none, PresentationOptions()
      )
      if reason == nil {
        switch Presentation(
          content, app: draft.app, permission, focuses: focuses, summary: summary, at: now.utc)
        {
        case .suppressed: reason = "permission"
        case .heldByFocus(let name): (state, reason) = (.held, "focus:\(name)")
        case .heldForSummary(let time): (state, reason, until) = (.held, "summary", time)
        case .shown(let shown) where settings.isForeground(draft.app):
          (state, options) = (.asked, shown)
          until = Timestamp(milliseconds: now.utc.milliseconds + settings.presentationDeadline)
        case .shown(let shown): (state, options) = (.delivered, shown)
        }
      }
      let shownLevel =
        permission.status(at: now.utc) == .provisional
        ? .passive : permission.level(content.interruptionLevel)
      if state != .suppressed { content.interruptionLevel = shownLevel }
      let place = draft.crossing
      let isNew = try connection.run(
        """
        INSERT OR IGNORE INTO notification (app, id, request, key, content, due, at, run, sequence, region, device, crossed,
          state, reason, until, presentation, read) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
        """,
        .text(draft.app), .text(draft.identifier), .optional(draft.request), .optional(draft.key),
        .text(content.json.line), .integer(draft.due.milliseconds), .integer(now.utc.milliseconds),
        .optional(place?.run), .optional(place?.sequence), .optional(place?.region?.number),
        .optional(place?.device), .optional(place?.confirmedAt.milliseconds), .text(state.rawValue),
        .optional(reason), .optional(until?.milliseconds), .integer(Int64(options.rawValue)))
      guard isNew > 0 else { continue }
      let number = connection.lastInsertedRow
      if state == .delivered {
        try list(number, draft.app, draft.identifier, options, content.badge, since: before, at: now)
      }
      if let stored = try notification(number) { events.append(.notification(stored)) }
    }
    return events
  }

  /// Puts a notification into the list that is shown from now on.
  ///
  /// - Parameter before: Those of its request up to this number leave the list.
  private func list(
    _ number: Int64, _ app: String, _ identifier: String, _ options: PresentationOptions, _ badge: Int?,
    since before: Int64, at now: Moment
  ) throws {
    try connection.run(
      """
      UPDATE notification SET removed = ?1 WHERE app = ?2 AND id = ?3 AND number <= ?4 AND number <> ?5 AND removed IS NULL
        AND state = 'delivered'
      """, .integer(now.utc.milliseconds), .text(app), .text(identifier), .integer(before), .integer(number))
    if !options.contains(.list) {
      try connection.run(
        "UPDATE notification SET removed = ? WHERE number = ?", .integer(now.utc.milliseconds),
        .integer(number))
    }
    if options.contains(.badge), let badge {
      try connection.run(
        "UPDATE app SET badge = ? WHERE id = ? AND NOT counts", .integer(Int64(badge)), .text(app))
    }
    try recount(app)
  }

  /// A notification by its number.
  func notification(_ number: Int64) throws -> StoredNotification? {
    try connection.rows(
      "SELECT \(StoredNotification.columns) FROM \(StoredNotification.tables) WHERE n.number = ?",
      [.integer(number)]
    ) { StoredNotification($0) }.first
  }

  /// Shows what was held back and is no longer, and what nobody has answered in time; within a transaction of the caller's.
  func release(at now: Moment) throws -> [CentreEvent] {
    let waiting = try connection.rows(
      """
      SELECT \(StoredNotification.columns) FROM \(StoredNotification.tables)
      WHERE n.state IN ('asked', 'held') AND (n.until IS NULL OR n.until <= ?) ORDER BY n.number LIMIT 1000
      """, [.integer(now.utc.milliseconds)]
    ) { StoredNotification($0) }
    guard !waiting.isEmpty else { return [] }
    var events: [CentreEvent] = []
    let focuses = try activeFocuses(at: now.utc).map(\.focus)
    // What matters most comes first; what matters as much, in its order.
    let ordered = waiting.enumerated().sorted { a, b in
      (-a.element.content.relevanceScore, a.offset) < (-b.element.content.relevanceScore, b.offset)
    }.map(\.element)
    for held in ordered {
      if held.state == .asked {
        if let event = try presentUnanswered(held, at: now) { events.append(event) }
        continue
      }
      let permission = try permission(of: held.app)
      // The summary has come; the next one is not waited for.
      switch Presentation(
        held.content, app: held.app, permission, focuses: focuses, summary: nil, at: now.utc)
      {
      case .heldByFocus(let name):
        guard held.reason != "focus:\(name)" else { continue }
        try connection.run(
          "UPDATE notification SET reason = ?, until = NULL WHERE number = ?", .text("focus:\(name)"),
          .integer(held.number))
      case .shown(let options):
        if let event = try present(held, options, reason: nil, at: now) { events.append(event) }
      case .suppressed, .heldForSummary:
        if let event = try present(held, [], reason: "permission", at: now) { events.append(event) }
      }
    }
    return events
  }

  /// Takes the answer of a foreground client; within a transaction of the caller's.
  ///
  /// - Parameters:
  ///   - number: Of the notification.
  ///   - options: How it is shown, no more than it would be without it; nil where there is no answer.
  ///   - now: The time.
  /// - Returns: What has happened; nil where it was shown already.
  func answerPresentation(_ number: Int64, _ options: PresentationOptions?, at now: Moment) throws
    -> CentreEvent?
  {
    guard let asked = try notification(number), asked.state == .asked else { return nil }
    guard let options else { return try presentUnanswered(asked, at: now) }
    return try present(
      asked, asked.presentation.intersection(options), reason: options.isEmpty ? "foreground" : nil, at: now)
  }

  /// Shows what a foreground client has said nothing about, or does not.
  private func presentUnanswered(_ asked: StoredNotification, at now: Moment) throws -> CentreEvent? {
    try present(
      asked, settings.showsUnanswered ? asked.presentation : [],
      reason: settings.showsUnanswered ? nil : "unanswered", at: now)
  }

  private func present(
    _ held: StoredNotification, _ options: PresentationOptions, reason: String?, at now: Moment
  ) throws -> CentreEvent? {
    let state: StoredNotification.State = options.isEmpty ? .suppressed : .delivered
    try connection.run(
      "UPDATE notification SET state = ?, reason = ?, until = NULL, presentation = ?, at = ? WHERE number = ?",
      .text(state.rawValue), .optional(reason), .integer(Int64(options.rawValue)),
      .integer(now.utc.milliseconds), .integer(held.number))
    if state == .delivered {
      try list(
        held.number, held.app, held.identifier, options, held.content.badge, since: held.number, at: now)
    }
    return try notification(held.number).map(CentreEvent.notification)
  }
}
