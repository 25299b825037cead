import FencelineCommandLineKit
import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineRegionFiles
import FencelineService

/// `fenceline visits`: who was where, from when to when.
enum VisitsCommand {
  /// What totals are summed up by.
  private enum Sum: String, Sendable, CaseIterable {
    case day, week, month, year, all

    var period: CalendarPeriod? { CalendarPeriod(rawValue: rawValue) }
  }

  private static let per = Option<Sum>(
    "per", value: .choice(name: "PERIOD"),
    help: "Print only totals: for each region and local day, week from Monday, month or year, or in all.")

  static let visits = Command(
    "visits", "List who was where, from when to when, or how long per day or week.",
    discussion: """
      A visit goes from an entry to the exit; one that has not ended is open. Visits are listed in the order in which they began, \
      with the total for each region at the end. One of a device that was inside when its log began starts at the first clear fixes; \
      one that is open in a replay is known up to the last fix.
      In totals a visit counts in every period that it touches, with its time there; time outside --since and --until does not count, and \
      time that several runs tell of counts once.
      """,
    examples: [
      .init("fenceline visits --run last", "List the visits of the latest replay."),
      .init("fenceline visits --region office --since 2026-03", "List the visits to a region since March."),
      .init("fenceline visits --per week --since last-month", "Sum up how long it was where in each week."),
      .init(
        "fenceline visits --per day --format csv > hours.csv", "Take the hours of each day to a spreadsheet."),
    ],
    options: HistoryOptions.first + HistoryOptions.last + [per, HistoryFormat.option],
    run: Session.running { session in
      if let sum = session.arguments[per] { return try total(session, sum) }
      return try list(session)
    })

  private static func list(_ session: Session) throws -> Int32 {
    let journal = try session.journal(.read)
    let filter = try HistoryOptions.filter(session, journal)
    let format = HistoryFormat.wanted(session)
    let printer = try HistoryPrinter<Visit>(
      session, format,
      columns: [
        .init("Entered"), .init("Left", priority: 2), .init("Duration", alignment: .right),
        .init("Region", shrinksTo: 8), .init("Title", priority: 4, shrinksTo: 8, hidesEmpty: true),
        .init("Device", priority: 1, shrinksTo: 6, hidesEmpty: true), .init("Reason", priority: 5),
        .init("Run", alignment: .right, priority: 3),
      ])
    var totals = VisitTotals(
      per: nil, since: filter.since, until: filter.until, liveRun: try journal.liveRun())
    try journal.visits(filter) { page in
      for visit in page {
        totals.add(visit)
        try printer.print(visit)
      }
    }
    try printer.finish()
    guard format == .table else { return Status.done }
    guard totals.visits > 0 else {
      session.note("There are no such visits.\(try HistoryOptions.advice(filter, journal))")
      return Status.done
    }
    try session.output.write("\n" + table(totals).text(on: session.terminal.output))
    summarise(totals, session)
    return Status.done
  }

  private static func total(_ session: Session, _ sum: Sum) throws -> Int32 {
    let format = HistoryFormat.wanted(session)
    guard format != .geojson, format != .gpx else {
      throw UsageError("Totals have no place: --per goes with the formats table, json and csv.")
    }
    let journal = try session.journal(.read)
    let filter = try HistoryOptions.filter(session, journal)
    guard filter.limit == nil else {
      throw UsageError("Totals are of all visits: leave out --limit or --per.")
    }
    var totals = VisitTotals(
      per: sum.period, since: filter.since, until: filter.until, liveRun: try journal.liveRun())
    try journal.visits(filter) { page in page.forEach { totals.add($0) } }
    switch format {
    case .json: for row in totals.rows { try session.output.writeLine(json(row, sum.period).line) }
    case .csv:
      try session.output.writeLine("period,from,region,title,visits,open,hours,seconds,longest")
      for row in totals.rows { try session.output.writeLine(csv(row, sum.period)) }
    case .table, .geojson, .gpx:
      guard totals.visits > 0 else {
        session.note("There are no such visits.\(try HistoryOptions.advice(filter, journal))")
        return Status.done
      }
      try session.output.write(table(totals).text(on: session.terminal.output))
      summarise(totals, session)
    }
    return Status.done
  }

  private static func summarise(_ totals: VisitTotals, _ session: Session) {
    let visits = "\(counted(totals.visits, "visit")) to \(counted(totals.regions, "region"))"
    session.note("\(visits), \(hoursText(totals.seconds)) in all; times in \(LocalTime.zone)")
    if totals.open > 0 {
      session.note(
        "\(counted(totals.open, "visit is open", "visits are open")) and counted up to the last fix"
          + (totals.openOfReplays > 0 ? "; logs that are replayed together count the time between them" : "")
      )
    }
    if totals.shared > 0 {
      session.note(
        "\(counted(totals.shared, "visit shares", "visits share")) time with another run's; it counts once")
    }
  }

