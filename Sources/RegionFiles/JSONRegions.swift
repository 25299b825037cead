internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText

/// Regions as `fenceline region list --json` prints them, one object a line, or as an array of such objects; and GeoJSON of which each
/// line is a feature.
enum JSONRegions {
  /// The lines of a file whose first line is such an object by itself; nil for any other file.
  static func lines(_ bytes: [UInt8]) -> [(line: Int, text: ArraySlice<UInt8>)]? {
    // A region's own line is not that long, and other documents need not be cut into lines.
    let start = bytes.firstIndex { ![0x20, 0x09, 0x0d, 0x0a].contains($0) } ?? bytes.count
    let head = bytes[start...].prefix(1 << 17)
    let first = head.prefix { $0 != 0x0a }
    guard first.count < 1 << 17, let node = try? JSONNode(parsing: first),
      isRegion(node) || isFeature(node) && first.endIndex < bytes.count
    else { return nil }
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.contains { ![0x20, 0x09, 0x0d].contains($0) } }
    return lines.map { ($0.offset + 1, $0.element) }
  }

  /// Reads lines.
  static func entries(lines: [(line: Int, text: ArraySlice<UInt8>)]) throws(RegionFileError) -> [RegionEntry]
  {
    var entries: [RegionEntry] = []
    for (line, text) in lines {
      do throws(JSONSyntaxError) {
        var node = try JSONNode(parsing: text)
        node.line = line
        entries.append(isFeature(node) ? GeoJSON.entry(node, "feature") : entry(node))
      } catch {
        throw RegionFileError(
          .content,
          "It is not valid JSON: expected \(error.expected) in line \(line), column \(error.column).")
      }
    }
    return entries
  }

  /// The objects of an array of regions; nil for any other document.
  static func objects(in document: JSONNode) -> [JSONNode]? {
    guard let list = document.elements, let first = list.first, isRegion(first) else { return nil }
    return list
  }

  static func entry(_ node: JSONNode) -> RegionEntry {
    var entry = RegionEntry(line: node.line, place: "object")
    entry.read(node)
    if let latitude = entry.latitude, let longitude = entry.longitude {
      entry.take(.point(Coordinate(latitude: latitude, longitude: longitude)))
    } else {
      entry.lackPlace("The latitude or longitude is not a number of degrees.")
    }
    return entry
  }

  private static func isFeature(_ node: JSONNode) -> Bool { node["type"]?.text == "Feature" }

  private static func isRegion(_ node: JSONNode) -> Bool {
    node["latitude"]?.number != nil && node["longitude"]?.number != nil && (node["id"] ?? node["name"]) != nil
  }
}

extension Double {
  /// The shortest text that gives the same number again, as files hold it.
  var decimal: String { JSONValue.number(self).line }
}
