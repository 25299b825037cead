internal import FencelineCivilTime
internal import FencelineGeofencing
package import FencelineNotifying
internal import FencelineSQLiteStore

/// What leaves the outbox; between turns.
extension LiveOutbox {
  /// When a channel has something to hand out, in milliseconds since the machine began; nil where it has not.
  package func nextDue(_ channel: Int64) -> Int64? {
    guard !mustLook, channels.contains(where: { $0.number == channel && $0.isEnabled }) else { return nil }
    return queues[channel]?.nextDue
  }

  /// Until when a channel rests because nobody was there, in milliseconds since the machine began; nil where it does not.
  package func rest(of channel: Int64, at now: Moment) -> Int64? {
    queues[channel].flatMap { $0.restsUntil > now.boot ? $0.restsUntil : nil }
  }

  /// Hands out what is due, in the order in which it is to be carried; each is answered with ``take(_:)``.
  ///
  /// - Parameters:
  ///   - channel: Whose.
  ///   - most: How many at most, 1 or more.
  ///   - now: The time.
  /// - Returns: What is to be carried now.
  /// - Throws: ``JournalError``.
  package func handOut(_ channel: Int64, most: Int, at now: Moment) throws(JournalError) -> [OutboxItem] {
    guard !mustLook, var queue = queues[channel], let due = queue.nextDue, due <= now.boot else { return [] }
    defer { queues[channel] = queue }
    return try journal.perform {
      var items: [OutboxItem] = []
      var regions: [Int64: Region] = [:]
      while items.count < most, let (line, isTrial) = queue.take(at: now.boot) {
        let rows: [Row]
        do {
          rows = try self.rows(channel, line, most: isTrial ? 1 : most - items.count)
        } catch {
          queue.giveBack(line, at: now.boot)
          // What was taken already is on its way.
          guard items.isEmpty else { break }
          throw error
        }
        queue.send(line, rows.count)
        var isHeld = false
        for row in rows {
          out[row.number] = Carried(
            channel: channel, line: line, since: Double(row.since), attempt: row.attempts + 1,
            refusals: row.refusals, notification: row.notification)
          // Behind one that cannot be carried now, those of its line wait.
          guard !isHeld else {
            take(DeliveryOutcome(number: row.number, .postponed(seconds: 0)))
            continue
          }
          do throws(JournalError) {
            if let item = try journal.perform({ try item(row, channel, &regions) }) { items.append(item) }
          } catch {
            isHeld = true
            take(outcome(row.number, error))
          }
        }
        if isTrial { break }
      }
      return items.sorted { $0.number < $1.number }
    }
  }

  /// What becomes of an event that cannot be read: where another program has spoilt it, it is given up after a few tries.
  private func outcome(_ number: Int64, _ error: JournalError) -> DeliveryOutcome {
    error.code == .unreadable || error.code == .fault
      ? DeliveryOutcome(number: number, .refused, detail: error.message)
      : DeliveryOutcome(number: number, .postponed(seconds: 1))
  }

  private struct Row {
    var number: Int64
    var device: String
    var run: Int64?
    var sequence: Int64?
    var notification: Int64?
    var isEscalation: Bool
    var since: Int64
    var attempts: Int
    var refusals: Int
  }

  private func rows(_ channel: Int64, _ line: String, most: Int) throws -> [Row] {
    try connection.rows(
      """
      SELECT number, device, run, sequence, notification, unless_seen, since, attempts, refusals
      FROM delivery
      WHERE channel = ? AND line = ? AND state = 'waiting' ORDER BY number LIMIT ?
      """, [.integer(channel), .text(line), .integer(Int64(most))]
    ) { row in
      Row(
        number: row.integer(0), device: row.text(1), run: row.optionalInteger(2),
        sequence: row.optionalInteger(3), notification: row.optionalInteger(4),
        isEscalation: row.integer(5) != 0, since: row.integer(6),
        attempts: Int(min(max(0, row.integer(7)), 1_000_000)),
        refusals: Int(min(max(0, row.integer(8)), 1_000_000)))
    }
  }

  /// What a row stands for; nil where it needs not be carried any more, which is noted.
  private func item(
    _ row: Row, _ channel: Int64, _ regions: inout [Int64: Region]
  ) throws -> OutboxItem? {
    var item = OutboxItem(
      number: row.number, channel: channel, key: "", device: row.device, attempt: row.attempts + 1)
    var place = (run: row.run, sequence: row.sequence)
    if let number = row.notification {
      guard let notification = try notification(number), !(row.isEscalation && notification.isSeen) else {
        take(DeliveryOutcome(number: row.number, .dropped, detail: "There is no need for it any more."))
        return nil
      }
      item.notification = notification.stored
      item.actions = try centreActions(notification.stored)
      item.key = "fenceline-\(try identity())-n\(number)"
      if let crossing = notification.stored.crossing { place = (crossing.run, crossing.sequence) }
      item.region = try notification.stored.region.flatMap { try currentRegion($0) }
    }
    if let run = place.run, let sequence = place.sequence {
      if item.key.isEmpty { item.key = "fenceline-\(try identity())-c\(run)-\(sequence)" }
      if let (crossing, region) = try crossing(run, sequence) {
        item.crossing = crossing
        if regions[region] == nil { regions[region] = try self.region(region) }
        item.region = regions[region]
      } else if item.notification == nil {
        take(
          DeliveryOutcome(
            number: row.number, .dropped, detail: "The crossing is not in the journal any more."))
        return nil
      }
    }
    return item
  }

  private func notification(_ number: Int64) throws -> (stored: StoredNotification, isSeen: Bool)? {
    try connection.rows(
      "SELECT \(StoredNotification.columns), n.removed IS NOT NULL OR n.read FROM \(StoredNotification.tables) WHERE n.number = ?",
      [.integer(number)]
    ) { (StoredNotification($0), $0.integer(StoredNotification.columnCount) != 0) }.first
  }

  private func centreActions(_ notification: StoredNotification) throws -> [NotificationAction] {
    let centre = NotificationCentre(journal, CentreSettings())
    return try centre.category(notification.content.categoryIdentifier, of: notification.app)?.actions ?? []
  }

  private func crossing(_ run: Int64, _ sequence: Int64) throws -> (RecordedCrossing, region: Int64)? {
    try connection.rows(
      "SELECT \(RecordedCrossing.columns), c.region FROM crossing c JOIN region r ON r.number = c.region WHERE c.run = ? AND c.sequence = ?",
      [.integer(run), .integer(sequence)]
    ) { (RecordedCrossing($0), $0.integer(RecordedCrossing.columnCount)) }.first
  }

  /// Those of some notifications that have left the list.
  ///
  /// - Throws: ``JournalError``.
  package func gone(of notifications: [Int64]) throws(JournalError) -> [Int64] {
    try journal.perform {
      var gone: [Int64] = []
      for number in notifications {
        let isListed =
          try connection.rows(
            "SELECT removed IS NULL FROM notification WHERE number = ?", [.integer(number)]
          ) { $0.integer(0) != 0 }.first ?? false
        if !isListed { gone.append(number) }
      }
      return gone
    }
  }
}

extension OutboxItem {
  /// How urgently a notification is shown; one without a banner is not, whatever it says.
  package static func level(of notification: StoredNotification) -> InterruptionLevel {
    notification.presentation.contains(.banner) ? notification.content.interruptionLevel : .passive
  }
}
