package import FencelineCivilTime
package import FencelineNotifying
internal import FencelineSQLiteStore

/// An app as the centre knows it.
package struct StoredApp: Hashable, Sendable {
  /// Its identifier.
  package var id: String
  /// What it may do.
  package var permission: AppPermission
  /// What it has asked for.
  package var requested: AppPermission.Options
  /// What it says that it needs that for; nil where it does not.
  package var usage: String?
  /// When the user was to be asked and nobody was there; nil where nothing waits for an answer.
  package var asked: Timestamp?
  /// Its badge.
  package var badge: Int
  /// Whether the badge is how many are delivered and not read.
  package var countsUnread: Bool
}

extension NotificationCentre {
  /// Every app that has asked for permission, by its identifier.
  package func apps() throws -> [StoredApp] {
    try journal.perform { try apps("1 ORDER BY id", []) }
  }

  /// An app; nil where it has never asked for anything.
  package func app(_ id: String) throws -> StoredApp? {
    try journal.perform { try apps("id = ?", [.text(id)]).first }
  }

  func apps(_ condition: String, _ values: [SQLiteValue]) throws -> [StoredApp] {
    try connection.rows(
      """
      SELECT id, status, options, requested, entitled, expires, usage, asked, badge, counts FROM app
      WHERE \(condition)
      """, values
    ) { row in
      let permission = AppPermission(
        status: AppPermission.Status(rawValue: row.text(1)) ?? .notDetermined,
        options: .init(rawValue: Int(truncatingIfNeeded: row.integer(2))),
        isEntitledToCritical: row.integer(4) != 0, expires: row.optionalInteger(5).map(Timestamp.init))
      return StoredApp(
        id: row.text(0), permission: permission,
        requested: .init(rawValue: Int(truncatingIfNeeded: row.integer(3))), usage: row.optionalText(6),
        asked: row.optionalInteger(7).map(Timestamp.init), badge: Int(clamping: row.integer(8)),
        countsUnread: row.integer(9) != 0)
    }
  }

  func permission(of app: String) throws -> AppPermission {
    try apps("id = ?", [.text(app)]).first?.permission ?? AppPermission()
  }

  func check(_ permission: AppPermission, of app: String, at now: Moment) throws(NotificationError) {
    switch permission.status(at: now.utc) {
    case .authorized, .provisional, .ephemeral: return
    case .denied:
      throw NotificationError(
        .notificationsNotAllowed,
        "'\(app)' may not notify: that was refused. Change it with 'fenceline permission allow \(app)'.")
    case .notDetermined:
      throw NotificationError(
        .notificationsNotAllowed,
        "'\(app)' may not notify yet: nobody has said so. Ask with 'fenceline permission request \(app)'.")
    }
  }

  /// What an app's request for permission leads to.
  package enum PermissionRequest: Hashable, Sendable {
    /// The answer is known; nobody is asked again.
    case known(AppPermission.Status)
    /// The user is to be asked, and what is answered given to ``answerPermission(of:isAllowed:at:)``.
    case ask(StoredApp)
  }

  /// Notes that an app asks for permission.
  ///
  /// - Parameters:
  ///   - app: Which.
  ///   - options: What it wants to do.
  ///   - usage: What it needs that for, for the user to read; nil where it does not say.
  ///   - now: The time.
  /// - Returns: What is to be done.
  /// - Throws: ``JournalError``.
  package func requestPermission(
    of app: String, _ options: AppPermission.Options, usage: String?, at now: Moment
  ) throws -> PermissionRequest {
    try operate {
      let wanted = options.isEmpty ? AppPermission.Options.usual : options
      let known = try apps("id = ?", [.text(app)]).first
      let status = known?.permission.status(at: now.utc) ?? .notDetermined
      let isProvisional = wanted.contains(.provisional)
      guard status == .notDetermined || (status == .provisional && !isProvisional) else {
        return .known(status)
      }
      try know(app)
      try connection.run(
        "UPDATE app SET requested = ?, usage = coalesce(?, usage), asked = ? WHERE id = ?",
        .integer(Int64(wanted.rawValue)), .optional(usage),
        isProvisional ? .null : .integer(now.utc.milliseconds), .text(app))
      if isProvisional {
        var permission = known?.permission ?? AppPermission()
        permission.status = .provisional
        permission.options = wanted.union(.list)
        permission.expires = nil
        try save(permission, of: app)
        return .known(.provisional)
      }
      guard let stored = try apps("id = ?", [.text(app)]).first else { return .known(status) }
      return .ask(stored)
    }
  }

