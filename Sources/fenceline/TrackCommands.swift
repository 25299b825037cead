import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeodesy
import FencelineJSONText
import FencelinePositioning
import FencelineRegionFiles
import FencelineService

/// `fenceline track`: where devices have been.
enum TrackCommands {
  private static let format = Option<TrackFormat>(
    "format", value: .choice(name: "FORMAT"), help: "What to write.", defaultText: "gpx")
  private static let output = Option<String>(
    "output", short: "o", value: .file, help: "Write to this file.", defaultText: "standard output")
  private static let part: [any Declaration] = [
    HistoryOptions.device, HistoryOptions.since, HistoryOptions.until,
  ]

  static let track = Command(
    "track", "List or export where devices have been.",
    discussion: """
      The live service stores accepted fixes, thinned: while a device moves, one every 5 s at most and more in bends, one a minute while it \
      creeps, one in four minutes while it stands; and all those with which something has happened. 'fenceline settings' says how long they \
      are kept (track.retention).
      """,
    examples: [
      .init("fenceline track --since today", "List today's way of each device."),
      .init("fenceline track export --since yesterday -o way.gpx", "Write it for a map."),
    ],
    options: part, subcommands: [export], run: Session.running(list))

  private static let export = Command(
    "export", "Write stored positions as GPX, GeoJSON or CSV.",
    discussion: """
      GPX holds a track for each device and a segment for each piece of way; GeoJSON a line for each piece, with the times in coordTimes; \
      CSV the columns of 'fenceline fixes --csv', which 'fenceline replay' reads, each device by its name; of GPX it makes one device. \
      A replay of one device, or of the CSV, gives the entries and exits that the service gave, with their times to some seconds; stays that are as short as what was thinned out (5 s) may be missing.
      """,
    examples: [
      .init("fenceline track export --since monday --device van -o week.gpx", "Write a week's way."),
      .init("fenceline track export --format csv | fenceline replay - --dry-run", "Evaluate it again."),
    ],
    options: [format, output],
    run: Session.running { session in
      let journal = try session.journal(.read)
      let filter = try HistoryOptions.filter(session, journal)
      let format = session.arguments[format] ?? .gpx
      let path = session.arguments[output] ?? "-"
      var count = 0
      if path == "-" {
        count = try write(format, filter, journal) { try session.output.write($0) }
      } else {
        try RegionFile.write(to: path) { count = try write(format, filter, journal, $0) }
      }
      if count == 0 {
        session.note(nothing)
      } else if path != "-" {
        session.note("\(counted(count, "position")) written to '\(printable(path))'")
      }
      return Status.done
    })

  /// Writes positions, and gives their number.
  private static func write(
    _ format: TrackFormat, _ filter: HistoryFilter, _ journal: Journal, _ write: (String) throws -> Void
  ) throws -> Int {
    var writer = TrackWriter(format)
    var count = 0
    try journal.positions(device: filter.device, since: filter.since, until: filter.until) { page in
      count += page.count
      for fix in page { writer.add(fix) }
      try write(writer.taken())
    }
    writer.finish()
    try write(writer.taken())
    return count
  }

  private static let nothing =
    "There are no positions of this time and device. 'fenceline serve' stores them as they come."

  /// What is known of one device.
  private struct Way {
    var device: String
    var from: Timestamp
    var to: Timestamp
    var points = 0
    var pieces = 0
    /// Metres along the pieces.
    var length = 0.0
    var last: Fix

    init(_ first: Fix) {
      device = first.device
      from = first.time
      to = first.time
      last = first
    }

    mutating func add(_ fix: Fix) {
      if points == 0 || fix.track != last.track {
        pieces += 1
      } else {
        length += last.coordinate.distance(to: fix.coordinate)
      }
      points += 1
      to = fix.time
      last = fix
    }

    var json: JSONValue {
      [
        "device": .text(device), "from": .text(from.description), "to": .text(to.description),
        "points": .integer(points), "pieces": .integer(pieces), "metres": .number(length.rounded()),
      ]
    }
  }

  private static func list(_ session: Session) throws -> Int32 {
    let journal = try session.journal(.read)
    let filter = try HistoryOptions.filter(session, journal)
    var ways: [Way] = []
    try journal.positions(device: filter.device, since: filter.since, until: filter.until) { page in
      for fix in page {
        if ways.last?.device != fix.device { ways.append(Way(fix)) }
        ways[ways.count - 1].add(fix)
      }
    }
    if session.isJSON {
      for way in ways { try session.output.writeLine(way.json.line) }
      return Status.done
    }
    guard !ways.isEmpty else {
      session.note(nothing)
      return Status.done
    }
    var table = Table([
      .init("Device", shrinksTo: 8), .init("From"), .init("To"),
      .init("Pieces", alignment: .right, priority: 1),
      .init("Points", alignment: .right, priority: 1), .init("Length", alignment: .right),
    ])
    for way in ways {
      table.append([
        way.device, LocalTime.text(way.from), LocalTime.text(way.to), grouped(way.pieces),
        grouped(way.points),
        lengthText(way.length),
      ])
    }
    try session.output.write(table.text(on: session.terminal.output))
    return Status.done
  }
}
