package import FencelineCivilTime
internal import FencelineJSONText
package import FencelineNotifying
internal import FencelineSQLiteStore

/// A request that is pending.
package struct StoredRequest: Hashable, Sendable {
  /// Its row, which no other request ever gets.
  package var number: Int64
  /// What is wanted.
  package var request: NotificationRequest
  /// When it was asked for, by the clock as it went when that was last looked at.
  package var requestedAt: Timestamp
  /// When it is due next; nil where time does not make it due.
  package var due: Timestamp?
  /// Whether its region is there for it alone.
  package var ownsRegion: Bool
  /// The last occurrence that was seen to.
  var last: Occurrence?

  /// More milliseconds than any time has.
  static let latest: Int64 = 253_402_300_799_999

  static let columns = """
    number, app, id, content, trigger, misfire, grace, past_grace, requested, due, last_key, last_at, owns_region
    """

  /// The request of a row; nil where another hand has spoilt it.
  init?(_ row: Statement) {
    guard let content = try? JSONNode(parsing: row.text(3).utf8),
      let node = try? JSONNode(parsing: row.text(4).utf8)
    else { return nil }
    var trigger: NotificationTrigger?
    if !node.isNull {
      guard let read = NotificationTrigger(node) else { return nil }
      trigger = read
    }
    number = row.integer(0)
    let misfire = MisfirePolicy(Self.action(row.text(5)), grace: row.real(6))
    request = NotificationRequest(
      app: row.text(1), identifier: row.text(2), content: NotificationContent(content), trigger: trigger,
      misfire: misfire, pastGrace: row.optionalReal(7))
    requestedAt = Timestamp(milliseconds: row.integer(8))
    due = row.optionalInteger(9).map(Timestamp.init)
    if let key = row.optionalInteger(10) {
      last = Occurrence(key: key, at: Timestamp(milliseconds: row.integer(11)))
    }
    ownsRegion = row.integer(12) != 0
    let times = [requestedAt, due, last?.at].compactMap { $0 }
    guard (try? request.check()) != nil, (-Self.latest...Self.latest).contains(last?.key ?? 0),
      times.allSatisfy({ (Timestamp.earliest...Timestamp.latest).contains($0) })
    else { return nil }
    if case .interval(let trigger) = request.trigger {
      // Another hand may have written any number.
      guard (0...Int64(3.2e12 / trigger.seconds)).contains(last?.key ?? 0) else { return nil }
    }
  }

  private static func action(_ text: String) -> MisfirePolicy.Action {
    switch text {
    case "once": .once
    case "skip": .skip
    default: Int(text).map(MisfirePolicy.Action.all) ?? .once
    }
  }

  static func text(_ action: MisfirePolicy.Action) -> String {
    switch action {
    case .once: "once"
    case .skip: "skip"
    case .all(let number): String(number)
    }
  }
}
