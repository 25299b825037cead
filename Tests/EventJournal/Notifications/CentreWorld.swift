import FencelineCivilTime
import FencelineDecisions
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineNotifying
import FencelinePositioning
import FencelineTestSupport
import Testing

/// A notification centre in a database of its own, served by a recorder, with clocks that a test moves.
final class CentreWorld {
  let test: TestJournal
  private(set) var recorder: LiveRecorder
  private(set) var pipeline: Pipeline
  var settings: CentreSettings
  /// The time of day, and milliseconds since the machine began.
  var now: Timestamp
  var boot: Int64 = 1_000_000
  var bootID = "first"
  /// What has happened in the last turns.
  private(set) var events: [CentreEvent] = []

  var moment: Moment { Moment(utc: now, boot: boot, bootID: bootID) }
  var centre: NotificationCentre { NotificationCentre(test.journal, settings) }

  init(at text: String = "2026-03-01T12:00Z", _ regions: [Region] = []) throws {
    test = try TestJournal(regions)
    now = try instant(text)
    settings = CentreSettings(localZone: .utc) { zoneNamed($0) }
    let moment = Moment(utc: now, boot: 1_000_000, bootID: "first")
    recorder = try Self.recorder(test.path, settings)
    pipeline = try recorder.pipeline(profile: .exact, filter: .init(), at: moment)
  }

  private static func recorder(_ path: String, _ settings: CentreSettings) throws -> LiveRecorder {
    try LiveRecorder(
      Journal(path: path, .write), source: "test",
      settings: RunSettings(device: nil, profile: "exact", filter: .init(), startDate: nil), centre: settings)
  }

  /// Serves anew, as after a kill.
  func restart() throws {
    recorder = try Self.recorder(test.path, settings)
    pipeline = try recorder.pipeline(profile: .exact, filter: .init(), at: moment)
    try turn()
  }

  /// The machine begins anew after so many seconds, and the service with it.
  func reboot(after seconds: Double) throws {
    now = now + seconds
    boot = 20_000
    bootID += "'"
    try restart()
  }

  /// Lets time pass, then does what there is to do.
  func wait(_ seconds: Double) throws {
    now = now + seconds
    boot += Int64((seconds * 1000).rounded())
    try turn()
  }

  /// Somebody sets the clock.
  func setClock(by seconds: Double) throws {
    now = now + seconds
    try turn()
  }

  /// The machine comes into another zone.
  func travel(to zone: CivilZone) throws {
    settings.localZone = zone
    recorder.notifications.centre.settings.localZone = zone
    recorder.notifications.clocksHaveChanged()
    try turn()
  }

  func turn(_ batch: LiveBatch = .init()) throws {
    events = []
    recorder.notifications.centre.settings.pendingLimit = settings.pendingLimit
    recorder.notifications.centre.settings.isForeground = settings.isForeground
    recorder.notifications.centre.settings.summaryTimes = settings.summaryTimes
    recorder.notifications.centre.settings.showsUnanswered = settings.showsUnanswered
    var (batch, turns) = (batch, 0)
    repeat {
      _ = try recorder.begin(at: moment)
      try recorder.commit(batch, at: moment)
      events += recorder.notifications.takeEvents()
      batch = LiveBatch()
      turns += 1
    } while recorder.notifications.isBehind && turns < 1000
    #expect(turns < 1000)
  }

  /// A fix of a device so many metres north of the centre of ``region(_:radius:)``.
  func fix(_ metres: Double, device: String = "d") throws {
    now = now + 10
    boot += 10_000
    let coordinate = Coordinate(latitude: 47.5, longitude: 8.25).destination(azimuth: 0, distance: metres)
    let fix = Fix(device: device, time: now, coordinate: coordinate, accuracy: 3, source: .tpv)
    _ = try recorder.begin(at: moment)
    recorder.abandon()
    var outcomes: [Outcome] = []
    let verdict = pipeline.process(fix, now: nil, arrival: boot, into: &outcomes)
    var batch = LiveBatch()
    batch.take(fix, verdict, outcomes, by: pipeline)
    try turn(batch)
  }

  /// Takes notice of regions that were edited.
  func readRegions() throws {
    pipeline = try recorder.pipeline(profile: .exact, filter: .init(), at: moment)
  }

  // MARK: Requests

  @discardableResult
  func add(
    _ identifier: String, _ trigger: NotificationTrigger?, misfire: MisfirePolicy = .init(),
    pastGrace: Double? = nil,
    app: String = NotificationRequest.ownApp, _ change: (inout NotificationContent) -> Void = { _ in }
  ) throws -> AddedRequest {
    var content = NotificationContent()
    content.title = identifier
    change(&content)
    return try centre.add(
      NotificationRequest(
        app: app, identifier: identifier, content: content, trigger: trigger, misfire: misfire,
        pastGrace: pastGrace),
      at: moment)
  }

  /// Identifiers of pending requests, with when they are due.
  func pending() throws -> [String: Timestamp?] {
    var found: [String: Timestamp?] = [:]
    try centre.pending { found[$0.request.identifier] = .some($0.due) }
    return found
  }

  func delivered(_ scope: DeliveredScope = .listed) throws -> [StoredNotification] {
    var found: [StoredNotification] = []
    try centre.delivered(scope) { found.append($0) }
    return found
  }

  /// The titles of what is listed.
  func listed() throws -> [String] { try delivered().map(\.content.title) }

  /// What the last turns have delivered, by its title.
  var told: [String] {
    events.compactMap {
      guard case .notification(let notification) = $0, notification.state == .delivered else { return nil }
      return notification.content.title
    }
  }
}

func + (time: Timestamp, seconds: Double) -> Timestamp {
  Timestamp(milliseconds: time.milliseconds + Int64((seconds * 1000).rounded()))
}

func instant(_ text: String) throws -> Timestamp { try #require(ISO8601(parsing: text.utf8)).time }

/// Zones that need no database.
func zoneNamed(_ name: String) -> CivilZone? {
  switch name {
  case "UTC": .utc
  case "Europe/Zurich": CivilZone(posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
  case "America/New_York": CivilZone(posixRule: "EST5EDT,M3.2.0,M11.1.0")
  case "Asia/Tokyo": CivilZone(posixRule: "JST-9")
  default: nil
  }
}

func zone(_ name: String) throws -> CivilZone { try #require(zoneNamed(name)) }

func daily(
  _ hour: Int, _ minute: Int = 0, zone: CalendarTrigger.Zone = .floating, repeats: Bool = true,
  from start: Timestamp? = nil, until end: Timestamp? = nil, times: Int? = nil,
  every: CalendarRule.Interval? = nil
) throws -> NotificationTrigger {
  .calendar(
    CalendarTrigger(
      try CalendarRule(.init(hour: hour, minute: minute), every: every), zone: zone, repeats: repeats,
      from: start,
      until: end, times: times))
}

/// The error that a centre refuses something with.
func refusal(_ body: () throws -> Void) -> NotificationError? {
  do {
    try body()
    return nil
  } catch {
    return error as? NotificationError
  }
}
