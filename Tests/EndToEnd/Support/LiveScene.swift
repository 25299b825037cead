import FencelineHTTPCalling
import FencelineTestSupport
import Foundation
import Testing

/// A service with a database of its own, and a region at 600 m of the road on which every ``Vehicle`` drives.
final class LiveScene {
  /// A change of a signal, as the journal has it.
  struct SignalLine: Codable, Hashable {
    var source: String
    var device: String?
    var state: String
    var event: String?
  }

  /// What does not come about in time.
  struct Overdue: Error, CustomStringConvertible {
    var description: String
  }

  let scratch: Scratch
  /// The database, where a test has moved it.
  private(set) var database: String
  private(set) var service: RunningProgram?

  /// Metres along the road, and the radius, of the region that all scenes have.
  static let centre = 600.0
  static let radius = 100.0

  /// A database with the region 'gate', in which a stay is believed after two seconds, and its end too.
  init() throws {
    scratch = try Scratch()
    database = scratch.database
    try addRegion("gate", at: LiveScene.centre)
  }

  deinit {
    if let service { service.signal(SIGKILL) }
  }

  /// Moves the database before the service begins.
  func moveDatabase(to name: String) throws {
    try FileManager.default.moveItem(atPath: database, toPath: scratch.path(name))
    database = scratch.path(name)
  }

  // MARK: The program

  /// The variables of every run.
  private func environment(_ more: [String: String] = [:]) -> [String: String] {
    scratch.environment(["FENCELINE_DB": database].merging(more) { $1 })
  }

  /// Runs the program, which must succeed.
  @discardableResult
  func fenceline(_ words: String..., location: SourceLocation = #_sourceLocation) throws -> ProgramRun {
    let run = try RunningProgram(
      [Project.program] + words, environment: environment(), in: scratch.folder
    ).result()
    try #require(run.status == 0, "\(words): \(run.error)", sourceLocation: location)
    return run
  }

  /// Adds a region on the road.
  func addRegion(
    _ id: String, at metres: Double, radius: Double = LiveScene.radius, _ options: String...
  ) throws {
    let run = try RunningProgram(
      [Project.program, "region", "add", id, "\(Vehicle.latitude(at: metres))", "8", "\(radius)"]
        + ["--exit-after", "2s"] + options,
      environment: environment(), in: scratch.folder
    ).result()
    try #require(run.status == 0, "\(run.error)")
  }

  /// Starts the service and waits until it answers.
  func serve(_ words: String..., with variables: [String: String] = [:]) throws {
    try adopt(
      RunningProgram(
        [Project.program, "serve"] + words, environment: environment(variables), in: scratch.folder))
  }

  /// Takes a service that was started by other means, and waits until it answers.
  func adopt(_ program: RunningProgram) throws {
    service = program
    try wait("the service answers") { _ in true }
  }

  /// Waits until something holds.
  func wait(_ what: String, _ seconds: Double = 30, for isSo: () throws -> Bool) throws {
    let deadline = Date() + seconds
    while try !isSo() {
      guard Date() < deadline else {
        throw Overdue(description: "\(what) did not come about in \(seconds) s")
      }
      usleep(100_000)
    }
  }

  /// Starts the service for a gpsd and waits until it answers.
  func serve(_ daemon: GPSDaemon) throws {
    try serve("--gpsd", "127.0.0.1:\(daemon.port)")
  }

  /// Ends the service as systemd does; it must succeed.
  @discardableResult
  func end(_ location: SourceLocation = #_sourceLocation) throws -> ProgramRun {
    let program = try #require(service)
    program.signal(SIGTERM)
    let run = try program.result(within: 30)
    service = nil
    #expect(run.status == 0, "\(run.error)", sourceLocation: location)
    return run
  }

  // MARK: What it says

  /// What the service says of itself; nil while it does not answer.
  var status: LiveStatus? {
    let client = LocalClient(unixSocket: database + "-socket")
    guard let answer = try? client.get("/api/v1/status"), answer.status == 200 else { return nil }
    return try? JSONDecoder().decode(LiveStatus.self, from: Data(answer.body))
  }

  /// Waits until the service's status is as wanted.
  ///
  /// - Throws: ``Overdue`` where it does not come to that within so many seconds.
  @discardableResult
  func wait(_ what: String, _ seconds: Double = 60, until isWanted: (LiveStatus) -> Bool) throws -> LiveStatus
  {
    let deadline = Date() + seconds
    var last: LiveStatus?
    repeat {
      last = status
      if let last, isWanted(last) { return last }
      if let service, service.ends(within: 0.1) { break }
    } while Date() < deadline
    let words = (try? service?.text("error")) ?? ""
    throw Overdue(
      description: "not in \(seconds) s: \(what)\n\(last.map { "\($0)" } ?? "no answer")\n\(words)")
  }

