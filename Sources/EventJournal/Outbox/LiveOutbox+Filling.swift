internal import FencelineCivilTime
internal import FencelineGeofencing
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// What goes into the outbox; within the transaction that makes an event.
extension LiveOutbox {
  /// Puts a crossing into the outbox.
  func fill(_ crossing: Crossing, _ run: Int64, _ sequence: Int64, of region: Region, at now: Moment) throws {
    let facts = ChannelRules.Facts(
      isCrossing: true, device: crossing.device, region: crossing.region, tags: region.tags,
      kind: crossing.kind)
    for channel in channels where channel.isEnabled && channel.rules.takes(facts) {
      try insert(channel, crossing.device, run: run, sequence: sequence, at: now)
    }
  }

  /// Puts a notification into the outbox that is shown from now on.
  func fill(_ notification: StoredNotification, at now: Moment) throws {
    guard !notification.presentation.isDisjoint(with: [.banner, .list, .sound]) else { return }
    guard channels.contains(where: { $0.rules.events != .crossings }) else { return }
    let facts = try facts(notification)
    let device = notification.device ?? ""
    var escalations: [String: Double] = [:]
    for channel in channels where channel.rules.takes(facts) {
      if facts.level == .critical, let name = channel.rules.escalation {
        // Nobody need be waited for who cannot see it.
        let delay = channel.isEnabled ? channel.rules.escalationDelay : 0
        escalations[name] = min(escalations[name] ?? .infinity, delay)
      }
      guard channel.isEnabled else { continue }
      try insert(
        channel, device, notification: notification.number,
        // What is about no device is in order for itself.
        line: device.isEmpty ? "\u{1}\(notification.app)/\(notification.identifier)" : nil,
        isUrgent: facts.level >= .timeSensitive, at: now)
    }
    for channel in channels where channel.isEnabled {
      guard let delay = escalations[channel.name] else { continue }
      try insert(channel, device, notification: notification.number, escalationAfter: delay, at: now)
    }
  }

  private func facts(_ notification: StoredNotification) throws -> ChannelRules.Facts {
    var facts = ChannelRules.Facts(
      isCrossing: false, device: notification.device ?? "", region: notification.region,
      app: notification.app, level: OutboxItem.level(of: notification))
    if let (run, sequence) = notification.crossing {
      facts.kind =
        try connection.rows(
          "SELECT kind FROM crossing WHERE run = ? AND sequence = ?", [.integer(run), .integer(sequence)]
        ) { Crossing.Kind(rawValue: $0.text(0)) }.first ?? nil
    }
    if let region = notification.region {
      facts.tags = try currentRegion(region)?.tags ?? []
    }
    return facts
  }

  /// The latest region of an identifier, also one that was removed.
  func currentRegion(_ id: String) throws -> Region? {
    let number = try connection.rows(
      "SELECT number FROM region WHERE id = ? ORDER BY ended IS NOT NULL, number DESC LIMIT 1", [.text(id)]
    ) { $0.integer(0) }.first
    return try number.flatMap { try region($0) }
  }

  func region(_ number: Int64) throws -> Region? {
    var region: Region?
    try journal.forEachRegionRow("number = ?", [.integer(number)]) { region = $0.stored.region }
    return region
  }

  private func insert(
    _ channel: StoredChannel, _ device: String, run: Int64? = nil, sequence: Int64? = nil,
    notification: Int64? = nil, line own: String? = nil, isUrgent: Bool = false,
    escalationAfter delay: Double? = nil, at now: Moment
  ) throws {
    let wait = delay.map { Int64(min(max(0, $0), 86_400) * 1000) } ?? 0
    let next = Timestamp(milliseconds: now.utc.milliseconds + wait)
    // What is only carried where nobody answers must keep nothing else waiting.
    let line = delay == nil ? own ?? device : "\(device)\u{1}\(notification ?? 0)"
    let count = try connection.run(
      """
      INSERT INTO delivery (channel, device, line, run, sequence, notification, unless_seen, created, since, next, state)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, 'waiting') ON CONFLICT DO NOTHING
      """, .integer(channel.number), .text(device), .text(line), .optional(run), .optional(sequence),
      .optional(notification), .boolean(delay != nil), .integer(now.utc.milliseconds),
      .integer(next.milliseconds))
    if count > 0 { added.append((channel.number, line, next, isUrgent)) }
  }
}
