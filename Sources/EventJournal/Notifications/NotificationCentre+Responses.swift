package import FencelineCivilTime
internal import FencelineJSONText
package import FencelineNotifying
internal import FencelineSQLiteStore

/// What a response has led to.
package struct RespondedNotification: Hashable, Sendable {
  /// The notification.
  package var notification: StoredNotification
  /// The action that was taken; nil for those that every notification has.
  package var action: NotificationAction?
  /// The response; nil where the app does not want to know of it.
  package var response: Int64?
  /// When it comes again; nil where it does not.
  package var again: Timestamp?
}

/// A command that is to be run for a response.
package struct ResponseCommand: Hashable, Sendable {
  /// The program and its arguments.
  package var command: [String]
  /// What was answered.
  package var response: NotificationResponse
}

extension NotificationCentre {
  /// The notification that somebody means.
  ///
  /// - Parameters:
  ///   - name: The identifier of its request, or its number.
  ///   - app: Whose; nil is the command line's own, and any for a number.
  /// - Returns: The latest that is shown; nil where none is.
  /// - Throws: ``JournalError``.
  package func listed(_ name: String, of app: String?) throws -> StoredNotification? {
    try journal.perform { try listedNow(name, of: app) }
  }

  private func listedNow(_ name: String, of app: String?) throws -> StoredNotification? {
    try connection.rows(
      """
      SELECT \(StoredNotification.columns) FROM \(StoredNotification.tables)
      WHERE n.removed IS NULL AND n.state = 'delivered'
        AND (n.id = ?2 AND n.app = coalesce(?1, '\(NotificationRequest.ownApp)') OR n.number = ?3 AND n.app = coalesce(?1, n.app))
      ORDER BY n.id = ?2 DESC, n.number DESC LIMIT 1
      """, [.optional(app), .text(name), Int64(name).map(SQLiteValue.integer) ?? .null]
    ) { StoredNotification($0) }.first
  }

  /// Takes a user's answer; the notification leaves the list.
  ///
  /// - Parameters:
  ///   - name: The identifier of its request, or its number.
  ///   - app: Whose; nil is the command line's own, and any for a number.
  ///   - action: `default`, `dismiss`, or one of its category.
  ///   - text: What the user has written; needed where the action asks for it.
  ///   - now: The time.
  /// - Returns: What it has led to; nil where no such notification is listed.
  /// - Throws: `NotificationError` where there is no such action, ``JournalError``: then nothing has changed.
  package func respond(
    to name: String, of app: String?, _ action: String, text: String? = nil, at now: Moment
  ) throws -> RespondedNotification? {
    try operate {
      guard let notification = try listedNow(name, of: app) else { return nil }
      return try respond(to: notification, action, text, at: now)
    }
  }

  /// Takes a user's answer to the notification of a number, as ``respond(to:of:_:text:at:)`` does.
  ///
  /// - Returns: What it has led to; nil where it is not listed any more.
  /// - Throws: `NotificationError` where there is no such action, ``JournalError``: then nothing has changed.
  package func respond(
    toNumber number: Int64, _ action: String, text: String? = nil, at now: Moment
  ) throws -> RespondedNotification? {
    try operate {
      let listed = try connection.rows(
        """
        SELECT \(StoredNotification.columns) FROM \(StoredNotification.tables)
        WHERE n.number = ? AND n.removed IS NULL AND n.state = 'delivered'
        """, [.integer(number)]
      ) { StoredNotification($0) }.first
      return try listed.flatMap { try respond(to: $0, action, text, at: now) }
    }
  }

