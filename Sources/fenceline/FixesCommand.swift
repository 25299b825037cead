import FencelineCivilTime
import FencelineCommandLineKit
import FencelineRegionFiles
import FencelineService
import FencelineGeodesy
import FencelineJSONText
import FencelinePositioning
import FencelineTrackLogs

/// `fenceline fixes`: what a log holds.
enum FixesCommand {
  private static let files = Positional<String>(
    "FILE", value: .file,
    help:
      "A log: NMEA 0183, GPX, gpsd JSON, OwnTracks, Google's location history or CSV, also in gzip; - is standard input.",
    repeatable: true)
  static let device = Option<String>(
    "device", value: .deviceName, help: "Give every fix to this device.",
    defaultText: "as the log says")
  static let date = Option<CivilDate>(
    "date", value: .date, help: "The day on which a log that holds no date begins.", defaultText: "1970-01-01"
  )
  private static let csv = Flag("csv", help: "Print CSV with a header.")

  static let fixes = Command(
    "fixes", "List the fixes in a log.",
    discussion: """
      Everything that the log gives, before anything is judged. What gives no fix is counted on standard error.
      CSV needs a first line with the names of its columns: time, latitude and longitude, and where known accuracy (metres, 68 %), \
      speed (m/s, or speed_kmh, speed_knots), course, altitude and device; the usual other names (timestamp, lat, lon, hdop, bearing, \
      ele and so on) do too. Times are ISO 8601, or seconds or milliseconds since 1970.
      """,
    examples: [
      .init("fenceline fixes drive.nmea", "List the fixes of an NMEA log."),
      .init("fenceline fixes --csv walk.gpx > walk.csv", "Convert a GPX track to CSV."),
      .init("gpspipe -w -n 100 | fenceline fixes -", "List what gpsd says."),
    ],
    positionals: [files], options: [csv, date, device],
    run: Session.running { session in
      var listing = Listing(session: session)
      return try listing.run()
    })

  private struct Listing {
    let session: Session
    private var format: Format
    private var unread: [TrackLogError] = []
    private var isDamaged = false
    private let table: StreamedTable

    enum Format { case text, csv, json }

    init(session: Session) {
      self.session = session
      format = session.isJSON ? .json : session.arguments[csv] ? .csv : .text
      table = FixesCommand.table(on: session.terminal.output)
    }

    mutating func run() throws -> Int32 {
      let paths = session.arguments[all: files]
      for path in paths {
        do throws(TrackLogError) {
          let reader = try TrackLogReader(path: path, options: session.logOptions)
          try list(reader, path)
        } catch {
          session.complain(error.sentence)
          unread.append(error)
        }
        if let failure { throw failure }
      }
      if unread.count == paths.count { return unread.first?.status ?? Status.unreadable }
      return unread.isEmpty && !isDamaged ? Status.done : Status.partial
    }

    /// Why nothing more can be printed.
    private var failure: OutputError?

    private var hasHeader = false

    private mutating func header() {
      hasHeader = true
      let (format, table) = (format, table)
      printing { output throws(OutputError) in
        switch format {
        case .csv:
          try output.writeLine(FixesCommand.csvHeader)
        case .text: try output.write(table.header)
        case .json: break
        }
      }
    }

    private mutating func printing(_ body: (Output) throws(OutputError) -> Void) {
      do throws(OutputError) { try body(session.output) } catch { failure = error }
    }

