import FencelineCivilTime
import FencelineCommandLineKit
import FencelineService
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelinePositioning

/// `fenceline history` and `fenceline visits`: what has happened.
enum HistoryCommands {
  private enum Format: String, Sendable, CaseIterable { case table, json, csv }

  static let run = Option<RunChoice>(
    "run", value: .run, help: "One run: its number, 'live' or 'last'.", defaultText: "every run")
  static let region = Option<String>("region", value: .regionGlob, help: "Regions whose id matches.")
  static let device = Option<String>(
    "device", value: .deviceGlob, help: "Devices whose name matches.")
  private static let kind = Option<[Crossing.Kind]>(
    "kind", value: ValueType<Crossing.Kind>.choice(name: "KIND").list(), help: "Kinds of crossings.")
  static let since = Option<Timestamp>("since", value: .time, help: "From this time on.")
  static let until = Option<Timestamp>("until", value: .time, help: "Before this time.")
  private static let limit = Option<Int>(
    "limit", value: .integer(in: 1...1_000_000_000), help: "At most so many, the latest ones.")
  private static let format = Option<Format>(
    "format", value: .choice(name: "FORMAT"), help: "How to print.", defaultText: "table")

  static let history = Command(
    "history", "List crossings.",
    discussion: "Crossings are listed in the order of their confirmation.",
    examples: [
      .init("fenceline history --run last", "List the crossings of the latest replay."),
      .init(
        "fenceline history --region 'office*' --since -7d --kind entry",
        "List a week's entries to some regions."),
    ],
    options: [run, region, device, kind, since, until, limit, format], run: Session.running(listCrossings))

  static let visits = Command(
    "visits", "List who was where, from when to when.",
    discussion: """
      A visit goes from an entry to the exit; one that has not ended is open. Visits are listed in the order in which they began, \
      with the total for each region at the end. One of a device that was inside when its log began starts at the first clear fixes; \
      one that is open in a replay is known up to the last fix.
      """,
    examples: [
      .init("fenceline visits --run last", "List the visits of the latest replay."),
      .init("fenceline visits --region office --since 2026-03-01", "List a month's visits to a region."),
    ],
    options: [run, region, device, since, until, limit, format], run: Session.running(listVisits))

  static func filter(_ session: Session, _ journal: Journal) throws -> HistoryFilter {
    let arguments = session.arguments
    var filter = HistoryFilter()
    switch arguments[run] {
    case nil: break
    case .number(let id):
      guard try journal.run(id) != nil else {
        throw Failure(Status.usage, "There is no run \(id). 'fenceline runs' lists them.")
      }
      filter.run = id
    // Where there is no such run there is nothing to list: no run has the number 0.
    case .live: filter.run = try journal.liveRun() ?? 0
    case .last: filter.run = try journal.lastReplay() ?? 0
    }
    filter.region = arguments[region]
    filter.device = arguments[device]
    filter.kinds = arguments[kind] ?? []
    filter.since = arguments[since]
    filter.until = arguments[until]
    filter.limit = arguments[limit]
    if let since = filter.since, let until = filter.until, until <= since {
      throw UsageError("There is no time from --since to --until: --until must be the later one.")
    }
    return filter
  }

  private static func format(_ session: Session) -> Format {
    session.isJSON ? .json : session.arguments[format] ?? .table
  }

  private static func listCrossings(_ session: Session) throws -> Int32 {
    let journal = try session.journal(.read)
    let filter = try filter(session, journal)
    let format = format(session)
    var table = Table([
      .init("At"), .init("Kind") { Crossing.Kind(rawValue: $0)?.tint }, .init("Region", shrinksTo: 8),
      .init("Title", priority: 4, shrinksTo: 8, hidesEmpty: true),
      .init("Device", priority: 1, shrinksTo: 6, hidesEmpty: true),
      .init("Cause", priority: 5),
      .init("Confirmed", priority: 6), .init("Run", alignment: .right, priority: 3),
    ])
    if format == .csv {
      try session.output.writeLine(
        "run,sequence,device,region,title,kind,at,confirmedAt,earliest,latest,cause,notify,latitude,longitude"
      )
    }
    var count = 0
    try journal.crossings(filter) { page in
      count += page.count
      for row in page {
        let crossing = row.crossing
        switch format {
        case .json:
          try session.output.writeLine(
            JSONValue.crossing(crossing, run: row.run, sequence: row.sequence).line)
        case .csv: try session.output.writeLine(csv(row))
        case .table:
          table.append([
            LocalTime.text(crossing.at), crossing.kind.rawValue, crossing.region, row.title ?? "",
            crossing.device.shownName ?? "",
            crossing.cause.rawValue, "+" + spanText(crossing.confirmedAt.seconds(since: crossing.at)),
            String(row.run),
          ])
        }
      }
    }
    guard format == .table else { return Status.done }
    guard count > 0 else {
      session.note("There are no such crossings.")
      return Status.done
    }
    try session.output.write(table.text(on: session.terminal.output))
    session.note("\(counted(count, "crossing")), times in \(LocalTime.zone)")
    return Status.done
  }

