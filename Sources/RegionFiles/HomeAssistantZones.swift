internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText

/// Regions as the zones of Home Assistant: the YAML that users keep (`zone:` in `configuration.yaml`, or a list in a file of its own),
/// and the store of zones made in its pages.
///
/// - Source: home-assistant.io/integrations/zone.
enum HomeAssistantZones {
  /// The zones in a document, and nil where it is no such file.
  static func nodes(in document: JSONNode) -> [JSONNode]? {
    if let items = document["data"]?["items"]?.elements, document["key"]?.text?.hasSuffix("zone") == true {
      return items
    }
    if let list = document.elements { return list.first.map(isZone) == true ? list : nil }
    var found: [JSONNode] = []
    // `zone home:` beside `zone:` is how a list is written in parts.
    for (name, value) in document.members where name == "zone" || name.hasPrefix("zone ") {
      found += value.elements ?? (value.members.isEmpty ? [] : [value])
    }
    // The home itself, which is a zone without being in the list.
    if let home = document["homeassistant"], isZone(home) {
      var members = home.members.filter { ["latitude", "longitude", "radius"].contains($0.name) }
      members.append(("name", JSONNode(line: home.line, content: .text("Home"))))
      found.insert(JSONNode(line: home.line, content: .object(members)), at: 0)
    }
    let isEmptyList = document["zone"].map { $0.isNull || $0.elements?.isEmpty == true } ?? false
    return found.isEmpty && !isEmptyList ? nil : found
  }

  /// The file that holds the zones where a configuration only names it.
  static func included(in document: JSONNode) -> String? {
    guard let text = document["zone"]?.text, text.hasPrefix("!include ") else { return nil }
    return String(text.dropFirst("!include ".count))
  }

  private static func isZone(_ node: JSONNode) -> Bool {
    node["latitude"] != nil && node["longitude"] != nil
  }

  /// Reads zones: one entry for each, good or bad, in the order of the file.
  static func entries(_ nodes: [JSONNode]) -> [RegionEntry] {
    nodes.enumerated().map { place, node in
      var entry = RegionEntry(line: node.line, place: "zone \(place + 1)")
      // The identifiers of the store are random digits: names serve better.
      for (name, value) in node.members where name != "id" || node["name"] == nil { entry.read(name, value) }
      if let latitude = node["latitude"]?.number, let longitude = node["longitude"]?.number {
        entry.take(.point(Coordinate(latitude: latitude, longitude: longitude)))
      } else {
        entry.ignored.removeAll { ["latitude", "longitude"].contains($0) }
        let secret = [node["latitude"], node["longitude"]].compactMap { $0?.text }.first { $0.hasPrefix("!") }
        entry.lackPlace(
          secret.map { "'\($0.shortened)' stands where a number of degrees should: write it here." }
            ?? "The latitude or longitude is not a number of degrees.")
      }
      return entry
    }
  }

  /// What a zone can hold beside place and radius.
  static let held: Set<String> = ["title"]

  /// Regions as a list for `configuration.yaml`.
  static func text(_ regions: [Region]) -> String {
    var text = regions.isEmpty ? "zone: []\n" : "zone:\n"
    for region in regions {
      // Every JSON text is a YAML text.
      text += """
          - name: \(JSONValue.text(region.name).line)
            latitude: \(region.centre.latitude.decimal)
            longitude: \(region.centre.longitude.decimal)
            radius: \(region.radius.decimal)

        """
    }
    return text
  }
}
