package import FencelineCivilTime
package import FencelineGeofencing
package import FencelineNotifying
internal import FencelineJSONText
internal import FencelineSQLiteStore

/// What became of a request that was added.
package struct AddedRequest: Hashable, Sendable {
  /// When it is due; nil where time does not make it due.
  package var due: Timestamp?
  /// Whether it took the place of a pending one of the same name.
  package var replaced = false
  /// Those that had to go for it, where the number of pending requests is limited.
  package var evicted: [String] = []
  /// What will not be as it was asked for: sentences.
  package var warnings: [String] = []
  /// The request as it is pending.
  package var stored: StoredRequest?
}

extension NotificationCentre {
  /// Adds a request; a pending one of the same name goes, whole.
  ///
  /// - Parameters:
  ///   - request: What is wanted.
  ///   - region: The region of its trigger, where that is made for it alone.
  ///   - now: The time.
  /// - Returns: When it is due, and what else there is to say.
  /// - Throws: `NotificationError` where it is refused, ``JournalError``: then nothing has changed.
  package func add(
    _ request: NotificationRequest, in region: Region? = nil, at now: Moment
  ) throws -> AddedRequest {
    try operate { try insert(request, in: region, at: now) }
  }

  /// Adds several requests: all of them, or none.
  ///
  /// - Parameters:
  ///   - requests: Of one app.
  ///   - names: Pending ones that go for them, beside those of the same names.
  ///   - now: The time.
  /// - Returns: What became of each.
  /// - Throws: `NotificationError` where one is refused, ``JournalError``: then nothing has changed.
  package func add(
    _ requests: [NotificationRequest], replacing names: [String], at now: Moment
  ) throws -> [AddedRequest] {
    try operate {
      var added: [AddedRequest] = []
      for name in names {
        _ = try remove([name], of: requests.first?.app ?? NotificationRequest.ownApp, at: now)
      }
      for request in requests { added.append(try insert(request, at: now)) }
      return added
    }
  }

