import FencelineCivilTime
import FencelineCommandLineKit
import FencelineGeodesy
import FencelineGeofencing
import FencelineHTTPCalling
import FencelineJSONText
import FencelineService
import Glibc

/// `fenceline watch`: the events of the service as they come.
enum WatchCommand {
  private static let fixes = Flag("fixes", help: "Print every fix too, and whether it counts.")

  static let watch = Command(
    "watch", "Follow what happens, live.",
    discussion: """
      One line for each crossing, each visit that begins or ends without one, each notification that is due, each change of a signal and \
      each problem of the service. It waits for a service that is restarted, and ends with Ctrl-C.
      """,
    examples: [
      .init("fenceline watch", "See crossings as they are confirmed."),
      .init("fenceline watch --fixes --json | jq .", "Work on everything that the service decides."),
    ],
    options: [fixes],
    run: Session.running { session in
      // Whoever presses Ctrl-C has seen enough; every line has been written by then.
      signal(SIGINT) { _ in _exit(0) }
      let service = try ServiceCall(session)
      return try Watcher(
        session, service, path: "/api/v1/events" + (session.arguments[fixes] ? "?fixes=1" : "")
      ).run()
    })
}

/// Prints events, over as many connections as it takes.
private final class Watcher {
  private let session: Session
  private let service: ServiceCall
  private let path: String
  private var line: EventLine
  private var lastID: String?
  /// Why standard output takes no more.
  private var failure: (any Error)?

  init(_ session: Session, _ service: ServiceCall, path: String) {
    self.session = session
    self.service = service
    self.path = path
    line = EventLine(on: session.terminal.output)
    line.kindWidth = 7
  }

  func run() throws -> Int32 {
    // A first time that fails is told at once: the service may never have been there.
    _ = try service.status()
    OutputReader.endsProgramWhenGone()
    while true {
      do {
        let status = try service.client.events(path, after: lastID) { event in
          do { try take(event) } catch {
            failure = error
            return false
          }
          return true
        }
        if let failure { throw failure }
        guard status == 200 else { throw service.strange(status) }
      } catch let error as LocalClientError {
        if error.code == .notPermitted { throw service.failure(error) }
      }
      session.note("The service has stopped; waiting for it to start again.")
      while (try? service.status()) == nil { usleep(500_000) }
      session.note("The service is back.")
    }
  }

  private func take(_ event: ServerEvent) throws {
    if let id = event.id { lastID = id }
    guard let data = try? JSONNode(parsing: Array(event.data.utf8)), case .object(let members) = data.content
    else { return session.warn("The service told of '\(event.name)' in words that are no JSON.") }
    if session.isJSON {
      let all =
        [JSONValue.Member("type", .text(event.name))] + members.map { .init($0.name, JSONValue($0.value)) }
      try session.output.writeLine(JSONValue.object(all).line)
    } else if event.name == "lost" {
      session.warn(
        data.integer("events").map { "\(counted($0, "event")) came too fast and were left out." }
          ?? "Some events may be missing. 'fenceline history --run live' lists all crossings, 'fenceline delivered' what was told."
      )
    } else if let text = text(event.name, data) {
      try session.output.writeLine(text)
    }
    try session.output.flush()
  }

  /// An event as a line; nil for one of a kind that a later version may tell of.
  private func text(_ name: String, _ data: JSONNode) -> String? {
    if let region = data.text("region") { line.expect(region) }
    let device = data.text("device")
    switch name {
    case "crossing":
      return Crossing(data).map { line.text($0, title: data.text("title")) }
    case "visit":
      let ended = data.time("ended")
      guard let time = ended ?? data.time("began"), let region = data.text("region") else { return nil }
      let note = ended == nil ? "began inside" : "ended: \(data.text("reason") ?? "unknown")"
      return line.text(time, "visit", .dim, region, title: data.text("title"), device: device, [note])
    case "signal":
      let notes = [data.text("event"), data.text("source"), data.text("detail")].compactMap { $0 }
      return line.text(
        data.time("at") ?? LocalTime.now, "signal", .cyan, data.text("state") ?? "unknown", device: device,
        notes)
    case "fix":
      guard let latitude = data.number("latitude"), let longitude = data.number("longitude") else {
        return nil
      }
      let notes = [
        data.number("accuracy").map { "± \(lengthText($0))" },
        data.number("speed").map { "\(($0 * 3.6).trimmed(1)) km/h" }, data.text("verdict"),
      ]
      return line.text(
        data.time("time") ?? LocalTime.now, "fix", .dim, "\(latitude.fixed(6)), \(longitude.fixed(6))",
        device: device, notes.compactMap { $0 })
    case "notification":
      let notes = [data.text("state") == "delivered" ? nil : data.text("state"), data.text("reason")]
      let says = [data.text("title"), data.text("subtitle"), data.text("body")].compactMap { $0 }
      return line.text(
        data.time("at") ?? LocalTime.now, "notify", .cyan, says.joined(separator: ": "), device: nil,
        notes.compactMap { $0 })
    case "request":
      return line.text(
        LocalTime.now, "notify", .yellow, data.text("request") ?? "", device: nil,
        ["given up: \(data.text("reason") ?? "unknown")"])
    case "problem":
      let isOver = data["problem"]?.isNull == true
      return line.text(
        data.time("at") ?? LocalTime.now, "problem", isOver ? .green : .red,
        isOver ? "mended" : data.text("problem") ?? "unknown", device: device)
    default: return nil
    }
  }
}

extension Crossing {
  /// A crossing as every command prints it in JSON; nil where something is missing.
  init?(_ data: JSONNode) {
    guard let device = data.text("device"), let region = data.text("region"),
      let kind = data.text("kind").flatMap(Kind.init), let at = data.time("at"),
      let confirmedAt = data.time("confirmedAt"), let cause = data.text("cause").flatMap(Cause.init)
    else { return nil }
    let coordinate = Coordinate(
      latitude: data.number("latitude") ?? 0, longitude: data.number("longitude") ?? 0)
    self.init(
      device: device, region: region, kind: kind, at: at, confirmedAt: confirmedAt,
      earliest: data.time("earliest") ?? at, latest: data.time("latest") ?? at, cause: cause,
      notify: data.truth("notify") ?? true, coordinate: coordinate)
  }
}
