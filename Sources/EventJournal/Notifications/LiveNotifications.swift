package import FencelineCivilTime
package import FencelineNotifying
internal import FencelineSQLiteStore

/// The notification centre as the service runs it: what time and crossings bring about, turn by turn.
///
/// What it does in a turn is written in the transaction of that turn. Of what it keeps in memory nothing is needed after a restart: it
/// begins by working out anew when every request is due. Who watches when it ends may not be told of what it has just recorded.
package final class LiveNotifications {
  /// The centre.
  package var centre: NotificationCentre
  /// What has happened in turns that are committed, to be told.
  private var events: [CentreEvent] = []
  /// What the turn has brought about so far.
  private var turnEvents: [CentreEvent] = []

  /// The last request whose time was worked out since clocks or zones have changed; those behind it are still to be seen to.
  private var considered: Int64 = 0
  /// By how much the time of day was ahead of the machine's own clock, in milliseconds; nil where that is not known yet.
  private var clockShift: Int64?
  /// Whether more is to be done than one turn does.
  package private(set) var isBehind = true
  /// The last end of a request that was told of; nil where it is not known yet.
  private var seenEnd: Int64?
  /// What ``abandon()`` returns to.
  private var before: (Int64, Int64?, Int64?, Bool, events: Int) = (0, nil, nil, true, 0)
  private var lastProblem: String?
  /// When work that has failed is tried again.
  private var nextTry: Int64 = 0
  /// Whether the clock can be trusted to say what is over for long.
  package var mayPrune = false
  private var nextPruning: Int64 = 0
  private var answers: [(number: Int64, options: PresentationOptions?)] = []

  /// Requests that fire or are worked out anew in one turn, so that fixes need not wait.
  private static let most = 250
  /// A time of day that moves by more than so many milliseconds against the machine's own clock was set.
  private static let leap: Int64 = 500
  /// Milliseconds between two looks for what is over for long, and for how long that is kept.
  private static let pruneEvery: Int64 = 3_600_000
  private static let tryEvery: Int64 = 10_000
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
    if now.boot < nextTry { return !answers.isEmpty }
    if isBehind || hasLeapt(now) || (mayPrune && now.boot >= nextPruning) { return true }
    return try centre.journal.perform {
      let isDue =
        try centre.connection.rows(
          """
          SELECT EXISTS (SELECT 1 FROM request WHERE due <= ?1) OR EXISTS (SELECT 1 FROM request WHERE number > ?2)
            OR EXISTS (SELECT 1 FROM notification WHERE state IN ('asked', 'held') AND until <= ?1)
            OR EXISTS (SELECT 1 FROM request_end WHERE number > ?3)
          """, [.integer(now.utc.milliseconds), .integer(considered), .integer(seenEnd ?? 0)]
        ) { $0.integer(0) != 0 }.first ?? false
      return try isDue || centre.holdsForNoFocus(at: now.utc)
    }
  }

  /// When there is something to do by itself; nil where there is not, or where what has failed rests.
  ///
  /// - Throws: ``JournalError``.
  package func nextDue(at now: Moment) throws(JournalError) -> Timestamp? {
    now.boot < nextTry ? nil : try centre.nextDue()
  }

  /// Does what there is to do, within the transaction of the turn.
  func work(at now: Moment) throws {
    before = (considered, clockShift, seenEnd, isBehind, turnEvents.count)
    if hasLeapt(now) {
      try centre.followClock(at: now)
      // Programs in the foreground have gone with the service before this one.
      if clockShift == nil { turnEvents += try centre.presentAsked(at: now) }
      considered = 0
      clockShift = now.utc.milliseconds - now.boot
    }
    let seen = try centre.reconsider(after: considered, most: LiveNotifications.most, at: now)
    considered = seen.last ?? considered
    for (number, options) in answers {
      if let event = try centre.answerPresentation(number, options, at: now) { turnEvents.append(event) }
    }
    turnEvents += try centre.release(at: now)
    let fired = try centre.fire(at: now, most: LiveNotifications.most)
    turnEvents += fired.events
    isBehind = max(fired.count, seen.count) == LiveNotifications.most
    if mayPrune, now.boot >= nextPruning {
      let before = Timestamp(milliseconds: now.utc.milliseconds - LiveNotifications.keptFor)
      if !(try centre.prune(before: before, at: now)) {
        nextPruning = now.boot + LiveNotifications.pruneEvery
      }
    }
    let ends = try centre.ends(after: seenEnd)
    seenEnd = ends.last
    turnEvents += ends.events
    lastProblem = nil
  }

  private func hasLeapt(_ now: Moment) -> Bool {
    guard let clockShift else { return true }
    return abs(now.utc.milliseconds - now.boot - clockShift) > LiveNotifications.leap
  }

  func add(_ events: [CentreEvent]) { turnEvents += events }

  /// Forgets what a turn has brought about that was not committed.
  func abandon() {
    withdraw()
    turnEvents.removeAll()
  }

  /// Forgets what ``work(at:)`` has brought about, and what it has noted.
  private func withdraw() {
    (considered, clockShift, seenEnd, isBehind) = (before.0, before.1, before.2, before.3)
    turnEvents.removeLast(max(0, turnEvents.count - before.events))
  }

  /// Tells, once, of something that keeps the centre from its work, and leaves that for a while.
  func fail(_ problem: String, at now: Moment) {
    withdraw()
    isBehind = false
    nextTry = now.boot + LiveNotifications.tryEvery
    if problem != lastProblem { turnEvents.append(.problem(problem)) }
    lastProblem = problem
  }

  /// Takes notice that the turn is committed.
  func settle() {
    events += turnEvents
    turnEvents.removeAll()
    answers.removeAll()
  }

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