  /// ``add(_:in:at:)`` within a transaction of the caller's.
  func insert(
    _ request: NotificationRequest, in region: Region? = nil, at now: Moment
  ) throws -> AddedRequest {
    try request.check()
    let permission = try permission(of: request.app)
    try check(permission, of: request.app, at: now)
    try check(category: request.content.categoryIdentifier, of: request.app)
    var added = AddedRequest()
    let owned = try connection.rows(
      "SELECT region FROM request WHERE app = ? AND id = ? AND owns_region",
      [.text(request.app), .text(request.identifier)]
    ) { $0.text(0) }
    var watched: String?
    if case .location(let trigger) = request.trigger { watched = trigger.region }
    added.replaced = try remove([request.identifier], of: request.app, keeping: watched, at: now) > 0
    let ownsRegion = region != nil || (watched != nil && owned.first == watched)
    if case .location(let trigger) = request.trigger {
      watched = try place(trigger, region, isOwned: owned.first == region?.id, at: now)
    }
    added.due = try firstDue(request, at: now)
    added.warnings = warnings(request, permission)
    try evict(for: request, due: added.due, at: now, into: &added.evicted)
    let interval: Bool = if case .interval = request.trigger { true } else { false }
    try connection.run(
      """
      INSERT INTO request (app, id, content, trigger, misfire, grace, past_grace, requested, boot, boot_time, due, region,
        owns_region) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(request.app), .text(request.identifier), .text(request.content.json.line),
      .text(request.trigger?.json.line ?? "null"), .text(StoredRequest.text(request.misfire.action)),
      .real(request.misfire.grace), .optional(request.pastGrace), .integer(now.utc.milliseconds),
      interval && !now.bootID.isEmpty ? .text(now.bootID) : .null,
      interval ? .integer(now.boot) : .null,
      .optional(added.due?.milliseconds), .optional(watched), .boolean(ownsRegion))
    added.stored = try stored(request.identifier, of: request.app)
    return added
  }
}

extension NotificationCentre {
  /// Sees to the region of a trigger.
  ///
  /// - Returns: Its identifier, as it is stored.
  private func place(
    _ trigger: LocationTrigger, _ region: Region?, isOwned: Bool, at now: Moment
  ) throws -> String {
    if let region {
      if let problem = region.problems().first {
        throw NotificationError(.notificationInvalidNoDate, "The region cannot be watched: \(problem)")
      }
      if let old = try journal.storedRegion(region.id) {
        guard isOwned else {
          throw NotificationError(
            .notificationInvalidNoDate,
            "There is a region '\(region.id)' already. Leave its place out to use it, or choose another name."
          )
        }
        // It was there for the request that this one replaces.
        try journal.replace(old, with: region, now.utc.milliseconds)
      } else {
        try journal.insert(region, now.utc.milliseconds)
      }
      return region.id
    }
    guard let stored = try journal.storedRegion(trigger.region) else {
      throw NotificationError(
        .notificationInvalidNoDate,
        "There is no region '\(trigger.region)', so that the trigger never fires. Add it with 'fenceline region add', or name another one."
      )
    }
    let region = stored.region
    if trigger.onDwell, !trigger.onEntry, !trigger.onExit, region.dwell.isEmpty {
      throw NotificationError(
        .notificationInvalidNoDate,
        "The region '\(region.id)' knows no dwell, so that the trigger never fires. Give it one with 'fenceline region edit \(region.id) --dwell 10m'."
      )
    }
    if let expires = region.expires, expires <= now.utc {
      throw NotificationError(
        .notificationInvalidNoDate,
        "The region '\(region.id)' has expired, so that the trigger never fires. Name another one, or change its end."
      )
    }
    return region.id
  }

  /// When a request is due for the first time.
  func firstDue(_ request: NotificationRequest, at now: Moment) throws -> Timestamp? {
    switch request.trigger {
    case nil, .push: return now.utc
    case .location(let trigger):
      guard trigger.initial, trigger.onEntry, try !devices(inside: trigger.region).isEmpty else { return nil }
      return now.utc
    case .interval, .calendar: break
    }
    guard let zone = try zone(of: request.trigger) else {
      throw NotificationError(
        .notificationInvalidNoDate,
        "There is no time zone '\(request.trigger?.zoneName ?? "")', so that the trigger never fires. One is called like Europe/Zurich."
      )
    }
    let plan = FiringPlan(request, .init(requestedAt: now.utc), at: now.utc, in: zone)
    if !plan.deliver.isEmpty { return now.utc }
    guard let next = plan.next else {
      var hint = "Choose a time to come"
      if case .calendar(let trigger) = request.trigger, trigger.repeats { hint = "Choose a later end" }
      throw NotificationError(
        .notificationInvalidNoDate,
        "The notification would never be due: all times that its trigger names are over. \(hint), or let one that is late be delivered at once (--if-past DURATION)."
      )
    }
    return next.at
  }

  func zone(of trigger: NotificationTrigger?) throws -> CivilZone? {
    guard case .calendar(let trigger) = trigger else { return .utc }
    return settings.zone(of: trigger.zone)
  }

  /// The devices that are inside a region, as far as that is known.
  func devices(inside region: String) throws -> [(device: String, since: Timestamp)] {
    try connection.rows(
      """
      SELECT s.device, coalesce((SELECT max(entered) FROM visit v WHERE v.region = s.region AND v.device = s.device
        AND v.reason = 'open'), 0)
      FROM region_state s JOIN region r ON r.number = s.region AND r.revision = s.revision
      WHERE r.id = ? AND r.ended IS NULL AND r.enabled AND s.side = 'inside' ORDER BY s.device
      """, [.text(region)]
    ) { ($0.text(0), Timestamp(milliseconds: $0.integer(1))) }
  }

  private func warnings(_ request: NotificationRequest, _ permission: AppPermission) -> [String] {
    var warnings: [String] = []
    let content = request.content
    let level = permission.level(content.interruptionLevel)
    let option = content.interruptionLevel == .timeSensitive ? "time-sensitive" : "critical"
    let entitles = option == "critical" && !permission.isEntitledToCritical
    let advice =
      (entitles ? "'fenceline permission entitle \(request.app)' and " : "")
      + "'fenceline permission set \(request.app) \(option) on'"
    if level != content.interruptionLevel {
      warnings.append(
        "It will be shown as \(level.rawValue), for '\(request.app)' may not show what is \(content.interruptionLevel.rawValue). Allow that with \(advice)."
      )
    }
    if content.sound?.isCritical == true, permission.level(.critical) != .critical {
      warnings.append(
        "Its sound will not be critical, for '\(request.app)' may not make one. Allow that with \(advice).")
    }
    if let name = content.sound?.name, let hasSound = settings.hasSound, !hasSound(name) {
      warnings.append("There is no sound '\(name)'; the usual one will be heard.")
    }
    for name in content.unknownPlaceholders {
      warnings.append("'{\(name)}' is no placeholder and stays as it is.")
    }
    let isCrossing: Bool = if case .location = request.trigger { true } else { false }
    for placeholder in content.placeholders.sorted(by: { $0.rawValue < $1.rawValue })
    where placeholder.needsCrossing && !isCrossing {
      warnings.append("'{\(placeholder.rawValue)}' will be empty: only a crossing tells it.")
    }
    return warnings
  }

  /// Makes room where the number of pending requests is limited.
  private func evict(
    for request: NotificationRequest, due: Timestamp?, at now: Moment, into evicted: inout [String]
  ) throws {
    guard let limit = settings.pendingLimit else { return }
    let pending = try connection.rows("SELECT count(*) FROM request WHERE app = ?", [.text(request.app)]) {
      Int($0.integer(0))
    }
    for _ in 0..<max(0, (pending.first ?? 0) + 1 - limit) {
      guard settings.eviction != .reject else {
        throw NotificationError(
          .notificationsNotAllowed,
          "'\(request.app)' has \(limit) pending requests, which is the limit. Remove one with 'fenceline pending remove', or raise the setting 'notifications.pending-limit'."
        )
      }
      let order = settings.eviction == .keepLast ? "number" : "due IS NULL, due DESC, number DESC"
      let found = try connection.rows(
        "SELECT id, due FROM request WHERE app = ? ORDER BY \(order) LIMIT 1", [.text(request.app)]
      ) { (id: $0.text(0), due: $0.optionalInteger(1)) }.first
      guard let found else { return }
      if settings.eviction == .keepSoonest, let due, found.due.map({ $0 < due.milliseconds }) ?? true {
        throw NotificationError(
          .notificationsNotAllowed,
          "'\(request.app)' has \(limit) pending requests, which is the limit, and none that is due later than this one. Remove one with 'fenceline pending remove', or raise the setting 'notifications.pending-limit'."
        )
      }
      _ = try remove([found.id], of: request.app, at: now)
      try end(request.app, found.id, "evicted", at: now)
      evicted.append(found.id)
    }
  }

  /// Records that a request was given up.
  func end(_ app: String, _ identifier: String, _ reason: String, at now: Moment) throws {
    try connection.run(
      "INSERT INTO request_end (app, id, at, reason) VALUES (?, ?, ?, ?)", .text(app), .text(identifier),
      .integer(now.utc.milliseconds), .text(reason))
  }
}

extension NotificationTrigger {
  /// The name of the zone that it is fixed to.
  var zoneName: String? {
    guard case .calendar(let trigger) = self, case .fixed(let name) = trigger.zone else { return nil }
    return name
  }
}
