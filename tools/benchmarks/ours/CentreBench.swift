import FencelineCivilTime
import FencelineEventJournal
import FencelineNotifying
import FencelinePositioning
import Glibc

/// What is measured of the notification centre: many requests of all kinds, from adding them to telling of each.
enum CentreBench {
  /// A Tuesday morning in winter.
  private static let start = Moment(
    utc: Timestamp(milliseconds: 1_767_690_000_000), boot: 1_000_000, bootID: "bench")

  /// Adds requests: all but so many in one transaction, those one by one.
  ///
  /// - Returns: Nanoseconds for each of those one by one, and of the others as `together`.
  static func add(_ path: String, count: Int, singly: Int, zone: String) throws -> Answer {
    let centre = try centre(path, CivilZone(tzif: readAll(zone)))
    let requests = try (0..<count).map(request)
    let (many, few) = (Array(requests.dropLast(singly)), requests.suffix(singly))
    var answer = Answer()
    let began = nanoseconds()
    answer.hits += try centre.add(many, replacing: [], at: start).count
    let middle = nanoseconds()
    for request in few { answer.hits += try centre.add(request, at: start).due == nil ? 0 : 1 }
    answer.nanoseconds = (nanoseconds() - middle) / Double(max(1, singly))
    answer.more = [("together", (middle - began) / Double(max(1, many.count)))]
    return answer
  }

  /// Lists what is pending.
  static func list(_ path: String) throws -> Answer {
    let centre = try centre(path, .utc)
    var answer = Answer()
    let began = nanoseconds()
    try centre.pending { request in
      answer.hits += 1
      answer.checksum &+= UInt64(bitPattern: request.due?.milliseconds ?? 0)
    }
    answer.nanoseconds = (nanoseconds() - began) / Double(max(1, answer.hits))
    return answer
  }

  /// Serves a database: begins, comes into another zone, and after more than a year tells of each request.
  static func serve(_ path: String, zones: (from: String, to: String)) throws -> Answer {
    var answer = Answer()
    let centre = try centre(path, CivilZone(tzif: readAll(zones.from)))
    let count = try centre.pendingCount()
    var turns = try Turns(path, centre.settings)
    answer.more.append(("begin", try turns.run(at: start) / Double(count)))

    let before = try dues(centre)
    turns.recorder.notifications.centre.settings.localZone = try CivilZone(tzif: readAll(zones.to))
    turns.recorder.notifications.clocksHaveChanged()
    answer.more.append(("zone", try turns.run(at: start) / Double(count)))
    let after = try dues(centre)
    answer.more.append(("moved", Double(before.count { after[$0.key] != $0.value })))

    let year: Int64 = 367 * 86_400_000
    let end = Moment(
      utc: Timestamp(milliseconds: start.utc.milliseconds + year), boot: start.boot + year, bootID: "bench")
    answer.nanoseconds = try turns.run(at: end) / Double(count)
    try centre.delivered(.all) { _ in answer.hits += 1 }
    answer.more += [
      ("longest", turns.longest), ("turns", Double(turns.count)), ("told", Double(turns.told)),
      ("peak", peakBytes()),
    ]
    return answer
  }

  private static func centre(_ path: String, _ zone: CivilZone) throws -> NotificationCentre {
    // Clocks of another place that change on other days.
    let fixed = CivilZone(posixRule: "EST5EDT,M3.2.0,M11.1.0")
    let settings = CentreSettings(localZone: zone) { name in name == "America/New_York" ? fixed : nil }
    return NotificationCentre(try Journal(path: path, .write), settings)
  }

  /// One of a mix: a fifth each of intervals, repeated intervals, and rules for a day, a week and a year.
  private static func request(_ number: Int) throws -> NotificationRequest {
    let (hour, minute) = (number / 5 % 24, number / 120 % 60)
    var content = NotificationContent()
    content.title = "Request \(number)"
    content.body = "What is to be done at \(hour):\(minute)"
    let trigger: NotificationTrigger
    switch number % 5 {
    case 0: trigger = .interval(IntervalTrigger(seconds: Double(3600 + number)))
    case 1: trigger = .interval(IntervalTrigger(seconds: Double(3600 + number % 86_400), repeats: true))
    case 2: trigger = try calendar(.init(hour: hour, minute: minute))
    case 3:
      let components = CalendarRule.Components(weekday: 1 + number / 5 % 7, hour: hour, minute: minute)
      trigger = try calendar(components, .fixed("America/New_York"))
    default:
      trigger = try calendar(
        .init(month: 1 + number / 5 % 12, day: 1 + number / 60 % 28, hour: hour, minute: minute))
    }
    return NotificationRequest(identifier: "r\(number)", content: content, trigger: trigger)
  }

  private static func calendar(
    _ components: CalendarRule.Components, _ zone: CalendarTrigger.Zone = .floating
  ) throws -> NotificationTrigger {
    .calendar(CalendarTrigger(try CalendarRule(components), zone: zone, repeats: true))
  }

  private static func dues(_ centre: NotificationCentre) throws -> [String: Timestamp] {
    var found: [String: Timestamp] = [:]
    try centre.pending { found[$0.request.identifier] = $0.due }
    return found
  }

  /// The most that this process has had in memory.
  private static func peakBytes() -> Double {
    var usage = rusage()
    _ = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    return Double(usage.ru_maxrss) * 1024
  }
}

/// The turns of a service that gets no fixes.
private struct Turns {
  let recorder: LiveRecorder
  /// How many there were, how many notifications they have told of, and the longest, in nanoseconds of real time.
  var count = 0
  var told = 0
  var longest = 0.0

  init(_ path: String, _ settings: CentreSettings) throws {
    recorder = try LiveRecorder(
      Journal(path: path, .write), source: "bench",
      settings: RunSettings(device: nil, profile: "balanced", filter: .init(), startDate: nil),
      centre: settings)
  }

  /// Does what there is to do at a time.
  ///
  /// - Returns: Nanoseconds of processor time.
  mutating func run(at now: Moment) throws -> Double {
    let start = nanoseconds()
    repeat {
      let began = nanoseconds(CLOCK_MONOTONIC)
      _ = try recorder.begin(at: now)
      try recorder.commit(LiveBatch(), at: now)
      if recorder.notifications.hasEvents { try recorder.synchronise() }
      longest = max(longest, nanoseconds(CLOCK_MONOTONIC) - began)
      for case .notification in recorder.notifications.takeEvents() { told += 1 }
      count += 1
    } while recorder.notifications.isBehind
    return nanoseconds() - start
  }
}
