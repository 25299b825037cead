internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineXMLText

/// Regions as placemarks of KML 2.2: Points, or the polygons that other programs draw as circles.
enum KMLPlacemarks {
  /// Reads the placemarks of all folders: one entry for each, good or bad, in the order of the file. A folder's name becomes a tag.
  static func entries(in root: XMLNode, notes: inout [String]) throws(RegionFileError) -> [RegionEntry] {
    var found: [RegionEntry] = []
    var links = 0
    collect(root, folders: [], &found, &links)
    if links > 0 { notes.append("Its links to other files were not followed.") }
    guard !found.isEmpty else {
      throw RegionFileError(.content, "It is a KML file without placemarks.")
    }
    return found
  }

  private static func collect(
    _ node: XMLNode, folders: [String], _ found: inout [RegionEntry], _ links: inout Int
  ) {
    for child in node.children {
      switch child.name {
      case "Placemark": found.append(entry(child, "placemark \(found.count + 1)", folders))
      case "Folder": collect(child, folders: folders + [child.text(of: "name") ?? ""], &found, &links)
      case "Document": collect(child, folders: folders, &found, &links)
      case "NetworkLink": links += 1
      default: break
      }
    }
  }

  private static func entry(_ placemark: XMLNode, _ place: String, _ folders: [String]) -> RegionEntry {
    var entry = RegionEntry(line: placemark.line, place: place)
    entry.name = placemark.text(of: "name")
    for data in placemark["ExtendedData"]?.children ?? [] {
      if data.name == "Data", let name = data.attributes["name"] {
        entry.read(name, text: data["value"]?.content ?? "")
      } else if data.name == "SchemaData" {
        for field in data.children { field.attributes["name"].map { entry.read($0, text: field.content) } }
      }
    }
    if placemark.text(of: "description") != nil { entry.ignored.append("description") }
    if entry.region.tags.isEmpty {
      for folder in folders where !folder.isEmpty && !entry.region.tags.contains(folder) {
        entry.region.tags.append(folder)
      }
    }
    entry.take(shape(of: placemark))
    return entry
  }

  private static func shape(of placemark: XMLNode) -> RegionShape {
    var rings: [[Coordinate]] = []
    var points: [Coordinate] = []
    var others: [String] = []
    var isMalformed = false
    func read(_ coordinates: XMLNode?) -> [Coordinate]? {
      guard let text = coordinates?.text(of: "coordinates"), let places = self.coordinates(text) else {
        isMalformed = true
        return nil
      }
      return places
    }
    func collect(_ node: XMLNode) {
      for child in node.children {
        switch child.name {
        case "MultiGeometry": collect(child)
        case "Point": points += read(child) ?? []
        case "Polygon":
          if child["innerBoundaryIs"] != nil { others.append("a polygon with holes") }
          if let ring = read(child["outerBoundaryIs"]?["LinearRing"]) { rings.append(ring) }
        case "LinearRing": if let ring = read(child) { rings.append(ring) }
        case "LineString":
          guard let line = read(child) else { continue }
          if line.count > 2, line.first == line.last { rings.append(line) } else { others.append("a line") }
        case "Track", "MultiTrack": others.append("a track")
        case "Model": others.append("a model")
        default: break
        }
      }
    }
    collect(placemark)
    if isMalformed { return .none("Its 'coordinates' are not longitude,latitude in degrees.") }
    if let other = others.first { return .none("It is \(other); only a Point or a circle can be a region.") }
    // Many programs put a point into the middle of a circle, to hang its name on.
    if !rings.isEmpty { return .rings(rings) }
    guard let point = points.first else { return .none("It has no place: a Point or a circle is needed.") }
    guard points.count == 1 else { return .none("It has \(points.count) points; one Point is a region.") }
    return .point(point)
  }

  /// `8.5417,47.3769,0 8.5418,47.3770` as places; nil where that is something else.
  private static func coordinates(_ text: String) -> [Coordinate]? {
    var places: [Coordinate] = []
    for tuple in text.split(whereSeparator: \.isWhitespace) {
      let numbers = tuple.split(separator: ",").map { PropertyText.number(String($0)) }
      guard numbers.count == 2 || numbers.count == 3, let longitude = numbers[0], let latitude = numbers[1]
      else {
        return nil
      }
      places.append(Coordinate(latitude: latitude, longitude: longitude))
    }
    return places.isEmpty ? nil : places
  }

  /// Regions as a KML file.
  static func text(_ regions: [Region], as drawing: RegionDrawing) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2">
        <Document>
          <name>Regions</name>
          <Style id="region">
            <LineStyle><color>ffb4690e</color><width>2</width></LineStyle>
            <PolyStyle><color>40b4690e</color></PolyStyle>
          </Style>

      """
    for region in regions {
      text +=
        "    <Placemark>\n      <name>\(region.name.xmlEscaped)</name>\n      <styleUrl>#region</styleUrl>\n"
      text += "      <ExtendedData>\n"
      var members = region.textMembers
      if drawing == .polygons {
        // The outline alone would give the circle back only nearly.
        let centre = [
          ("latitude", region.centre.latitude.decimal), ("longitude", region.centre.longitude.decimal),
        ]
        members.insert(contentsOf: centre, at: 1)
      }
      for (name, value) in members {
        text += "        <Data name=\"\(name)\"><value>\(value.xmlEscaped)</value></Data>\n"
      }
      text += "      </ExtendedData>\n"
      switch drawing {
      case .points: text += "      <Point><coordinates>\(pair(region.centre))</coordinates></Point>\n"
      case .polygons:
        let polygons = CircleOutline(region).rings.map { ring in
          "<Polygon><outerBoundaryIs><LinearRing><coordinates>\(ring.map(pair).joined(separator: " "))"
            + "</coordinates></LinearRing></outerBoundaryIs></Polygon>"
        }
        let shape = polygons.joined()
        text += "      \(polygons.count == 1 ? shape : "<MultiGeometry>\(shape)</MultiGeometry>")\n"
      }
      text += "    </Placemark>\n"
    }
    return text + "  </Document>\n</kml>\n"
  }

  private static func pair(_ place: Coordinate) -> String {
    place.longitude.decimal + "," + place.latitude.decimal
  }
}
