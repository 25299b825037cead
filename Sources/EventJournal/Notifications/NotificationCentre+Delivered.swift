internal import FencelineCivilTime
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// Which notifications a listing is about.
package enum DeliveredScope: Hashable, Sendable {
  /// Those that are shown to the user.
  case listed
  /// Those that are held back.
  case held
  /// All that have become due, also those that were removed or never shown.
  case all
}

extension NotificationCentre {
  /// Notifications that have become due, oldest first, told one by one.
  ///
  /// - Parameters:
  ///   - scope: Which.
  ///   - app: Whose; nil is all.
  ///   - limit: How many of the latest; nil is all.
  ///   - body: Told each.
  /// - Throws: ``JournalError``.
  package func delivered(
    _ scope: DeliveredScope, of app: String? = nil, limit: Int? = nil,
    _ body: (StoredNotification) throws -> Void
  ) throws {
    let state =
      switch scope {
      case .listed: "n.state = 'delivered' AND n.removed IS NULL AND n.\(Self.isListed)"
      case .held: "n.state IN ('held', 'asked')"
      case .all: "1"
      }
    // A replay that is not complete is seen by nobody.
    let condition =
      "\(state) AND (n.run IS NULL OR EXISTS (SELECT 1 FROM run u WHERE u.id = n.run AND u.visible))"
    var number: Int64 = 0
    if let limit {
      number = try journal.perform {
        try connection.rows(
          """
          SELECT min(number) FROM (SELECT n.number FROM notification n WHERE (?1 IS NULL OR n.app = ?1) AND \(condition)
            ORDER BY n.number DESC LIMIT ?2)
          """, [.optional(app), .integer(Int64(limit))]
        ) { $0.optionalInteger(0).map { $0 - 1 } ?? .max }[0]
      }
    }
    while true {
      let page = try journal.perform {
        try connection.rows(
          """
          SELECT \(StoredNotification.columns) FROM \(StoredNotification.tables)
          WHERE (?1 IS NULL OR n.app = ?1) AND n.number > ?2 AND \(condition) ORDER BY n.number LIMIT 1000
          """, [.optional(app), .integer(number)]
        ) { StoredNotification($0) }
      }
      guard let last = page.last else { return }
      for notification in page { try body(notification) }
      number = last.number
    }
  }

  /// Takes notifications out of the list; what is pending stays.
  ///
  /// - Parameters:
  ///   - names: Identifiers of requests, else numbers of notifications.
  ///   - app: Whose; nil is the command line's own, and any for a number.
  ///   - now: The time.
  /// - Returns: Those that are not in the list; the others are gone.
  /// - Throws: ``JournalError``.
  package func removeDelivered(_ names: [String], of app: String?, at now: Moment) throws -> [String] {
    try operate {
      var missing: [String] = []
      for name in names {
        let byName = "app = ?2 AND id = ?3"
        var removed = try take(
          byName, now, [.text(app ?? NotificationRequest.ownApp), .text(name)])
        if removed == 0, let number = Int64(name) {
          removed = try take(
            "(?2 IS NULL OR app = ?2) AND number = ?3", now, [.optional(app), .integer(number)])
        }
        if removed == 0 { missing.append(name) }
      }
      return missing
    }
  }

  /// Empties the list of an app; what is pending stays.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``JournalError``.
  package func removeAllDelivered(of app: String, at now: Moment) throws -> Int {
    try operate { try take("app = ?2", now, [.text(app)]) }
  }

  /// What was removed before it was shown never is.
  private func take(_ condition: String, _ now: Moment, _ values: [SQLiteValue]) throws -> Int {
    let own = "\(condition) AND removed IS NULL AND state IN ('delivered', 'held', 'asked')"
    let apps = try connection.rows(
      "SELECT DISTINCT app FROM notification WHERE \(own) AND ?1 IS NOT NULL",
      [.integer(now.utc.milliseconds)] + values
    ) { $0.text(0) }
    guard !apps.isEmpty else { return 0 }
    let count =
      try connection.rows(
        "SELECT count(*) FROM notification WHERE \(own) AND ?1 IS NOT NULL",
        [.integer(now.utc.milliseconds)] + values
      ) { Int($0.integer(0)) }.first ?? 0
    try connection.statement(
      """
      UPDATE notification SET removed = ?1, until = NULL,
        reason = CASE WHEN state = 'delivered' THEN reason ELSE 'removed' END,
        state = CASE WHEN state = 'delivered' THEN state ELSE 'suppressed' END
      WHERE \(own)
      """
    ).run([.integer(now.utc.milliseconds)] + values)
    for app in apps { try recount(app) }
    return count
  }

  /// Takes away what has been over for long, some at a time; within a transaction of the caller's.
  ///
  /// - Parameters:
  ///   - time: What became due before.
  ///   - now: The time: what is ahead of it was delivered before the clock was put back, and must be known.
  /// - Returns: Whether there may be more.
  /// - Throws: What the database says.
  func prune(before time: Timestamp, at now: Moment) throws -> Bool {
    let most = 1000
    let count = try connection.run(
      """
      DELETE FROM notification WHERE number IN (SELECT n.number FROM notification n
        WHERE n.at < ?1 AND n.state IN ('delivered', 'suppressed') AND (n.key IS NULL OR n.due <= ?2)
          AND NOT EXISTS (SELECT 1 FROM run u WHERE u.id = n.run AND u.kind = 'replay')
          AND NOT EXISTS (SELECT 1 FROM response p WHERE p.notification = n.number AND p.acknowledged IS NULL)
          AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.notification = n.number AND d.state IN ('waiting', 'dead'))
        LIMIT \(most))
      """, .integer(time.milliseconds), .integer(now.utc.milliseconds))
    try connection.run(
      "DELETE FROM response WHERE acknowledged < ? AND (command IS NULL OR status IS NOT NULL)",
      .integer(time.milliseconds))
    try connection.run("DELETE FROM request_end WHERE at < ?", .integer(time.milliseconds))
    for app in try apps("counts", []) { try recount(app.id) }
    return count == most
  }

  /// The hashes of all attachments that something needs.
  package func attachments() throws -> Set<String> {
    try journal.perform {
      var hashes: Set<String> = []
      for table in ["request", "notification"] {
        try connection.forEachRow(
          """
          SELECT DISTINCT json_extract(a.value, '$.hash') FROM \(table) t, json_each(t.content, '$.attachments') a
          WHERE t.content LIKE '%"attachments":%'
          """
        ) { row in hashes.insert(row.text(0)) }
      }
      return hashes
    }
  }
}