  /// Waits until one thing is wrong, and only that, and asks `doctor` what the service says of it.
  func wait(
    forProblem words: String, _ seconds: Double = 60, location: SourceLocation = #_sourceLocation
  ) throws {
    let status = try wait("problem: \(words)", seconds) { $0.problems.contains { $0.contains(words) } }
    #expect(status.problems.count == 1, "\(status.problems)", sourceLocation: location)
    let doctor = try scratch.fenceline("doctor", "--json", with: ["FENCELINE_DB": database])
    let findings = try doctor.decoded(DoctorLine.self).filter {
      $0.subject == "service" && $0.verdict == "problem"
    }
    #expect(
      findings.count == 1 && findings[0].text.contains(words), "\(doctor.output)", sourceLocation: location)
  }

  /// Waits until so many entries and exits were decided.
  func wait(forEntries entries: Int, exits: Int, _ seconds: Double = 60) throws {
    try wait("\(entries) entries and \(exits) exits", seconds) {
      ($0.crossings["entry"] ?? 0) >= entries && ($0.crossings["exit"] ?? 0) >= exits
    }
  }

  /// Waits until a device has a fix that the engine took.
  func wait(forFixOf device: String = "default", _ seconds: Double = 60) throws {
    let before = status?.fixes.accepted ?? 0
    try wait("a fix of \(device)", seconds) { status in
      status.fixes.accepted > before
        && status.devices.contains { $0.device == device && ["2D", "3D"].contains($0.state) }
    }
  }

  // MARK: What the journal says

  /// The crossings of the live run, in the order in which they were told.
  func crossings() throws -> [CrossingLine] {
    try fenceline("history", "--run", "live", "--json").decoded(CrossingLine.self)
      .sorted { $0.sequence < $1.sequence }
  }

  /// The visits of the live run: their regions and how they ended.
  func visits() throws -> [String] {
    try fenceline("visits", "--run", "live", "--json").decoded(VisitLine.self).map {
      "\($0.region) \($0.reason)"
    }
  }

  /// The changes of signals, in order.
  func signals() throws -> [SignalLine] {
    try scratch.sql(
      "SELECT json_object('source', source, 'device', device, 'state', state, 'event', event) FROM signal ORDER BY number",
      in: database
    ).map { try JSONDecoder().decode(SignalLine.self, from: Data($0.utf8)) }
  }

  /// Checks that the journal holds these crossings, `entry` or `exit` of the region 'gate', when the vehicle made them.
  func check(
    _ kinds: [String], of vehicle: Vehicle, device: String = "default",
    location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try crossings().filter { $0.device == device }
    #expect(found.map { "\($0.region) \($0.kind)" } == kinds.map { "gate \($0)" }, sourceLocation: location)
    let meetings = vehicle.meetings(centre: LiveScene.centre, radius: LiveScene.radius)
    #expect(meetings.count == kinds.count, sourceLocation: location)
    for (crossing, meeting) in zip(found, meetings) {
      #expect((crossing.kind == "entry") == meeting.isEntry, sourceLocation: location)
      #expect(
        abs(crossing.time - meeting.time) < 1,
        "\(crossing.kind) at \(crossing.at), driven at \(meeting.time)",
        sourceLocation: location)
    }
  }

  /// Checks that the journal has a row for each change of a signal, and these losses and returns.
  func check(signals expected: [String], location: SourceLocation = #_sourceLocation) throws {
    let signals = try signals()
    for (one, next) in zip(signals, signals.dropFirst()) {
      #expect(
        one.device != next.device || one.state != next.state || one.event != next.event,
        "told twice: \(next)", sourceLocation: location)
    }
    #expect(signals.compactMap(\.event) == expected, "\(signals)", sourceLocation: location)
  }
}

/// A line of `doctor --json`, as far as tests ask.
private struct DoctorLine: Decodable {
  var subject: String
  var verdict: String
  var text: String
}

/// What a service says of itself, as far as tests ask.
struct LiveStatus: Decodable {
  struct Source: Decodable {
    var name: String
    var state: String
    var detail: String?
    var counts: [String: Int]
  }
  struct Device: Decodable {
    struct Place: Decodable { var region: String }
    var device: String
    var receiver: String?
    var state: String?
    var inside: [Place]
  }
  struct Fixes: Decodable {
    var read: Int
    var accepted: Int
    var rejected: [String: Int]
  }
  struct Journal: Decodable { var problem: String? }
  struct Queues: Decodable {
    struct Watchers: Decodable { var clients: Int }
    var watchers: Watchers
  }

  var process: Int
  var run: Int
  var clockSynchronised: Bool
  var sources: [Source]
  var devices: [Device]
  var regions: Int
  var fixes: Fixes
  var crossings: [String: Int]
  var journal: Journal
  var queues: Queues
  var problems: [String]

  /// Whether a device is inside a region.
  func isInside(_ region: String, _ device: String = "default") -> Bool {
    devices.contains { $0.device == device && $0.inside.contains { $0.region == region } }
  }

  /// The state of a device.
  func state(of device: String = "default") -> String? { devices.first { $0.device == device }?.state }
}
