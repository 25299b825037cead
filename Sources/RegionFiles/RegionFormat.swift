package import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineXMLText

/// How circles are drawn in formats that have a choice.
package enum RegionDrawing: String, Sendable, CaseIterable {
  /// As their centres, with the radius as a property.
  case points
  /// As polygons along the true perimeter.
  case polygons
}

/// A format that regions are written in.
package enum RegionFormat: String, Sendable, CaseIterable {
  case geojson
  case gpx
  case kml
  case csv
  case owntracks
  case homeassistant

  /// What people call it.
  package var name: String {
    switch self {
    case .geojson: "GeoJSON"
    case .gpx: "GPX"
    case .kml: "KML"
    case .csv: "CSV"
    case .owntracks: "OwnTracks"
    case .homeassistant: "Home Assistant"
    }
  }

  /// The format that a file's name ends in; nil where the ending says nothing.
  package init?(ending path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "geojson", "json": self = .geojson
    case "gpx": self = .gpx
    case "kml": self = .kml
    case "csv": self = .csv
    case "otrw": self = .owntracks
    case "yaml", "yml": self = .homeassistant
    default: return nil
    }
  }

  /// Whether it can hold polygons.
  package var drawsPolygons: Bool { [.geojson, .kml, .csv].contains(self) }

  /// The text of a file, with a newline at its end.
  ///
  /// - Parameters:
  ///   - regions: In the order in which they are to stand.
  ///   - drawing: How circles are drawn; polygons only where the format ``drawsPolygons``.
  /// - Returns: What ``RegionImport`` reads again, but for what ``losses(of:)`` names.
  package func text(_ regions: [Region], as drawing: RegionDrawing = .points) -> String {
    switch self {
    case .geojson: GeoJSON.text(regions, as: drawing)
    case .gpx: GPXWaypoints.text(regions)
    case .kml: KMLPlacemarks.text(regions, as: drawing)
    case .csv: CSVRegions.text(regions, as: drawing)
    case .owntracks: OwnTracksWaypoints.text(regions)
    case .homeassistant: HomeAssistantZones.text(regions)
    }
  }

  /// What the format cannot hold of the regions.
  ///
  /// - Parameter regions: Those to be written.
  /// - Returns: Each property with the number of regions that lose it; empty where they all come back as they were.
  package func losses(of regions: [Region]) -> [(property: String, regions: Int)] {
    let held: Set<String>
    switch self {
    case .geojson, .gpx, .kml, .csv: return []
    case .owntracks: held = OwnTracksWaypoints.held
    case .homeassistant: held = HomeAssistantZones.held
    }
    var found: [(property: String, regions: Int)] = []
    func add(_ property: String, _ count: Int) {
      if count > 0 { found.append((property, count)) }
    }
    if self == .homeassistant { add("id", regions.count { $0.name != $0.id }) }
    if self == .owntracks {
      add("fractions of a metre in radius", regions.count { $0.radius != $0.radius.rounded() })
    }
    for property in RegionProperty.all where !held.contains(property.name) {
      add(property.name, regions.count { property.value($0) != nil })
    }
    return found
  }
}

extension RegionFormat {
  /// What a file holds: entries, good or bad, and sentences about it as a whole.
  static func read(
    _ bytes: [UInt8], name: String, progress: @escaping (Int) -> Void
  ) throws(RegionFileError) -> (entries: [RegionEntry], notes: [String]) {
    if let refusal = ForeignRegionFile.binary(bytes, name) { throw RegionFileError(.content, refusal) }
    let bytes = try ForeignRegionFile.unified(bytes)
    var notes: [String] = []
    guard let first = bytes.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) else {
      throw RegionFileError(.content, "It is empty.")
    }
    switch Unicode.Scalar(first) {
    case "<": return (try markup(bytes, name, &notes, progress), notes)
    case "{", "[": return (try json(bytes, name, &notes, progress), notes)
    default: return (try plainText(bytes), notes)
    }
  }

  private static func markup(
    _ bytes: [UInt8], _ name: String, _ notes: inout [String], _ progress: @escaping (Int) -> Void
  ) throws(RegionFileError) -> [RegionEntry] {
    let root: XMLNode
    do throws(XMLSyntaxError) { root = try XMLNode(parsing: bytes, progress: progress) } catch {
      throw RegionFileError(.content, "It is not valid XML: \(error.reason) in line \(error.line).")
    }
    switch root.name.lowercased() {
    case "gpx": return try GPXWaypoints.entries(in: root, notes: &notes)
    case "kml": return try KMLPlacemarks.entries(in: root, notes: &notes)
    default: throw RegionFileError(.content, ForeignRegionFile.xml(root: root.name, name))
    }
  }

  private static func json(
    _ bytes: [UInt8], _ name: String, _ notes: inout [String], _ progress: @escaping (Int) -> Void
  ) throws(RegionFileError) -> [RegionEntry] {
    if let lines = JSONRegions.lines(bytes) { return try JSONRegions.entries(lines: lines) }
    let document: JSONNode
    do throws(JSONSyntaxError) { document = try JSONNode(parsing: bytes, progress: progress) } catch {
      throw RegionFileError(.content, ForeignRegionFile.log(bytes) ?? "It is not valid JSON: \(error).")
    }
    if OwnTracksWaypoints.isKind(of: document) {
      return try OwnTracksWaypoints.entries(in: document, notes: &notes)
    }
    if document["type"]?.text != nil { return try GeoJSON.entries(in: document, name: name) }
    if document["key"] != nil, let zones = HomeAssistantZones.nodes(in: document) {
      return HomeAssistantZones.entries(zones)
    }
    if let objects = JSONRegions.objects(in: document) { return objects.map(JSONRegions.entry) }
    return try GeoJSON.entries(in: document, name: name)
  }

  private static func plainText(_ bytes: [UInt8]) throws(RegionFileError) -> [RegionEntry] {
    if let log = ForeignRegionFile.log(bytes) { throw RegionFileError(.content, log) }
    if let delimiter = CSVRegions.delimiter(of: bytes), let table = CSVTable(bytes[...], delimiter: delimiter)
    {
      return CSVRegions.entries(in: table)
    }
    guard ForeignRegionFile.mayBeYAML(bytes) else {
      throw RegionFileError(.content, ForeignRegionFile.table(bytes) ?? ForeignRegionFile.unknown)
    }
    let document = try YAMLText.node(parsing: bytes)
    if let file = document.flatMap(HomeAssistantZones.included) {
      throw RegionFileError(.content, "Its zones are in '\(file.printable)': import that file.")
    }
    guard let zones = document.flatMap(HomeAssistantZones.nodes) else {
      throw RegionFileError(.content, ForeignRegionFile.unknown)
    }
    return HomeAssistantZones.entries(zones)
  }
}
