package import FencelineCivilTime
internal import FencelineSQLiteStore

/// An event that a channel carries, has carried or could not carry.
package struct StoredDelivery: Hashable, Sendable {
  /// What has become of it.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// It is tried, or tried again.
    case waiting
    /// Whoever it was for has it.
    case done
    /// It was given up; somebody may try it again.
    case dead
    /// Somebody has said that it need not be carried, or there is no need for it any more.
    case dropped
  }

  /// Its row.
  package var number: Int64
  /// The channel's name.
  package var channel: String
  /// The device; empty where it is about none.
  package var device: String
  /// The crossing, by its run and its number there, with its kind; nil where a notification is carried.
  package var run: Int64?
  package var sequence: Int64?
  package var kind: String?
  /// The notification's number, with its app and request; nil where a crossing is carried.
  package var notification: Int64?
  package var app: String?
  package var request: String?
  /// The region that it is about; nil where it is about none.
  package var region: String?
  /// Whether it waits only for the case that nobody answers.
  package var isEscalation: Bool
  /// When the event was recorded, and how often it was tried.
  package var created: Timestamp
  package var attempts: Int
  /// When it is tried next; of use while it waits.
  package var next: Timestamp
  /// What has become of it, and when it ended.
  package var state: State
  package var ended: Timestamp?
  /// What there is to say of the last attempt, and what was printed or answered then.
  package var detail: String?
  package var output: String?

  static let columns = """
    d.number, h.name, d.device, d.run, d.sequence, c.kind, d.notification, n.app, n.id, r.id, d.unless_seen, d.created,
    d.attempts, d.next, d.state, d.ended, d.detail, d.output
    """
  static let tables = """
    delivery d JOIN channel h ON h.number = d.channel
    LEFT JOIN crossing c ON c.run = d.run AND c.sequence = d.sequence
    LEFT JOIN notification n ON n.number = d.notification
    LEFT JOIN region r ON r.number = coalesce(c.region, n.region)
    """

  init(_ row: Statement) {
    number = row.integer(0)
    channel = row.text(1)
    device = row.text(2)
    run = row.optionalInteger(3)
    sequence = row.optionalInteger(4)
    kind = row.optionalText(5)
    notification = row.optionalInteger(6)
    app = row.optionalText(7)
    request = row.optionalText(8)
    region = row.optionalText(9)
    isEscalation = row.integer(10) != 0
    created = Timestamp(milliseconds: row.integer(11))
    attempts = Int(clamping: row.integer(12))
    next = Timestamp(milliseconds: row.integer(13))
    state = State(rawValue: row.text(14)) ?? .dead
    ended = row.optionalInteger(15).map(Timestamp.init)
    detail = row.optionalText(16)
    output = row.optionalText(17)
  }
}

/// How many deliveries a channel has.
package struct DeliveryCounts: Hashable, Sendable {
  /// Those that wait.
  package var waiting = 0
  /// Those of them that have failed before.
  package var failing = 0
  /// From when on the first of those is tried, by the clock as it is now; nil where there is none.
  package var failingSince: Timestamp?
  /// Those that were given up.
  package var dead = 0
  /// What there was to say of the last one of those.
  package var lastDeath: String?
  /// When one was last carried, as far as it is remembered.
  package var lastDone: Timestamp?
  /// What there was to say of the last attempt that has failed, where something waits because of it.
  package var lastFailure: String?

  /// None.
  package init() {}
}
