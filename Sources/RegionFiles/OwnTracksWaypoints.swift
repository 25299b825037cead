internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText

/// Regions as the way-points of OwnTracks: a `.otrw` file, the way-points of a configuration, or a message of one.
///
/// - Source: owntracks.org/booklet/tech/json, types `waypoint` and `waypoints`.
enum OwnTracksWaypoints {
  /// Whether a document is of this kind.
  static func isKind(of document: JSONNode) -> Bool {
    (document.elements?.first ?? document)["_type"]?.text != nil
  }

  /// Reads the way-points: one entry for each, good or bad, in the order of the file.
  static func entries(in document: JSONNode, notes: inout [String]) throws(RegionFileError) -> [RegionEntry] {
    let nodes: [JSONNode]
    switch document["_type"]?.text {
    case "waypoint": nodes = [document]
    case "waypoints", "configuration": nodes = document["waypoints"]?.elements ?? []
    case nil: nodes = document.elements ?? []
    case let type?:
      throw RegionFileError(
        .content, "It is an OwnTracks message of the type '\(type.printable)', which holds no way-points.")
    }
    // A beacon is no place; a way-point without a radius is one that the app does not watch.
    let beacons = nodes.count { $0["uuid"]?.text?.isEmpty == false }
    if beacons > 0 { notes.append("Beacons have no place and were left out: \(beacons).") }
    return nodes.enumerated().filter { $0.element["uuid"]?.text?.isEmpty != false }.map { place, node in
      entry(node, "way-point \(place + 1)")
    }
  }

  private static func entry(_ node: JSONNode, _ place: String) -> RegionEntry {
    var entry = RegionEntry(line: node.line, place: place)
    entry.name = node["desc"]?.text
    if let id = node["rid"]?.text, !isPhoneID(id) {
      entry.readID(JSONNode(line: node.line, content: .text(id)))
    }
    if let radius = node["rad"], radius.number != 0 { entry.read("radius", radius) }
    if let latitude = node["lat"]?.number, let longitude = node["lon"]?.number {
      entry.take(.point(Coordinate(latitude: latitude, longitude: longitude)))
    } else {
      entry.lackPlace("The members 'lat' and 'lon' are not numbers of degrees.")
    }
    return entry
  }

  /// Whether an identifier is one that the app has made of time and name, six hexadecimal digits.
  private static func isPhoneID(_ id: String) -> Bool {
    id.utf8.count == 6 && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// What a way-point can hold beside place and radius.
  static let held: Set<String> = ["title"]

  /// Regions as a `.otrw` file.
  static func text(_ regions: [Region]) -> String {
    var times: Set<Int> = []
    let waypoints = regions.map { region -> JSONValue in
      var time = creationTime(region.id)
      while !times.insert(time).inserted { time += 1 }
      return [
        "_type": "waypoint", "desc": .text(region.name), "rid": .text(region.id),
        "lat": .number(region.centre.latitude), "lon": .number(region.centre.longitude),
        // The app knows whole metres.
        "rad": .number(region.radius.rounded()), "tst": .integer(time),
      ]
    }
    let file: JSONValue = ["_type": "waypoints", "waypoints": .array(waypoints)]
    return file.indented + "\n"
  }

  /// The app tells way-points apart by the second of their creation, so each identifier gets one of its own, always the same.
  ///
  /// - Source: FNV-1a, draft-eastlake-fnv.
  private static func creationTime(_ id: String) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // Some second between 2001 and 2020.
    return 1_000_000_000 + Int(hash % 600_000_000)
  }
}
