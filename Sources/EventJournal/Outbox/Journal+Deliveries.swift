package import FencelineCivilTime
internal import FencelineSQLiteStore

/// Which deliveries are meant.
package struct DeliveryFilter: Hashable, Sendable {
  /// The channel's name; nil is any.
  package var channel: String?
  /// What has become of them; empty is anything.
  package var states: [StoredDelivery.State] = []
  /// Not before this time; nil is any.
  package var since: Timestamp?
  /// By their rows; nil is any.
  package var numbers: [Int64]?
  /// How many of the latest; nil is all.
  package var limit: Int?

  /// All deliveries.
  package init() {}
}

/// The outbox, as the command line lists and changes it.
extension Journal {
  /// Reads deliveries, oldest first, a page at a time.
  ///
  /// - Parameters:
  ///   - filter: Which.
  ///   - body: Gets each page.
  /// - Throws: ``JournalError``, or what `body` throws.
  package func deliveries(_ filter: DeliveryFilter, _ body: ([StoredDelivery]) throws -> Void) throws {
    let (condition, values) = conditions(filter)
    var number: Int64 = 0
    if let limit = filter.limit {
      number = try perform {
        try connection.rows(
          """
          SELECT min(number) FROM (SELECT d.number FROM delivery d WHERE \(condition) ORDER BY d.number DESC LIMIT \(limit))
          """, values
        ) { $0.optionalInteger(0).map { $0 - 1 } ?? .max }[0]
      }
    }
    while true {
      let page = try perform {
        try connection.rows(
          """
          SELECT \(StoredDelivery.columns) FROM \(StoredDelivery.tables)
          WHERE \(condition) AND d.number > \(number) ORDER BY d.number LIMIT 500
          """, values
        ) { StoredDelivery($0) }
      }
      guard let last = page.last else { return }
      try body(page)
      number = last.number
    }
  }

  private func conditions(_ filter: DeliveryFilter) -> (String, [SQLiteValue]) {
    var conditions = ["1"]
    var values: [SQLiteValue] = []
    if let channel = filter.channel {
      conditions.append("d.channel = (SELECT number FROM channel WHERE name = ?)")
      values.append(.text(channel))
    }
    if !filter.states.isEmpty {
      conditions.append("d.state IN (\(filter.states.map { "'\($0.rawValue)'" }.joined(separator: ", ")))")
    }
    if let since = filter.since {
      conditions.append("d.created >= ?")
      values.append(.integer(since.milliseconds))
    }
    if let numbers = filter.numbers {
      conditions.append("d.number IN (\(numbers.map(String.init).joined(separator: ", ")))")
    }
    return (conditions.joined(separator: " AND "), values)
  }

  /// Lets deliveries be tried at once, those too that were given up or dropped. One that waits for the case that nobody answers is
  /// meant only by its row.
  ///
  /// - Parameters:
  ///   - filter: Which, of those that were not carried.
  ///   - now: The time.
  /// - Returns: How many.
  /// - Throws: ``JournalError``.
  package func retryDeliveries(_ filter: DeliveryFilter, at now: Timestamp) throws(JournalError) -> Int {
    let isPatient = "d.state = 'waiting' AND d.unless_seen AND d.attempts = 0"
    return try change(
      filter,
      "state = 'waiting', next = \(now.milliseconds), ended = NULL, since = \(now.milliseconds), refusals = 0",
      of: filter.numbers == nil ? "d.state <> 'done' AND NOT (\(isPatient))" : "d.state <> 'done'",
      isUrgent: true)
  }

  /// Lets deliveries not be carried.
  ///
  /// - Parameters:
  ///   - filter: Which, of those that wait or were given up.
  ///   - now: The time.
  /// - Returns: How many.
  /// - Throws: ``JournalError``.
  package func dropDeliveries(_ filter: DeliveryFilter, at now: Timestamp) throws(JournalError) -> Int {
    try change(
      filter, "state = 'dropped', ended = \(now.milliseconds)", of: "d.state IN ('waiting', 'dead')")
  }

  private func change(
    _ filter: DeliveryFilter, _ assignments: String, of state: String, isUrgent: Bool = false
  ) throws(JournalError) -> Int {
    try perform {
      try connection.transaction {
        let (condition, values) = conditions(filter)
        let changed = try connection.rows(
          """
          UPDATE delivery SET \(assignments) WHERE number IN
            (SELECT d.number FROM delivery d WHERE \(condition) AND \(state)) RETURNING channel
          """, values
        ) { $0.integer(0) }
        if !changed.isEmpty { try connection.run("UPDATE outbox_edit SET number = number + 1") }
        if isUrgent {
          for channel in Set(changed) {
            try connection.run("UPDATE channel SET nudges = nudges + 1 WHERE number = ?", .integer(channel))
          }
        }
        return changed.count
      }
    }
  }

  /// How many deliveries each channel has, by the channels' rows.
  package func deliveryCounts() throws(JournalError) -> [Int64: DeliveryCounts] {
    try perform {
      var counts: [Int64: DeliveryCounts] = [:]
      try connection.forEachRow(
        "SELECT channel, count(*) FROM delivery WHERE state = 'waiting' GROUP BY channel"
      ) { counts[$0.integer(0), default: .init()].waiting = Int($0.integer(1)) }
      try connection.forEachRow(
        """
        SELECT channel, count(*), min(since) FROM delivery WHERE state = 'waiting' AND attempts > 0 GROUP BY channel
        """
      ) { row in
        counts[row.integer(0), default: .init()].failing = Int(row.integer(1))
        counts[row.integer(0), default: .init()].failingSince = row.optionalInteger(2).map(Timestamp.init)
      }
      for channel in try connection.rows("SELECT number FROM channel", [], { $0.integer(0) }) {
        var count = counts[channel] ?? DeliveryCounts()
        // Beside a maximum, SQLite gives the other values of its row.
        try connection.forEachRow(
          """
          SELECT count(*), max(number), detail FROM delivery WHERE channel = ? AND state = 'dead' AND ended IS NOT NULL
          """, [.integer(channel)]
        ) { row in
          count.dead = Int(row.integer(0))
          count.lastDeath = row.optionalText(2)
        }
        count.lastDone =
          try connection.rows(
            """
            SELECT ended FROM delivery WHERE channel = ? AND state = 'done' AND ended IS NOT NULL ORDER BY number DESC LIMIT 1
            """, [.integer(channel)]
          ) { Timestamp(milliseconds: $0.integer(0)) }.first
        if count.failing > 0 {
          count.lastFailure =
            try connection.rows(
              """
              SELECT detail FROM delivery WHERE channel = ? AND state = 'waiting' AND attempts > 0 ORDER BY number LIMIT 1
              """, [.integer(channel)]
            ) { $0.optionalText(0) }.first ?? nil
        }
        counts[channel] = count
      }
      return counts
    }
  }
}
