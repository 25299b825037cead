internal import FencelineCivilTime
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// What time brings about; within a transaction of the caller's.
extension NotificationCentre {
  /// Lets requests fire that are due.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - most: How many requests at most: the rest fires in the next turn.
  /// - Returns: What has happened, in order, and how many requests have fired.
  /// - Throws: What the database says.
  func fire(at now: Moment, most: Int) throws -> (events: [CentreEvent], count: Int) {
    var events: [CentreEvent] = []
    let due = try connection.rows(
      """
      SELECT \(StoredRequest.columns) FROM request WHERE due IS NOT NULL AND due <= ? ORDER BY due, number LIMIT \(most)
      """, [.integer(now.utc.milliseconds)]
    ) { (request: StoredRequest($0), number: $0.integer(0), id: $0.text(2)) }
    for row in due {
      guard let request = row.request else {
        try connection.run("UPDATE request SET due = NULL WHERE number = ?", .integer(row.number))
        events.append(
          .problem("The request '\(row.id)' cannot be used: another program has changed it. Add it anew."))
        continue
      }
      try fire(request, at: now, into: &events)
    }
    return (events, due.count)
  }

  private func fire(
    _ stored: StoredRequest, at now: Moment, into events: inout [CentreEvent]
  ) throws {
    switch stored.request.trigger {
    case nil, .push:
      events += try deliver([Draft(stored, .init(key: 0, at: stored.requestedAt))], at: now)
      try finish(stored, at: now)
    case .location(let trigger): try fireInside(stored, trigger, at: now, into: &events)
    case .interval, .calendar:
      guard let zone = try zone(of: stored.request.trigger) else {
        try connection.run("UPDATE request SET due = NULL WHERE number = ?", .integer(stored.number))
        events.append(
          .problem(
            "The request '\(stored.request.identifier)' waits for the time zone '\(stored.request.trigger?.zoneName ?? "")', which the system has no more. Install the package tzdata."
          ))
        return
      }
      let plan = FiringPlan(stored.request, try standing(of: stored, at: now), at: now.utc, in: zone)
      events += try deliver(plan.deliver.map { Draft(stored, $0) }, at: now)
      if plan.deliver.isEmpty, plan.hasMissed, let missed = plan.last {
        var draft = Draft(stored, missed)
        // It is no delivery: should the clock be put back, it may still come.
        (draft.key, draft.suppression) = (nil, "missed")
        events += try deliver([draft], at: now)
      }
      if let next = plan.next {
        try connection.run(
          "UPDATE request SET due = ?, last_key = ?, last_at = ? WHERE number = ?",
          .integer(next.at.milliseconds), .optional(plan.last?.key), .optional(plan.last?.at.milliseconds),
          .integer(stored.number))
      } else {
        if plan.deliver.isEmpty, plan.hasMissed {
          try end(stored.request.app, stored.request.identifier, "missed", at: now)
        }
        try finish(stored, at: now)
      }
    }
  }

  /// Takes a request away that is over, and the region that was there for it alone.
  func finish(_ stored: StoredRequest, at now: Moment) throws {
    try connection.run("DELETE FROM request WHERE number = ?", .integer(stored.number))
    if stored.ownsRegion, case .location(let trigger) = stored.request.trigger {
      try endRegion(trigger.region, at: now)
    }
  }

  /// Where a request stands.
  func standing(of stored: StoredRequest, at now: Moment) throws -> FiringPlan.Standing {
    var standing = FiringPlan.Standing(requestedAt: stored.requestedAt, last: stored.last)
    guard case .calendar = stored.request.trigger else { return standing }
    // Ahead of the present lie only those that were delivered before the clock was put back.
    let keys = try connection.rows(
      "SELECT key FROM notification WHERE request = ? AND key > ?",
      [.integer(stored.number), .integer(now.utc.milliseconds)]
    ) { $0.integer(0) }
    standing.delivered = Set(keys)
    return standing
  }

