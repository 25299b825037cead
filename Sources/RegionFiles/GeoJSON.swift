internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText

/// Regions as GeoJSON (RFC 7946): Points whose properties are the region's, or polygons that are circles.
enum GeoJSON {
  /// Reads a FeatureCollection, or one Feature: one entry for each feature, good or bad, in the order of the file.
  static func entries(in document: JSONNode, name file: String) throws(RegionFileError) -> [RegionEntry] {
    if let name = document["crs"]?["properties"]?["name"]?.text, !isGeographic(name) {
      throw RegionFileError(
        .content,
        "Its coordinates are in '\(name.printable)', not in degrees of WGS 84. Save it again in EPSG:4326, or convert it: "
          + ForeignRegionFile.toKML(file))
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
    return features.enumerated().map { place, feature in entry(feature, "feature \(place + 1)") }
  }

  /// Whether a coordinate reference system of the older GeoJSON is the one that RFC 7946 knows alone.
  private static func isGeographic(_ name: String) -> Bool {
    ["4326", "CRS84", "CRS:84"].contains { name.hasSuffix($0) }
  }

  static func entry(_ feature: JSONNode, _ place: String) -> RegionEntry {
    var entry = RegionEntry(line: feature.line, place: place)
    if let properties = feature["properties"] { entry.read(properties) }
    if !entry.hasOwnID, let id = feature["id"], !id.isNull { entry.readID(id) }
    entry.take(shape(feature["geometry"]))
    return entry
  }

  private static func shape(_ geometry: JSONNode?) -> RegionShape {
    guard let geometry, !geometry.isNull else { return .none("The geometry is missing.") }
    let coordinates = geometry["coordinates"]
    switch geometry["type"]?.text {
    case "Point":
      guard let coordinates, let point = position(coordinates) else {
        return .none("The coordinates are not [longitude, latitude] in degrees.")
      }
      return .point(point)
    case "MultiPoint":
      guard let points = coordinates?.elements, points.count == 1, let point = position(points[0]) else {
        return .none("It has \(coordinates?.elements?.count ?? 0) points; one Point is a region.")
      }
      return .point(point)
    case "Polygon": return area(coordinates.map { [$0] })
    case "MultiPolygon": return area(coordinates?.elements)
    case let type:
      return .none(
        "The geometry's type is '\(type?.printable ?? "missing")'; only a Point, the centre of a circle, or a Polygon that is a circle "
          + "can be a region.")
    }
  }

  private static func area(_ polygons: [JSONNode]?) -> RegionShape {
    var rings: [[Coordinate]] = []
    for polygon in polygons ?? [] {
      guard let lines = polygon.elements, let outline = lines.first?.elements else { break }
      guard lines.count == 1 else { return .none("The polygon has holes. Only circles can be regions.") }
      let corners = outline.compactMap(position)
      guard corners.count == outline.count else { break }
      rings.append(corners)
    }
    guard let polygons, !rings.isEmpty, rings.count == polygons.count else {
      return .none("The coordinates are not those of a polygon in degrees.")
    }
    return .rings(rings)
  }

  private static func position(_ node: JSONNode) -> Coordinate? {
    guard let numbers = node.elements, numbers.count == 2 || numbers.count == 3,
      let longitude = numbers[0].number, let latitude = numbers[1].number
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Regions as a FeatureCollection; properties that have their default are left out.
  static func text(_ regions: [Region], as drawing: RegionDrawing) -> String {
    let features = regions.map { region -> JSONValue in
      var members: [JSONValue.Member] = [.init("id", .text(region.id))]
      if drawing == .polygons {
        // The outline alone would give the circle back only nearly.
        members.append(.init("latitude", .number(region.centre.latitude)))
        members.append(.init("longitude", .number(region.centre.longitude)))
      }
      members.append(.init("radius", .number(region.radius)))
      members += region.jsonMembers
      return ["type": "Feature", "geometry": geometry(region, drawing), "properties": .object(members)]
    }
    let collection: JSONValue = ["type": "FeatureCollection", "features": .array(features)]
    return collection.indented + "\n"
  }

  private static func geometry(_ region: Region, _ drawing: RegionDrawing) -> JSONValue {
    func pair(_ place: Coordinate) -> JSONValue { [.number(place.longitude), .number(place.latitude)] }
    guard drawing == .polygons else { return ["type": "Point", "coordinates": pair(region.centre)] }
    let polygons = CircleOutline(region).rings.map { JSONValue.array([.array($0.map(pair))]) }
    return polygons.count == 1
      ? ["type": "Polygon", "coordinates": polygons[0]]
      : ["type": "MultiPolygon", "coordinates": .array(polygons)]
  }
}
