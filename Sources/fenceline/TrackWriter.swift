import FencelineCivilTime
import FencelineGeodesy
import FencelineJSONText
import FencelinePositioning
import FencelineXMLText

/// How tracks are written.
enum TrackFormat: String, Sendable, CaseIterable {
  case gpx, geojson, csv
}

/// Writes the tracks of devices, one after the other, each in the order of time.
struct TrackWriter {
  private let format: TrackFormat
  private var text = ""
  /// The latest fix that was added.
  private var last: Fix?
  /// The piece of way that is not written yet; GeoJSON needs it whole.
  private var piece: [Fix] = []
  private var features = 0

  /// A writer that has written what stands before all tracks.
  init(_ format: TrackFormat) {
    self.format = format
    switch format {
    case .csv: write(FixesCommand.csvHeader + "\n")
    case .geojson: write("{\"type\":\"FeatureCollection\",\"features\":[")
    case .gpx:
      write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="Fenceline" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
        xmlns:fenceline="urn:fenceline:track">

        """)
    }
  }

  /// What has been written since this was asked for the last time.
  mutating func taken() -> String {
    defer { text.removeAll(keepingCapacity: true) }
    return text
  }

  /// Writes the next fix.
  mutating func add(_ fix: Fix) {
    defer { last = fix }
    let isNew = fix.device != last?.device
    let isCut = isNew || fix.track != last?.track
    switch format {
    case .csv: write(FixesCommand.csv(fix) + "\n")
    case .geojson:
      if isCut { writePiece() }
      piece.append(fix)
    case .gpx:
      if isCut, last != nil { write("    </trkseg>\n") }
      if isNew {
        if last != nil { write("  </trk>\n") }
        write("  <trk>\n    <name>\(fix.device.xmlEscaped)</name>\n")
      }
      if isCut { write("    <trkseg>\n") }
      write(Self.point(fix))
    }
  }

  private mutating func write(_ more: String) { text += more }

  /// Writes what stands behind all tracks.
  mutating func finish() {
    switch format {
    case .csv: break
    case .geojson:
      writePiece()
      write("\n]}\n")
    case .gpx: write((last == nil ? "" : "    </trkseg>\n  </trk>\n") + "</gpx>\n")
    }
  }

  /// Speed and course as Garmin's devices write them, which many programs read; nobody has a common name for the accuracy.
  private static func point(_ fix: Fix) -> String {
    var text =
      "      <trkpt lat=\"\(fix.coordinate.latitude.fixed(7))\" lon=\"\(fix.coordinate.longitude.fixed(7))\">"
    if let altitude = fix.altitude { text += "<ele>\(altitude.fixed(2))</ele>" }
    text += "<time>\(fix.time)</time>"
    let speed = fix.speed.map { "<gpxtpx:speed>\($0.fixed(2))</gpxtpx:speed>" } ?? ""
    let course = fix.course.map { "<gpxtpx:course>\($0.fixed(2))</gpxtpx:course>" } ?? ""
    let accuracy = fix.accuracy.map { "<fenceline:accuracy>\($0.fixed(2))</fenceline:accuracy>" } ?? ""
    if !(speed + course + accuracy).isEmpty {
      let garmin =
        (speed + course).isEmpty
        ? "" : "<gpxtpx:TrackPointExtension>\(speed)\(course)</gpxtpx:TrackPointExtension>"
      text += "<extensions>\(garmin)\(accuracy)</extensions>"
    }
    return text + "</trkpt>\n"
  }

  /// A line, or a point where there is but one; `coordTimes` is the name that Mapbox's toGeoJSON has given to times.
  private mutating func writePiece() {
    guard let first = piece.first else { return }
    let places = piece.map { fix -> JSONValue in
      let place = [fix.coordinate.longitude, fix.coordinate.latitude].map {
        JSONValue.number(Double($0.fixed(7)) ?? $0)
      }
      return .array(place + (fix.altitude.map { [.number($0)] } ?? []))
    }
    let feature: JSONValue = [
      "type": "Feature",
      "geometry": [
        "type": piece.count == 1 ? "Point" : "LineString",
        "coordinates": piece.count == 1 ? places[0] : .array(places),
      ],
      "properties": [
        "device": .text(first.device), "time": .text(first.time.description),
        "coordTimes": .array(piece.map { .text($0.time.description) }),
      ],
    ]
    write((features == 0 ? "\n" : ",\n") + feature.line)
    features += 1
    piece.removeAll(keepingCapacity: true)
  }
}
