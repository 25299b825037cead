import FencelineCommandLineKit
import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineService

/// `fenceline history`: crossings.
enum HistoryCommand {
  static let history = Command(
    "history", "List crossings.",
    discussion: """
      Crossings are listed in the order of their confirmation, in local time (--json, csv, geojson and gpx: UTC). As geojson and gpx \
      they are points where the perimeter was met.
      """,
    examples: [
      .init("fenceline history --run last", "List the crossings of the latest replay."),
      .init(
        "fenceline history --region 'office*' --since monday --kind entry",
        "List this week's entries to some regions."),
      .init("fenceline history --format gpx > crossings.gpx", "Look at them on a map."),
    ],
    options: HistoryOptions.first + [HistoryOptions.kind] + HistoryOptions.last + [HistoryFormat.option],
    run: Session.running(list))

  private static func list(_ session: Session) throws -> Int32 {
    let journal = try session.journal(.read)
    var filter = try HistoryOptions.filter(session, journal)
    filter.kinds = session.arguments[HistoryOptions.kind] ?? []
    let format = HistoryFormat.wanted(session)
    let printer = try HistoryPrinter<RecordedCrossing>(
      session, format,
      columns: [
        .init("At"), .init("Kind") { Crossing.Kind(rawValue: $0)?.tint }, .init("Region", shrinksTo: 8),
        .init("Title", priority: 4, shrinksTo: 8, hidesEmpty: true),
        .init("Device", priority: 1, shrinksTo: 6, hidesEmpty: true), .init("Cause", priority: 5),
        .init("Confirmed", priority: 6), .init("Run", alignment: .right, priority: 3),
      ])
    var kinds: [Crossing.Kind: Int] = [:]
    try journal.crossings(filter) { page in
      for crossing in page {
        kinds[crossing.crossing.kind, default: 0] += 1
        try printer.print(crossing)
      }
    }
    try printer.finish()
    guard format == .table else { return Status.done }
    guard printer.count > 0 else {
      session.note("There are no such crossings.\(try HistoryOptions.advice(filter, journal))")
      return Status.done
    }
    session.note("\(Crossing.Kind.summary(kinds)); times in \(LocalTime.zone)")
    return Status.done
  }
}

extension RecordedCrossing: HistoryRecord {
  static let header =
    "run,sequence,device,region,title,kind,at,confirmedAt,earliest,latest,cause,notify,latitude,longitude"

  var json: JSONValue { .crossing(crossing, run: run, sequence: sequence) }

  var fields: [String] {
    let names = [crossing.device, crossing.region, title ?? ""]
    let times = [crossing.at, crossing.confirmedAt, crossing.earliest, crossing.latest].map(\.description)
    let place = [crossing.coordinate.latitude.fixed(9), crossing.coordinate.longitude.fixed(9)]
    return [String(run), String(sequence)] + names + [crossing.kind.rawValue] + times
      + [crossing.cause.rawValue, String(crossing.notify)] + place
  }

  var cells: [String] {
    [
      LocalTime.text(crossing.at), crossing.kind.rawValue, crossing.region, title ?? "",
      crossing.device.shownName ?? "", crossing.cause.rawValue,
      "+" + spanText(crossing.confirmedAt.seconds(since: crossing.at)), String(run),
    ]
  }

  var waypoint: (place: Coordinate, time: Timestamp, name: String, note: String, kind: String) {
    let delay = "confirmed +\(spanText(crossing.confirmedAt.seconds(since: crossing.at)))"
    let device = crossing.device.shownName.map { "\($0), " } ?? ""
    return (
      crossing.coordinate, crossing.at, "\(crossing.kind.rawValue) \(title ?? crossing.region)",
      "\(device)\(LocalTime.text(crossing.at)), \(crossing.cause.rawValue), \(delay)", crossing.kind.rawValue
    )
  }
}