    private mutating func list(_ reader: TrackLogReader, _ path: String) throws(TrackLogError) {
      var fixes: [Fix] = []
      var count = 0
      var goesOn = true
      while goesOn, failure == nil {
        goesOn = try reader.read(into: &fixes)
        if goesOn, reader.format.holdsWholeTrack { continue }
        if reader.format.holdsWholeTrack { inTimeOrder(&fixes) }
        if !hasHeader, format == .csv || !fixes.isEmpty { header() }
        let (format, table) = (format, table)
        printing { output throws(OutputError) in
          for fix in fixes {
            switch format {
            case .csv: try output.writeLine(FixesCommand.csv(fix))
            case .json: try output.writeLine(FixesCommand.json(fix).line)
            case .text: try output.write(table.line(FixesCommand.cells(fix)))
            }
          }
          // Who pipes a receiver through wants to see it live.
          if path == "-" { try output.flush() }
        }
        count += fixes.count
        fixes.removeAll(keepingCapacity: true)
      }
      let zone = format == .text ? ", times in \(LocalTime.zone)" : ""
      session.note(
        "\(session.name(of: path)): \(reader.format.displayName), \(counted(count, "fix", "fixes"))\(zone)")
      let tally = reader.tally
      session.tell(
        tally.omissions.map { reason, count in
          (reason.name + (tally.firstLine(reason).map { " (first in line \($0))" } ?? ""), count)
        })
      for warning in reader.warnings { session.warn(warning) }
      if let ending = reader.ending {
        session.complain(ending.sentence)
        isDamaged = true
      }
    }
  }

  static let csvHeader = "time,latitude,longitude,accuracy,altitude,speed,course,device,source"

  /// A row of CSV.
  static func csv(_ fix: Fix) -> String {
    let numbers = [
      fix.coordinate.latitude.fixed(9), fix.coordinate.longitude.fixed(9), fix.accuracy?.fixed(2) ?? "",
      fix.altitude?.fixed(2) ?? "", fix.speed?.fixed(3) ?? "", fix.course?.fixed(2) ?? "",
    ]
    return
      ([fix.time.description] + numbers + [CSVTable.field(fix.device), CSVTable.field(fix.source.rawValue)])
      .joined(separator: ",")
  }

  private static func json(_ fix: Fix) -> JSONValue {
    [
      "time": .text(fix.time.description), "latitude": .number(fix.coordinate.latitude),
      "longitude": .number(fix.coordinate.longitude), "accuracy": number(fix.accuracy, 2),
      "altitude": number(fix.altitude, 2), "speed": number(fix.speed, 3), "course": number(fix.course, 2),
      "device": .text(fix.device), "source": .text(fix.source.rawValue),
    ]
  }

  private static func number(_ value: Double?, _ places: Int) -> JSONValue {
    value.map { .number(Double($0.fixed(places)) ?? $0) } ?? .null
  }

  /// Up to the course it fits into 80 columns.
  private static func table(on stream: Terminal.Stream) -> StreamedTable {
    StreamedTable(
      [
        (.init("Time"), 23), (.init("Latitude", alignment: .right), 11),
        (.init("Longitude", alignment: .right), 12), (.init("Accuracy", alignment: .right, priority: 1), 9),
        (.init("Speed", alignment: .right, priority: 2), 9),
        (.init("Course", alignment: .right, priority: 3), 6), (.init("Source", priority: 5), 9),
        (.init("Device", priority: 4, shrinksTo: 6), 16),
      ], on: stream)
  }

  private static func cells(_ fix: Fix) -> [String] {
    // Receivers report up to some ten times a second.
    let time = fix.time.description.dropLast().suffix(4)
    return [
      LocalTime.text(fix.time) + (time == ".000" ? "" : time), fix.coordinate.latitude.fixed(7),
      fix.coordinate.longitude.fixed(7), fix.accuracy.map { "±" + lengthText($0) } ?? "",
      fix.speed.map { $0.fixed(1) + " m/s" } ?? "", fix.course.map { $0.fixed(0) + "°" } ?? "",
      fix.source.rawValue, fix.device.shownName ?? "",
    ]
  }
}

extension Session {
  /// What the user says about logs.
  var logOptions: LogOptions {
    var options = LogOptions(
      device: arguments[FixesCommand.device], startDate: arguments[FixesCommand.date])
    options.now = LocalTime.now
    return options
  }

  /// A file's name in a message.
  func name(of path: String) -> String {
    path == "-" ? "standard input" : "'\(printable(path))'"
  }

  /// Says on standard error what was left out, most of it first.
  func tell(_ omissions: [(name: String, count: Int)]) {
    guard !omissions.isEmpty else { return }
    let sorted = omissions.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    let parts = sorted.map { "\($0.name) \(grouped($0.count))" }
    note("left out: " + parts.joined(separator: ", "))
  }
}
