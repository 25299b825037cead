import FencelineCivilTime
import FencelineCommandLineKit
import FencelineGeodesy
import FencelineJSONText
import FencelineRegionFiles
import FencelineService
import FencelineXMLText

/// How history is printed.
enum HistoryFormat: String, Sendable, CaseIterable {
  case table, json, csv, geojson, gpx

  static let option = Option<HistoryFormat>(
    "format", value: .choice(name: "FORMAT"), help: "How to print; geojson and gpx are points for maps.",
    defaultText: "table")

  /// What the session asks for.
  static func wanted(_ session: Session) -> HistoryFormat {
    session.isJSON ? .json : session.arguments[option] ?? .table
  }
}

/// Something that has happened, as the formats print it.
protocol HistoryRecord {
  /// The names of ``fields``.
  static var header: String { get }
  /// One line of JSON.
  var json: JSONValue { get }
  /// The fields of a row of CSV.
  var fields: [String] { get }
  /// The cells of a table.
  var cells: [String] { get }
  /// Where it was, when it began, what to call it, a sentence about it, and its kind.
  var waypoint: (place: Coordinate, time: Timestamp, name: String, note: String, kind: String) { get }
  /// The title of its region, which the JSON line does not repeat.
  var title: String? { get }
}

/// Prints records one after the other; only a table waits for them all.
final class HistoryPrinter<Record: HistoryRecord> {
  private let format: HistoryFormat
  private let session: Session
  private var table: Table
  private(set) var count = 0

  /// Begins to print.
  init(_ session: Session, _ format: HistoryFormat, columns: [Table.Column]) throws {
    self.format = format
    self.session = session
    table = Table(columns)
    switch format {
    case .table, .json: break
    case .csv: try session.output.writeLine(Record.header)
    case .geojson: try session.output.write("{\"type\":\"FeatureCollection\",\"features\":[")
    case .gpx:
      try session.output.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="Fenceline">

        """)
    }
  }

  /// Prints one.
  func print(_ record: Record) throws {
    switch format {
    case .table: table.append(record.cells)
    case .json: try session.output.writeLine(record.json.line)
    case .csv: try session.output.writeLine(record.fields.map(CSVTable.field).joined(separator: ","))
    case .geojson: try session.output.write((count == 0 ? "\n" : ",\n") + feature(record).line)
    case .gpx: try session.output.write(waypoint(record))
    }
    count += 1
  }

  /// Ends what was begun.
  func finish() throws {
    switch format {
    case .table: if count > 0 { try session.output.write(table.text(on: session.terminal.output)) }
    case .json, .csv: break
    case .geojson: try session.output.write("\n]}\n")
    case .gpx: try session.output.write("</gpx>\n")
    }
  }

  private func feature(_ record: Record) -> JSONValue {
    let place = record.waypoint.place
    let title = record.title.map { [JSONValue.Member("title", .text($0))] } ?? []
    guard case .object(let members) = record.json else { return .null }
    return [
      "type": "Feature",
      "geometry": [
        "type": "Point", "coordinates": [.degrees(place.longitude), .degrees(place.latitude)],
      ],
      "properties": .object(members + title),
    ]
  }

  private func waypoint(_ record: Record) -> String {
    let point = record.waypoint
    return """
        <wpt lat="\(point.place.latitude.fixed(9))" lon="\(point.place.longitude.fixed(9))">
          <time>\(point.time)</time>
          <name>\(point.name.xmlEscaped)</name>
          <desc>\(point.note.xmlEscaped)</desc>
          <type>\(point.kind)</type>
        </wpt>

      """
  }
}
