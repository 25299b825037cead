internal import FencelineCivilTime
internal import FencelineSQLiteStore

/// The outbox as the service runs it: fills it in the transaction that makes an event, hands out what is due, and records what has
/// become of it.
///
/// Nothing in memory is needed after a restart: what was being carried is carried again.
package final class LiveOutbox {
  /// The channels, in the order of their names.
  package private(set) var channels: [StoredChannel] = []
  /// Goes up whenever ``channels`` may be others.
  package private(set) var edition: Int64 = 0
  /// How long is waited between attempts.
  package var policy = RetryPolicy()
  /// Whether the clock can be trusted to say what is over for long.
  package var mayPrune = false

  let journal: Journal
  var connection: Connection { journal.connection }
  private var knownIdentity: String?
  /// Whether this has itself changed what it is to look at.
  private(set) var mustLook = false
  var queues: [Int64: ChannelQueue] = [:]
  /// What is being carried.
  var out: [Int64: Carried] = [:]
  /// What was said of it, and is not committed yet; and how many of these the turn has written.
  private var outcomes: [DeliveryOutcome] = []
  private var willLook = false
  private var written: [(Carried, ChannelQueue.Result)] = []
  private var writtenCount = 0
  /// What the turn has put into the outbox.
  var added: [(channel: Int64, line: String, due: Timestamp, isUrgent: Bool)] = []
  private var nextPruning: Int64 = 0
  /// What the time of day was ahead of the machine's own clock, in milliseconds, when it was last looked at, and what the turn has found.
  private var clockOffset: Int64?
  private var turnOffset: Int64?
  /// Milliseconds that a clock may be corrected by without that being noticed.
  private static let smallCorrection: Int64 = 60_000
  /// What there is to tell of channels, of the turn and of those before.
  private var turnNews: [OutboxNews] = []
  private var news: [OutboxNews] = []
  /// Channels that are told to fail, and when something was last told of each.
  private var failing: Set<Int64> = []
  private var lastTold: [Int64: Int64] = [:]
  /// Milliseconds in which no second trouble of a channel is told.
  private static let quiet: Int64 = 60_000

  struct Carried {
    var channel: Int64
    var line: String
    /// Milliseconds since 1970.
    var since: Double
    var attempt: Int
    var refusals: Int
    var notification: Int64?
  }

  private static let pruneEvery: Int64 = 3_600_000
  /// For how long what was carried, and what was not, is kept.
  private static let doneKeptFor: Int64 = 7 * 86_400_000
  private static let deadKeptFor: Int64 = 90 * 86_400_000

  init(_ journal: Journal) {
    self.journal = journal
  }

  /// What tells the events of this journal from those of others.
  func identity() throws -> String {
    if let knownIdentity { return knownIdentity }
    let identity = try journal.identity()
    knownIdentity = identity
    return identity
  }

  // MARK: Within a turn

  /// Moves the times of what waits by as much as somebody has set the clock: for how long it has waited, and is to wait, stays the same.
  func followClock(at now: Moment) throws {
    let offset = now.utc.milliseconds - now.boot
    if let step = step(to: offset) {
      let limit: Int64 = 1 << 52
      try connection.run(
        """
        UPDATE delivery SET since = since + ?1, next = next + ?1
        WHERE state = 'waiting' AND since BETWEEN -?2 AND ?2 AND next BETWEEN -?2 AND ?2
        """, .integer(step), .integer(limit))
    }
    turnOffset = offset
  }

  /// By how much the clock was set, in milliseconds; nil where it was merely corrected.
  private func step(to offset: Int64) -> Int64? {
    let step = offset - (clockOffset ?? offset)
    return abs(step) > LiveOutbox.smallCorrection ? step : nil
  }

  /// Takes notice of channels that were changed, and of deliveries that somebody has changed.
  func look(at now: Moment) throws {
    let number = try connection.rows("SELECT number FROM outbox_edit") { $0.integer(0) }.first ?? 1
    guard number != edition else { return }
    let channels = try journal.storedChannels()
    var queues = queues
    let numbers = Set(channels.map(\.number))
    queues = queues.filter { numbers.contains($0.key) || $0.value.out > 0 }
    for channel in channels {
      var queue = queues[channel.number] ?? ChannelQueue()
      queue.removeWaiting()
      // Who has changed a channel wants to know whether it works now.
      if self.channels.first(where: { $0.number == channel.number }) != channel { queue.endRest() }
      if channel.isEnabled {
        try connection.forEachRow(
          """
          SELECT line, min(number), next, attempts FROM delivery WHERE channel = ? AND state = 'waiting' GROUP BY line
          """, [.integer(channel.number)]
        ) { row in
          let next = Timestamp(milliseconds: row.integer(2))
          queue.add(row.text(0), due: self.boot(next, now), isGuess: row.integer(3) > 0, at: now.boot)
        }
      }
      queues[channel.number] = queue
    }
    (self.channels, self.queues, edition, mustLook) = (channels, queues, number, false)
  }

  /// A time of day by the machine's own clock. One that lies farther ahead than anything is ever put off was noted by another clock.
  private func boot(_ time: Timestamp, _ now: Moment) -> Int64 {
    let offset = turnOffset ?? clockOffset ?? now.utc.milliseconds - now.boot
    let wait = time.milliseconds.subtractingReportingOverflow(now.boot + offset)
    return wait.overflow || wait.partialValue > max(2 * policy.longest, 86_400_000)
      ? now.boot : now.boot + max(0, wait.partialValue)
  }

  /// How much the turn has put into the outbox; what was put there later may be taken back.
  var filled: Int { added.count }
  func forgetFilling(since count: Int) { added.removeLast(added.count - count) }

  /// Writes what was said of what was carried, and takes away what is over for long.
  func work(at now: Moment) throws {
    for outcome in outcomes {
      if let carried = out[outcome.number] {
        written.append((carried, try write(outcome, carried, at: now)))
      }
      writtenCount += 1
    }
    if mayPrune, now.boot >= nextPruning, try !prune(at: now) {
      nextPruning = now.boot + LiveOutbox.pruneEvery
    }
  }

  private func write(
    _ outcome: DeliveryOutcome, _ carried: Carried, at now: Moment
  ) throws -> ChannelQueue.Result {
    let channel = channels.first { $0.number == carried.channel }
    func end(_ state: String) throws {
      try connection.run(
        """
        UPDATE delivery SET state = ?, attempts = ?, ended = ?, detail = ?, output = ?
        WHERE number = ? AND state = 'waiting'
        """, .text(state), .integer(Int64(carried.attempt)), .integer(now.utc.milliseconds),
        outcome.detail.isEmpty ? .null : .text(outcome.detail), .optional(outcome.output),
        .integer(outcome.number))
    }
    func again(after wait: Int64) throws -> Int64 {
      try connection.run(
        """
        UPDATE delivery SET attempts = ?, refusals = ?, next = ?, detail = ?, output = ?
        WHERE number = ? AND state = 'waiting'
        """, .integer(Int64(carried.attempt)),
        .integer(Int64(carried.refusals + (outcome.result == .refused ? 1 : 0))),
        .integer(now.utc.milliseconds + wait), .text(outcome.detail), .optional(outcome.output),
        .integer(outcome.number))
      return now.boot + wait
    }
    switch outcome.result {
    case .done:
      try end("done")
      if failing.contains(carried.channel) { tell(.works, carried, channel?.name ?? "") }
      if outcome.isHeldBack, let notification = carried.notification { try hurry(notification, at: now) }
      return .done
    case .dropped:
      try end("dropped")
      return .postponed(until: now.boot)
    case .refused:
      guard carried.refusals + 1 < RetryPolicy.mostRefusals else {
        try end("dead")
        tell(.gaveUp(delivery: outcome.number, outcome.detail), carried, channel?.name ?? "")
        return .refused(until: now.boot)
      }
      return .refused(until: try again(after: policy.wait(after: carried.attempt, .random(in: 0..<1))))
    case .failed(let after):
      // Rows were moved by what the clock was set by, and what is out will be.
      let since = carried.since + Double(turnOffset.flatMap { step(to: $0) } ?? 0)
      let isLate = Double(now.utc.milliseconds) - since > (channel?.rules.retryFor ?? 0) * 1000
      let rest =
        now.boot + policy.rest(after: (queues[carried.channel]?.failures ?? 0) + 1, .random(in: 0..<1))
      let peerRests = after.map { now.boot + Int64(min(max(0, $0), 86_400) * 1000) }
      let isQuiet = lastTold[carried.channel].map { now.boot - $0 < LiveOutbox.quiet } ?? false
      if !failing.contains(carried.channel), !isQuiet,
        !turnNews.contains(where: { $0.channel == carried.channel })
      {
        tell(.fails(outcome.detail), carried, channel?.name ?? "")
      }
      if isLate {
        try end("dead")
        tell(.gaveUp(delivery: outcome.number, outcome.detail), carried, channel?.name ?? "")
        return .failed(until: now.boot, rest: rest, peerRests: peerRests)
      }
      let wait = policy.wait(after: carried.attempt, .random(in: 0..<1))
      return .failed(until: try again(after: wait), rest: rest, peerRests: peerRests)
    case .gone:
      willLook = true
      tell(.switchedOff(outcome.detail), carried, channel?.name ?? "")
      try connection.run(
        "UPDATE channel SET enabled = 0, problem = ? WHERE number = ?", .text(outcome.detail),
        .integer(carried.channel))
      return .postponed(until: try again(after: 0))
    case .postponed(let seconds):
      return .postponed(until: now.boot + Int64(min(max(0, seconds), 86_400) * 1000))
    }
  }

  /// Carries at once what was to be carried if nobody answers: nobody can see it.
  private func hurry(_ notification: Int64, at now: Moment) throws {
    let count = try connection.run(
      "UPDATE delivery SET next = ? WHERE notification = ? AND unless_seen AND state = 'waiting' AND attempts = 0",
      .integer(now.utc.milliseconds), .integer(notification))
    guard count > 0 else { return }
    try connection.run("UPDATE outbox_edit SET number = number + 1")
    willLook = true
  }

  private func prune(at now: Moment) throws -> Bool {
    let most = 1000
    let count = try connection.run(
      """
      DELETE FROM delivery WHERE number IN (SELECT number FROM delivery
        WHERE ended < ?1 AND (state <> 'dead' OR ended < ?2) LIMIT \(most))
      """, .integer(now.utc.milliseconds - LiveOutbox.doneKeptFor),
      .integer(now.utc.milliseconds - LiveOutbox.deadKeptFor))
    return count == most
  }

  /// Takes notice that the turn is committed.
  func settle(at now: Moment) {
    for item in turnNews {
      if case .fails = item.kind {
        failing.insert(item.channel)
      } else if item.kind == .works {
        failing.remove(item.channel)
      }
      lastTold[item.channel] = now.boot
    }
    news += turnNews
    for entry in added {
      queues[entry.channel, default: ChannelQueue()].add(
        entry.line, due: boot(entry.due, now), isUrgent: entry.isUrgent, at: now.boot)
    }
    for (carried, result) in written { queues[carried.channel]?.settle(carried.line, result, at: now.boot) }
    for outcome in outcomes.prefix(writtenCount) { out[outcome.number] = nil }
    outcomes.removeFirst(writtenCount)
    mustLook = mustLook || willLook
    if let turnOffset {
      if let step = step(to: turnOffset) {
        for number in out.keys { out[number]?.since += Double(step) }
      }
      clockOffset = turnOffset
    }
    abandon()
  }

  /// Forgets what the turn has brought about; what was said is written in the next one.
  func abandon() {
    added.removeAll(keepingCapacity: true)
    written.removeAll(keepingCapacity: true)
    turnNews.removeAll()
    writtenCount = 0
    willLook = false
    turnOffset = nil
  }

  // MARK: Between turns

  /// Takes what was said of something that was handed out, for the next turn.
  package func take(_ outcome: DeliveryOutcome) { outcomes.append(outcome) }

  /// What there is to tell of channels, which is told now.
  package func takeNews() -> [OutboxNews] {
    defer { news.removeAll() }
    return news
  }

  private func tell(_ kind: OutboxNews.Kind, _ carried: Carried, _ name: String) {
    turnNews.append(OutboxNews(channel: carried.channel, name: name, kind: kind))
  }

  /// Whether something was said that is not written yet.
  package var hasOutcomes: Bool { !outcomes.isEmpty }

  /// Whether there is something to write at a time.
  package func hasWork(at now: Moment) -> Bool {
    let offset = now.utc.milliseconds - now.boot
    if step(to: offset) != nil { return true }
    clockOffset = offset
    return !outcomes.isEmpty || mustLook || (mayPrune && now.boot >= nextPruning)
  }
}

@available(*, unavailable)
extension LiveOutbox: Sendable {}
