package import FencelineCivilTime
internal import FencelineJSONText
package import FencelineNotifying
internal import FencelineSQLiteStore

/// A notification that has become due.
package struct StoredNotification: Hashable, Sendable {
  /// What has become of it.
  package enum State: String, Hashable, Sendable {
    /// A foreground client is asked how to show it.
    case asked
    /// It waits for the end of a focus, or for the summary.
    case held
    /// It was shown, and is listed until it is removed.
    case delivered
    /// It is not shown.
    case suppressed
  }

  /// Its row, which no other notification ever gets.
  package var number: Int64
  /// The app and the identifier of the request.
  package var app: String
  package var identifier: String
  /// What it says, placeholders filled.
  package var content: NotificationContent
  /// When it was due, and when that was seen to.
  package var due: Timestamp
  package var at: Timestamp
  /// The crossing that it tells of, by run and sequence number; nil where it tells of none.
  package var crossing: (run: Int64, sequence: Int64)? {
    guard let run, let sequence else { return nil }
    return (run, sequence)
  }
  private var run: Int64?
  private var sequence: Int64?
  /// The region, by its identifier, and the device.
  package var region: String?
  package var device: String?
  /// What has become of it, and why.
  package var state: State
  package var reason: String?
  /// Until when it is held, or asked about; nil where that is not known.
  package var until: Timestamp?
  /// How it is shown.
  package var presentation: PresentationOptions
  /// Whether it was marked as read.
  package var isRead: Bool

  static let columns = """
    n.number, n.app, n.id, n.content, n.due, n.at, n.run, n.sequence, r.id, n.device, n.state, n.reason, n.until,
    n.presentation, n.read
    """
  static let columnCount: Int32 = 15
  static let tables = "notification n LEFT JOIN region r ON r.number = n.region"

  init(_ row: Statement) {
    number = row.integer(0)
    app = row.text(1)
    identifier = row.text(2)
    let node = row.optionalText(3).flatMap { try? JSONNode(parsing: $0.utf8) }
    content = node.map { NotificationContent($0) } ?? NotificationContent()
    due = Timestamp(milliseconds: row.integer(4))
    at = Timestamp(milliseconds: row.integer(5))
    run = row.optionalInteger(6)
    sequence = row.optionalInteger(7)
    region = row.optionalText(8)
    device = row.optionalText(9)
    state = State(rawValue: row.text(10)) ?? .suppressed
    reason = row.optionalText(11)
    until = row.optionalInteger(12).map(Timestamp.init)
    presentation = PresentationOptions(rawValue: Int(truncatingIfNeeded: row.integer(13)))
    isRead = row.integer(14) != 0
  }
}

/// What has happened in a centre, to be told once it is committed.
package enum CentreEvent: Hashable, Sendable {
  /// A notification is due, and what has become of it so far.
  case notification(StoredNotification)
  /// A request was given up.
  case ended(app: String, identifier: String, reason: String)
  /// A row of the database cannot be used; a sentence.
  case problem(String)
}