  /// Works out anew when requests are due, since their rules may mean another time now.
  ///
  /// - Parameters:
  ///   - number: The last request that was seen to.
  ///   - most: How many at most.
  ///   - now: The time.
  /// - Returns: The last one that was seen to now, nil where there was none left, and how many were.
  /// - Throws: What the database says.
  func reconsider(after number: Int64, most: Int, at now: Moment) throws -> (last: Int64?, count: Int) {
    let rows = try connection.rows(
      "SELECT \(StoredRequest.columns) FROM request WHERE number > ? ORDER BY number LIMIT \(most)",
      [.integer(number)]
    ) { (request: StoredRequest($0), number: $0.integer(0)) }
    for case (var stored?, _) in rows {
      if stored.request.trigger?.isTimed != true, let due = stored.due, due > now.utc {
        // What is due at once does not wait for a clock that was put back.
        try connection.run(
          "UPDATE request SET due = ? WHERE number = ?", .integer(now.utc.milliseconds),
          .integer(stored.number))
      }
      guard stored.request.trigger?.isTimed == true, let zone = try zone(of: stored.request.trigger) else {
        continue
      }
      if case .calendar = stored.request.trigger, (stored.last?.at ?? stored.requestedAt) > now.utc {
        // The clock was put back: the rule begins again at the present.
        stored.last = Occurrence(key: stored.last?.key ?? 0, at: now.utc)
        try connection.run(
          "UPDATE request SET last_key = ?, last_at = ? WHERE number = ?", .optional(stored.last?.key),
          .integer(now.utc.milliseconds), .integer(stored.number))
      }
      let plan = FiringPlan(stored.request, try standing(of: stored, at: now), at: now.utc, in: zone)
      // What is over is seen to when it fires.
      let isOver = plan.last != stored.last
      let due = isOver ? min(stored.due ?? now.utc, now.utc) : plan.next?.at
      guard due != stored.due else { continue }
      if due == nil {
        try end(stored.request.app, stored.request.identifier, "missed", at: now)
        try finish(stored, at: now)
      } else {
        try connection.run(
          "UPDATE request SET due = ? WHERE number = ?", .optional(due?.milliseconds), .integer(stored.number)
        )
      }
    }
    return (rows.last?.number, rows.count)
  }

  /// Lets intervals that were asked for since the machine began go on as if the clock had not been set.
  func followClock(at now: Moment) throws {
    try connection.run(
      """
      UPDATE request SET requested = requested + shift, due = due + shift, last_at = last_at + shift
      FROM (SELECT number AS shifted, ?1 - (requested - boot_time) AS shift FROM request WHERE boot = ?2)
      WHERE number = shifted AND abs(shift) BETWEEN 51 AND \(StoredRequest.latest)
        AND requested BETWEEN -\(StoredRequest.latest) AND \(StoredRequest.latest)
      """, .integer(now.utc.milliseconds - now.boot), .text(now.bootID))
    // What waits for a time of day, or for an answer, waits no longer than it would have.
    try connection.run(
      "UPDATE notification SET until = ? WHERE state = 'held' AND reason = 'summary'",
      .optional((settings.nextSummary(after: now.utc) ?? now.utc).milliseconds))
    try connection.run(
      "UPDATE notification SET until = ? WHERE state = 'asked'",
      .integer(now.utc.milliseconds + settings.presentationDeadline))
  }

  /// Requests that were given up since.
  ///
  /// - Parameter number: The last one that was told of; nil tells of none.
  /// - Returns: What is to be told, and the last one now.
  /// - Throws: What the database says.
  func ends(after number: Int64?) throws -> (events: [CentreEvent], last: Int64) {
    let rows = try connection.rows(
      "SELECT number, app, id, reason FROM request_end WHERE number > ?1 OR ?1 IS NULL ORDER BY number",
      [.optional(number)]
    ) { ($0.integer(0), CentreEvent.ended(app: $0.text(1), identifier: $0.text(2), reason: $0.text(3))) }
    return (number == nil ? [] : rows.map(\.1), rows.last?.0 ?? number ?? 0)
  }

  /// When the centre has something to do by itself; nil where it has not.
  func nextDue() throws(JournalError) -> Timestamp? {
    try journal.perform {
      try connection.rows(
        """
        SELECT min(t) FROM (SELECT min(due) AS t FROM request WHERE due IS NOT NULL
          UNION ALL SELECT min(until) FROM notification WHERE state IN ('asked', 'held') AND until IS NOT NULL)
        """
      ) { $0.optionalInteger(0).map(Timestamp.init) }.first ?? nil
    }
  }
}