  /// Within a transaction.
  private func respond(
    to notification: StoredNotification, _ action: String, _ text: String?, at now: Moment
  ) throws -> RespondedNotification? {
    let app = notification.app
    let category = try category(notification.content.categoryIdentifier, of: app)
    let known = category?.actions.first { $0.identifier == action }
    try check(action, known, category, text)
    var result = RespondedNotification(notification: notification, action: known)
    try connection.run(
      "UPDATE notification SET removed = ?1, read = 1 WHERE number = ?2", .integer(now.utc.milliseconds),
      .integer(notification.number))
    try recount(app)
    guard action != NotificationAction.dismiss || category?.customDismissAction == true else {
      return result
    }
    let isBuiltIn = category.map { NotificationCategory.builtIn.contains($0) } ?? false
    if isBuiltIn, action == NotificationAction.snooze { result.again = try snooze(notification, at: now) }
    // What the centre itself has seen to needs nobody's attention any more.
    let isSettled =
      isBuiltIn && action != NotificationAction.reply && action != NotificationAction.defaultAction
    let command = known?.command ?? []
    try connection.run(
      """
      INSERT INTO response (app, id, notification, action, text, at, acknowledged, command) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(app), .text(notification.identifier), .integer(notification.number), .text(action),
      .optional(text), .integer(now.utc.milliseconds), isSettled ? .integer(now.utc.milliseconds) : .null,
      command.isEmpty ? .null : .text(JSONValue.array(command.map(JSONValue.text)).line))
    result.response = connection.lastInsertedRow
    return result
  }

  private func check(
    _ action: String, _ known: NotificationAction?, _ category: NotificationCategory?, _ text: String?
  ) throws(NotificationError) {
    let common = [NotificationAction.defaultAction, NotificationAction.dismiss]
    guard known != nil || common.contains(action) else {
      let names = ((category?.actions.map(\.identifier) ?? []) + common).map { "'\($0)'" }
      throw NotificationError(
        .notificationInvalidNoContent,
        "The notification has no action '\(action)'. There are \(names.joined(separator: ", ")).")
    }
    if known?.textInput != nil, text == nil {
      throw NotificationError(
        .notificationInvalidNoContent, "The action '\(action)' asks for a text. Give it with --text.")
    }
    if text != nil, known?.textInput == nil {
      throw NotificationError(
        .notificationInvalidNoContent, "The action '\(action)' takes no text. Leave --text out.")
    }
    if let text, text.utf8.count > NotificationContent.mostBytes {
      throw NotificationError(
        .notificationInvalidNoContent,
        "The text is longer than \(NotificationContent.mostBytes) bytes. Shorten it.")
    }
  }

  /// Lets a notification come again in a while.
  private func snooze(_ notification: StoredNotification, at now: Moment) throws -> Timestamp? {
    // One that is pending under its name is not lost.
    let isTaken = try stored(notification.identifier, of: notification.app) != nil
    let suffix = "/snoozed"
    var name = notification.identifier
    if isTaken, !name.hasSuffix(suffix) {
      while name.utf8.count + suffix.utf8.count > 200 { name.removeLast() }
      name += suffix
    }
    let request = NotificationRequest(
      app: notification.app, identifier: name,
      content: notification.content,
      trigger: .interval(IntervalTrigger(seconds: NotificationAction.snoozeInterval)))
    return try insert(request, at: now).due
  }

  /// Responses that nobody has acknowledged yet, oldest first.
  package func responses(of app: String? = nil) throws -> [NotificationResponse] {
    try journal.perform {
      try connection.rows(
        """
        SELECT number, app, id, notification, action, text, at FROM response
        WHERE acknowledged IS NULL AND (?1 IS NULL OR app = ?1) ORDER BY number
        """, [.optional(app)]
      ) { Self.response($0) }
    }
  }

  private static func response(_ row: Statement) -> NotificationResponse {
    NotificationResponse(
      number: row.integer(0), app: row.text(1), request: row.text(2), notification: row.integer(3),
      action: row.text(4), text: row.optionalText(5), at: Timestamp(milliseconds: row.integer(6)))
  }

  /// Acknowledges responses: nobody is told of them again.
  ///
  /// - Parameters:
  ///   - numbers: Which; nil is all of the app.
  ///   - app: Whose; nil is any where numbers are given, else the command line's own.
  ///   - now: The time.
  /// - Returns: Those that wait for no acknowledgement; the others do no longer.
  /// - Throws: ``JournalError``.
  package func acknowledge(_ numbers: [Int64]?, of app: String?, at now: Moment) throws -> [Int64] {
    try operate {
      guard let numbers else {
        try connection.run(
          "UPDATE response SET acknowledged = ? WHERE app = ? AND acknowledged IS NULL",
          .integer(now.utc.milliseconds), .text(app ?? NotificationRequest.ownApp))
        return []
      }
      var missing: [Int64] = []
      for number in numbers {
        let count = try connection.run(
          "UPDATE response SET acknowledged = ?1 WHERE number = ?2 AND (?3 IS NULL OR app = ?3) AND acknowledged IS NULL",
          .integer(now.utc.milliseconds), .integer(number), .optional(app))
        if count == 0 { missing.append(number) }
      }
      return missing
    }
  }

  /// Commands of responses that have not ended yet, oldest first.
  package func commands() throws -> [ResponseCommand] {
    try journal.perform {
      try connection.rows(
        """
        SELECT number, app, id, notification, action, text, at, command FROM response
        WHERE command IS NOT NULL AND status IS NULL ORDER BY number LIMIT 100
        """
      ) { row in
        let words = (try? JSONNode(parsing: row.text(7).utf8))?.elements ?? []
        return ResponseCommand(command: words.compactMap(\.text), response: Self.response(row))
      }
    }
  }

  /// Records how the command of a response has ended.
  package func endCommand(of response: Int64, _ status: String) throws {
    try operate {
      try connection.run("UPDATE response SET status = ? WHERE number = ?", .text(status), .integer(response))
    }
  }
}
