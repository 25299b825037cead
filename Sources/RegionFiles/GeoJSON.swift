internal import FencelineGeodesy
package import FencelineGeofencing
internal import FencelineJSONText

/// Regions as GeoJSON (RFC 7946): a FeatureCollection of Points whose properties are the region's.
package enum GeoJSON {
  /// Reads a FeatureCollection, or one Feature: one entry for each feature, good or bad, in the order of the file.
  static func entries(in bytes: [UInt8], radius: Double) throws(RegionFileError) -> [RegionEntry] {
    let document: JSONNode
    do { document = try JSONNode(parsing: bytes) } catch {
      guard let first = bytes.first(where: { $0 > 0x20 && ![0xef, 0xbb, 0xbf].contains($0) }) else {
        throw RegionFileError(.content, "It is empty.")
      }
      guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
        throw RegionFileError(.content, "It is not GeoJSON, the format that regions are read from.")
      }
      throw RegionFileError(.content, "It is not valid JSON: \(error).")
    }
    let features: [JSONNode]
    switch document["type"]?.text {
    case "FeatureCollection":
      guard let listed = document["features"]?.elements else {
        throw RegionFileError(.content, "It is a FeatureCollection without 'features'.")
      }
      features = listed
    case "Feature": features = [document]
    case let type:
      let found =
        type.map { "of the type '\($0.printable)'" } ?? "but not GeoJSON: the member 'type' is missing"
      throw RegionFileError(.content, "It is JSON \(found); a FeatureCollection of Points is needed.")
    }
    return features.enumerated().map { place, feature in entry(feature, "feature \(place + 1)", radius) }
  }

  private static func entry(_ feature: JSONNode, _ place: String, _ radius: Double) -> RegionEntry {
    let region = Region(id: "", centre: Coordinate(latitude: 0, longitude: 0), radius: radius)
    var entry = RegionEntry(line: feature.line, place: place, region: region)
    if let properties = feature["properties"] { entry.read(properties) }
    if !entry.hasOwnID, let id = feature["id"] { entry.readID(id) }
    switch position(feature["geometry"]) {
    case .success(let centre): entry.region.centre = centre
    case .failure(let problem):
      entry.problems.insert(problem.message, at: 0)
      entry.lacksPlace = true
    }
    return entry
  }

  private static func position(_ geometry: JSONNode?) -> Result<Coordinate, RegionFileError> {
    guard let geometry, !geometry.isNull else { return .failure(.init(.content, "The geometry is missing.")) }
    guard geometry["type"]?.text == "Point" else {
      let type = geometry["type"]?.text?.printable ?? "missing"
      return .failure(
        .init(
          .content, "The geometry's type is '\(type)'; only a Point, the centre of a circle, can be a region."
        )
      )
    }
    let numbers = geometry["coordinates"]?.elements?.map(\.number) ?? []
    guard numbers.count == 2 || numbers.count == 3, let longitude = numbers[0], let latitude = numbers[1]
    else {
      return .failure(.init(.content, "The coordinates are not [longitude, latitude] in degrees."))
    }
    return .success(Coordinate(latitude: latitude, longitude: longitude))
  }

  /// Regions as a FeatureCollection; properties that have their default are left out.
  ///
  /// - Parameter regions: In the order in which they are to stand.
  /// - Returns: The text of a file, with a newline at its end.
  package static func text(_ regions: [Region]) -> String {
    let features = regions.map { region -> JSONValue in
      let place: JSONValue = [
        "type": "Point", "coordinates": [.number(region.centre.longitude), .number(region.centre.latitude)],
      ]
      let members =
        [.init("id", .text(region.id)), .init("radius", .number(region.radius))] + region.jsonMembers
      return ["type": "Feature", "geometry": place, "properties": .object(members)]
    }
    let collection: JSONValue = ["type": "FeatureCollection", "features": .array(features)]
    return collection.indented + "\n"
  }
}
