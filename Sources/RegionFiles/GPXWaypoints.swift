internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineXMLText

/// Regions as way-points of GPX 1.1.
///
/// The radius stands as Garmin's proximity distance, which receivers and other programs know as an alarm radius; the other properties
/// stand in an extension of our own.
enum GPXWaypoints {
  private static let namespace = "urn:fenceline:region"

  /// Reads the way-points: one entry for each, good or bad, in the order of the file.
  static func entries(in root: XMLNode, notes: inout [String]) throws(RegionFileError) -> [RegionEntry] {
    let points = root.children.filter { $0.name == "wpt" }
    let others = [("trk", "track"), ("rte", "route")].compactMap { name, noun -> String? in
      let count = root.children.count { $0.name == name }
      return count == 0 ? nil : count == 1 ? "one \(noun)" : "\(count) \(noun)s"
    }
    guard !points.isEmpty else {
      let found = others.isEmpty ? "nothing" : "only \(others.joined(separator: " and "))"
      throw RegionFileError(
        .content, "It is a GPX file with \(found) and no way-points. 'fenceline replay' evaluates tracks.")
    }
    if !others.isEmpty {
      notes.append("Only way-points can be regions; left out: \(others.joined(separator: ", ")).")
    }
    return points.enumerated().map { place, point in entry(point, "way-point \(place + 1)") }
  }

  private static func entry(_ point: XMLNode, _ place: String) -> RegionEntry {
    var entry = RegionEntry(line: point.line, place: place)
    entry.name = point.text(of: "name")
    if let extensions = point["extensions"] { read(extensions, into: &entry) }
    // GPX 1.0 has no such element: what is foreign stands among the others.
    if let proximity = point.text(of: "proximity"), !entry.hasOwnRadius {
      entry.read("radius", text: proximity)
    }
    for name in ["desc", "cmt"] where point.text(of: name) != nil { entry.ignored.append(name) }
    let latitude = point.attributes["lat"].flatMap { PropertyText.number($0) }
    let longitude = point.attributes["lon"].flatMap { PropertyText.number($0) }
    if let latitude, let longitude {
      entry.take(.point(Coordinate(latitude: latitude, longitude: longitude)))
    } else {
      entry.lackPlace("The attributes 'lat' and 'lon' are not numbers of degrees.")
    }
    return entry
  }

  /// Looks for our properties, and for the radius or proximity distance of others, wherever they stand.
  private static func read(_ node: XMLNode, into entry: inout RegionEntry) {
    for child in node.children {
      if child.name == "region", child["id"] != nil {
        for property in child.children { entry.read(property.name, text: property.content) }
      } else if child.children.isEmpty, RegionProperty.named(child.name)?.name == "radius",
        !entry.hasOwnRadius
      {
        entry.read("radius", text: child.text)
      } else {
        read(child, into: &entry)
      }
    }
  }

  /// Regions as a GPX file.
  static func text(_ regions: [Region]) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3" \
      xmlns:fenceline="\(namespace)" version="1.1" creator="Fenceline">

      """
    for region in regions {
      text += """
          <wpt lat="\(region.centre.latitude.decimal)" lon="\(region.centre.longitude.decimal)">
            <name>\(region.name.xmlEscaped)</name>
            <extensions>
              <gpxx:WaypointExtension>
                <gpxx:Proximity>\(region.radius.decimal)</gpxx:Proximity>
              </gpxx:WaypointExtension>
              <fenceline:region>

        """
      for (name, value) in region.textMembers {
        text += "        <fenceline:\(name)>\(value.xmlEscaped)</fenceline:\(name)>\n"
      }
      text += "      </fenceline:region>\n    </extensions>\n  </wpt>\n"
    }
    return text + "</gpx>\n"
  }
}

extension Region {
  /// Identifier, radius and the properties that differ from their default, as texts.
  var textMembers: [(name: String, value: String)] {
    [("id", id), ("radius", radius.decimal)] + jsonMembers.map { ($0.name, PropertyText.text($0.value)) }
  }
}