  /// Takes the user's answer, for good or until it is changed.
  ///
  /// - Parameters:
  ///   - app: Which.
  ///   - isAllowed: The answer.
  ///   - until: When a permission ends that is only for a time; nil is never.
  /// - Returns: What holds from now on.
  /// - Throws: ``JournalError``.
  @discardableResult
  package func answerPermission(of app: String, isAllowed: Bool, until: Timestamp? = nil) throws
    -> AppPermission
  {
    try operate {
      try know(app)
      var permission = try permission(of: app)
      let requested = try apps("id = ?", [.text(app)]).first?.requested ?? []
      permission.answer(requested.isEmpty ? .usual : requested, isAllowed: isAllowed)
      if isAllowed, let until {
        permission.status = .ephemeral
        permission.expires = until
      }
      try save(permission, of: app)
      try connection.run("UPDATE app SET asked = NULL WHERE id = ?", .text(app))
      return permission
    }
  }

  /// Changes what an app may do.
  ///
  /// - Parameters:
  ///   - app: Which.
  ///   - change: What to change.
  /// - Returns: What holds from now on; nil where there is no such app.
  /// - Throws: ``JournalError``.
  package func changePermission(of app: String, _ change: (inout AppPermission) -> Void) throws
    -> AppPermission?
  {
    try operate {
      guard var permission = try apps("id = ?", [.text(app)]).first?.permission else { return nil }
      change(&permission)
      try save(permission, of: app)
      return permission
    }
  }

  /// Forgets an app's permission, so that it is asked for anew.
  ///
  /// - Returns: Whether there was such an app.
  /// - Throws: ``JournalError``.
  package func resetPermission(of app: String) throws -> Bool {
    try operate {
      if app == NotificationRequest.ownApp {
        try save(.ownApp, of: app)
        return true
      }
      return try connection.run(
        "UPDATE app SET status = 'not determined', options = 0, expires = NULL, asked = NULL WHERE id = ?",
        .text(app)) > 0
    }
  }

  /// Makes a row for an app that has none.
  private func know(_ app: String) throws {
    guard !app.isEmpty, app.utf8.count <= 200 else {
      throw NotificationError(
        .notificationInvalidNoContent, "The name of the app must have 1 to 200 bytes. Give it another one.")
    }
    try connection.run(
      "INSERT OR IGNORE INTO app VALUES (?, 'not determined', 0, 0, 0, NULL, NULL, NULL, 0, 0)", .text(app))
  }

  private func save(_ permission: AppPermission, of app: String) throws {
    try connection.run(
      "UPDATE app SET status = ?, options = ?, entitled = ?, expires = ? WHERE id = ?",
      .text(permission.status.rawValue), .integer(Int64(permission.options.rawValue)),
      .boolean(permission.isEntitledToCritical), .optional(permission.expires?.milliseconds), .text(app))
  }
}

/// Badges.
extension NotificationCentre {
  /// Sets an app's badge.
  ///
  /// - Throws: `NotificationError` below 0, ``JournalError``.
  package func setBadge(_ badge: Int, of app: String) throws {
    try NotificationError.check(badge: badge)
    try operate {
      try know(app)
      try connection.run(
        "UPDATE app SET badge = ?, counts = 0 WHERE id = ?", .integer(Int64(badge)), .text(app))
    }
  }

  /// Lets an app's badge be how many of its notifications are delivered and not read.
  ///
  /// - Throws: ``JournalError``.
  package func countUnread(of app: String) throws {
    try operate {
      try know(app)
      try connection.run("UPDATE app SET counts = 1 WHERE id = ?", .text(app))
      try recount(app)
    }
  }

  /// Counts what is delivered and not read, where the badge is that.
  func recount(_ app: String) throws {
    try connection.run(
      """
      UPDATE app SET badge = (SELECT count(*) FROM notification WHERE app = ?1 AND removed IS NULL AND state = 'delivered'
        AND NOT read AND \(Self.isListed)) WHERE id = ?1 AND counts
      """, .text(app))
  }
}
