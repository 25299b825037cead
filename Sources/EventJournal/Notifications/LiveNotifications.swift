internal import FencelineCivilTime
package import FencelineNotifying
internal import FencelineSQLiteStore

/// The notification centre as the service runs it: what time and crossings bring about, turn by turn.
///
/// What it does in a turn is written in the transaction of that turn. Of what it keeps in memory nothing is needed after a restart: it
/// begins by working out anew when every request is due.
package final class LiveNotifications {
  /// The centre.
  package var centre: NotificationCentre
  /// What has happened in the turn, to be told once it is committed.
  private(set) var events: [CentreEvent] = []

  /// The last request whose time was worked out since clocks or zones have changed; those behind it are still to be seen to.
  private var considered: Int64 = 0
  /// By how much the time of day was ahead of the machine's own clock, in milliseconds; nil where that is not known yet.
  private var clockShift: Int64?
  /// Whether more is to be done than one turn does.
  package private(set) var isBehind = true
  private var nextPruning: Int64 = 0
  private var answers: [(number: Int64, options: PresentationOptions?)] = []

  /// Requests that fire or are worked out anew in one turn, so that fixes need not wait.
  private static let most = 250
  /// A time of day that moves by more than so many milliseconds against the machine's own clock was set.
  private static let leap: Int64 = 500
  /// Milliseconds between two looks for what is over for long, and for how long that is kept.
  private static let pruneEvery: Int64 = 3_600_000
  private static let keptFor: Int64 = 90 * 86_400_000

  /// The centre of a service that begins.
  package init(_ centre: NotificationCentre) {
    self.centre = centre
  }

  /// Works out anew when requests are due: clocks show something else than before.
  package func clocksHaveChanged() {
    considered = 0
    isBehind = true
  }

  /// Takes the answer of a foreground client, for the next turn; nil where there will be none.
  package func answer(_ number: Int64, _ options: PresentationOptions?) {
    answers.append((number, options))
    isBehind = true
  }

  /// Whether there is something to do at a time.
  ///
  /// - Throws: ``JournalError``.
  package func hasWork(at now: Moment) throws(JournalError) -> Bool {
    if !answers.isEmpty || hasLeapt(now) || now.boot >= nextPruning { return true }
    return try centre.journal.perform {
      try centre.connection.rows(
        """
        SELECT EXISTS (SELECT 1 FROM request WHERE due <= ?1) OR EXISTS (SELECT 1 FROM request WHERE number > ?2)
          OR EXISTS (SELECT 1 FROM notification WHERE state IN ('asked', 'held') AND (until IS NULL OR until <= ?1))
        """, [.integer(now.utc.milliseconds), .integer(considered)]
      ) { $0.integer(0) != 0 }.first ?? false
    }
  }

  /// Does what there is to do, within the transaction of the turn.
  func work(at now: Moment) throws {
    if hasLeapt(now) {
      try centre.followClock(at: now)
      considered = 0
      clockShift = now.utc.milliseconds - now.boot
    }
    let last = try centre.reconsider(after: considered, most: LiveNotifications.most, at: now)
    considered = last ?? considered
    for (number, options) in answers {
      if let event = try centre.answerPresentation(number, options, at: now) { events.append(event) }
    }
    events += try centre.release(at: now)
    let fired = try centre.fire(at: now, most: LiveNotifications.most)
    events += fired.events
    isBehind = fired.count == LiveNotifications.most || last != nil
    if now.boot >= nextPruning {
      let before = Timestamp(milliseconds: now.utc.milliseconds - LiveNotifications.keptFor)
      if !(try centre.prune(before: before, at: now)) {
        nextPruning = now.boot + LiveNotifications.pruneEvery
      }
    }
  }

  private func hasLeapt(_ now: Moment) -> Bool {
    guard let clockShift else { return true }
    return abs(now.utc.milliseconds - now.boot - clockShift) > LiveNotifications.leap
  }

  func add(_ events: [CentreEvent]) { self.events += events }

  /// Forgets what a turn has brought about that was not committed.
  func abandon() {
    events.removeAll()
    // It was rolled back.
    considered = 0
    clockShift = nil
  }

  /// Forgets what was answered, for it is committed.
  func settle() { answers.removeAll() }

  /// Whether there is something to tell.
  package var hasEvents: Bool { !events.isEmpty }

  /// What has happened in turns that are committed, which is told now.
  package func takeEvents() -> [CentreEvent] {
    defer { events.removeAll() }
    return events
  }
}

@available(*, unavailable)
extension LiveNotifications: Sendable {}