  private static func table(_ totals: VisitTotals) -> Table {
    var columns: [Table.Column] = [
      .init("Region", shrinksTo: 8), .init("Title", priority: 2, shrinksTo: 8, hidesEmpty: true),
      .init("Visits", alignment: .right, priority: 1),
      .init("Open", alignment: .right, priority: 4, hidesEmpty: true), .init("Total", alignment: .right),
      .init("Longest", alignment: .right, priority: 3),
    ]
    if let period = totals.period {
      columns.insert(.init(period.rawValue.prefix(1).uppercased() + period.rawValue.dropFirst()), at: 0)
    }
    var table = Table(columns)
    var last: CivilDate?
    for row in totals.rows {
      // A period's name stands once.
      let name = row.start == last ? "" : totals.period.flatMap { shownName($0, row.start) } ?? ""
      last = row.start
      table.append(
        (totals.period == nil ? [] : [name]) + [
          row.region, row.title ?? "", grouped(row.visits), row.open == 0 ? "" : grouped(row.open),
          hoursText(row.seconds), spanText(row.longest),
        ])
    }
    return table
  }

  /// `Tue 2026-03-17`, `2026-03-16 W12`.
  private static func shownName(_ period: CalendarPeriod, _ start: CivilDate?) -> String? {
    guard let start else { return nil }
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][start.daysSinceMonday]
    return switch period {
    case .day: "\(weekday) \(start)"
    case .week: "\(start) \(period.name(of: start).suffix(3))"
    case .month, .year: period.name(of: start)
    }
  }

  private static func span(
    _ row: VisitTotals.Row, _ period: CalendarPeriod?
  ) -> (name: String, from: String, until: String)? {
    guard let period, let start = row.start else { return nil }
    let end = LocalTime.start(of: period.next(after: start))
    return (period.name(of: start), LocalTime.start(of: start).description, end.description)
  }

  private static func json(_ row: VisitTotals.Row, _ period: CalendarPeriod?) -> JSONValue {
    let span = span(row, period)
    return [
      "period": span.map { .text($0.name) } ?? .null, "from": span.map { .text($0.from) } ?? .null,
      "until": span.map { .text($0.until) } ?? .null, "region": .text(row.region),
      "title": row.title.map(JSONValue.text) ?? .null, "visits": .integer(row.visits),
      "open": .integer(row.open), "seconds": seconds(row.seconds), "longest": seconds(row.longest),
    ]
  }

  /// To the millisecond, which sums of binary fractions miss.
  private static func seconds(_ value: Double) -> JSONValue { .number((value * 1000).rounded() / 1000) }

  /// For spreadsheets: the period's first day by the local calendar, and its hours.
  private static func csv(_ row: VisitTotals.Row, _ period: CalendarPeriod?) -> String {
    let fields = [
      period.flatMap { period in row.start.map { period.name(of: $0) } } ?? "", row.start?.description ?? "",
      row.region, row.title ?? "", String(row.visits), String(row.open), (row.seconds / 3600).fixed(4),
      row.seconds.fixed(3), row.longest.fixed(3),
    ]
    return fields.map(CSVTable.field).joined(separator: ",")
  }
}

extension Visit: HistoryRecord {
  static let header = "run,device,region,title,entered,left,seconds,reason"

  private var ending: String { reason?.rawValue ?? "open" }

  var json: JSONValue {
    [
      "run": .integer(Int(run)), "device": .text(device), "region": .text(region),
      "entered": .text(entered.description), "left": left.map { .text($0.description) } ?? .null,
      "seconds": seconds.map(JSONValue.number) ?? .null, "reason": .text(ending),
    ]
  }

  var fields: [String] {
    [
      String(run), device, region, title ?? "", entered.description, left?.description ?? "",
      seconds?.fixed(3) ?? "", ending,
    ]
  }

  var cells: [String] {
    [
      LocalTime.text(entered), left.map(LocalTime.text) ?? "", seconds.map(spanText) ?? "", region,
      title ?? "", device.shownName ?? "", ending, String(run),
    ]
  }

  var waypoint: (place: Coordinate, time: Timestamp, name: String, note: String, kind: String) {
    let device = device.shownName.map { "\($0), " } ?? ""
    let span = left.map { "to \(LocalTime.text($0)), \(spanText($0.seconds(since: entered)))" } ?? "open"
    return (centre, entered, title ?? region, "\(device)\(LocalTime.text(entered)) \(span)", "visit")
  }
}