  private static func csv(_ row: RecordedCrossing) -> String {
    let crossing = row.crossing
    let names = [crossing.device, crossing.region, row.title ?? ""].map(csvField)
    let times = [crossing.at, crossing.confirmedAt, crossing.earliest, crossing.latest].map(\.description)
    let place = [crossing.coordinate.latitude.fixed(9), crossing.coordinate.longitude.fixed(9)]
    let fields =
      [String(row.run), String(row.sequence)] + names + [crossing.kind.rawValue] + times
      + [crossing.cause.rawValue, String(crossing.notify)] + place
    return fields.joined(separator: ",")
  }

  private static func listVisits(_ session: Session) throws -> Int32 {
    let journal = try session.journal(.read)
    let filter = try filter(session, journal)
    let format = format(session)
    var table = Table([
      .init("Entered"), .init("Left", priority: 2), .init("Duration", alignment: .right),
      .init("Region", shrinksTo: 8),
      .init("Title", priority: 4, shrinksTo: 8, hidesEmpty: true),
      .init("Device", priority: 1, shrinksTo: 6, hidesEmpty: true),
      .init("Reason", priority: 5), .init("Run", alignment: .right, priority: 3),
    ])
    if format == .csv { try session.output.writeLine("run,device,region,title,entered,left,seconds,reason") }
    var totals = VisitTotals()
    try journal.visits(filter) { page in
      for visit in page {
        let reason = visit.reason?.rawValue ?? "open"
        let left = visit.left?.description
        totals.add(visit)
        switch format {
        case .json:
          let value: JSONValue = [
            "run": .integer(Int(visit.run)), "device": .text(visit.device), "region": .text(visit.region),
            "entered": .text(visit.entered.description), "left": left.map(JSONValue.text) ?? .null,
            "seconds": visit.seconds.map(JSONValue.number) ?? .null, "reason": .text(reason),
          ]
          try session.output.writeLine(value.line)
        case .csv:
          let names = [visit.device, visit.region, visit.title ?? ""].map(csvField)
          let fields =
            [String(visit.run)] + names
            + [visit.entered.description, left ?? "", visit.seconds?.fixed(3) ?? "", reason]
          try session.output.writeLine(fields.joined(separator: ","))
        case .table:
          table.append([
            LocalTime.text(visit.entered), visit.left.map(LocalTime.text) ?? "",
            visit.seconds.map(spanText) ?? "",
            visit.region, visit.title ?? "", visit.device.shownName ?? "", reason, String(visit.run),
          ])
        }
      }
    }
    guard format == .table else { return Status.done }
    guard totals.count > 0 else {
      session.note("There are no such visits.")
      return Status.done
    }
    try session.output.write(table.text(on: session.terminal.output))
    try session.output.write("\n" + totals.table.text(on: session.terminal.output))
    session.note("\(counted(totals.count, "visit")), times in \(LocalTime.zone)")
    if totals.runs.count > 1 {
      session.note(
        "the totals are of \(totals.runs.count) runs, one of them with --run: runs of the same time count it twice"
      )
    }
    return Status.done
  }
}

/// How often and how long regions were visited.
private struct VisitTotals {
  private struct Total {
    var title: String?
    var visits = 0
    var open = 0
    var seconds = 0.0
    var longest = 0.0
  }

  private var totals: [String: Total] = [:]
  private(set) var count = 0
  private(set) var runs: Set<Int64> = []

  mutating func add(_ visit: Visit) {
    count += 1
    runs.insert(visit.run)
    var total = totals[visit.region] ?? Total()
    total.title = visit.title ?? total.title
    total.visits += 1
    total.open += visit.left == nil ? 1 : 0
    total.seconds += visit.seconds ?? 0
    total.longest = max(total.longest, visit.seconds ?? 0)
    totals[visit.region] = total
  }

  /// Most time first; open visits do not count into the time.
  var table: Table {
    var table = Table([
      .init("Region", shrinksTo: 8), .init("Title", priority: 2, shrinksTo: 8, hidesEmpty: true),
      .init("Visits", alignment: .right),
      .init("Open", alignment: .right, priority: 1, hidesEmpty: true), .init("Total", alignment: .right),
      .init("Longest", alignment: .right, priority: 3),
    ])
    for (region, total) in totals.sorted(by: { ($1.value.seconds, $0.key) < ($0.value.seconds, $1.key) }) {
      let closed = total.visits > total.open
      table.append([
        region, total.title ?? "", grouped(total.visits), total.open == 0 ? "" : grouped(total.open),
        closed ? spanText(total.seconds) : "", closed ? spanText(total.longest) : "",
      ])
    }
    return table
  }
}
