internal import FencelineGeodesy
internal import FencelineGeofencing

/// Shapes as tables hold them: `POINT (8.54 47.38)`, `POLYGON ((…))`, and Traccar's `CIRCLE (47.38 8.54, 150)`.
///
/// - Source: OGC 06-103r4, 7; Traccar's circles have the latitude first.
enum WellKnownText {
  /// Takes a shape as the place of an entry.
  static func take(_ text: String, into entry: inout RegionEntry) {
    var text = text[...]
    if text.hasPrefix("SRID="), let end = text.firstIndex(of: ";") { text = text[text.index(after: end)...] }
    let kind = text.prefix { $0.isLetter }.uppercased()
    var isWhole = text.last == ")" && text.count { $0 == "(" } == text.count { $0 == ")" }
    let rings = text.dropFirst(kind.count).split { "()".contains($0) }.compactMap { part -> [[Double]]? in
      let tuples = part.split(separator: ",").map { tuple -> [Double] in
        let words = tuple.split(separator: " ")
        let numbers = words.compactMap { PropertyText.number(String($0)) }
        if numbers.count < words.count { isWhole = false }
        return numbers
      }
      return tuples.contains { $0.count >= 2 } ? tuples : nil
    }
    func places(_ tuples: [[Double]]) -> [Coordinate] {
      tuples.filter { $0.count >= 2 }.map { Coordinate(latitude: $0[1], longitude: $0[0]) }
    }
    switch isWhole ? kind : "" {
    case "POINT":
      guard rings.count == 1, rings[0].count == 1 else { break }
      return entry.take(.point(places(rings[0])[0]))
    case "POLYGON":
      guard rings.count <= 1 else {
        return entry.lackPlace("The polygon has holes. Only circles can be regions.")
      }
      guard rings.count == 1 else { break }
      return entry.take(.rings(rings.map(places)))
    case "MULTIPOLYGON":
      guard !rings.isEmpty else { break }
      return entry.take(.rings(rings.map(places)))
    case "CIRCLE":
      guard rings.count == 1, rings[0].count == 2, rings[0][0].count == 2, rings[0][1].count == 1 else {
        break
      }
      entry.take(.point(Coordinate(latitude: rings[0][0][0], longitude: rings[0][0][1])))
      entry.region.radius = rings[0][1][0]
      entry.hasOwnRadius = true
      return
    default: break
    }
    entry.lackPlace(
      "The shape '\(text.prefix(40).description.printable)' is neither a point nor a circle, such as 'POINT (8.5417 47.3769)'."
    )
  }

  /// Outlines as a polygon, or several.
  static func text(_ rings: [[Coordinate]]) -> String {
    let polygons = rings.map { ring in
      "((" + ring.map { $0.longitude.decimal + " " + $0.latitude.decimal }.joined(separator: ", ") + "))"
    }
    return polygons.count == 1
      ? "POLYGON \(polygons[0])" : "MULTIPOLYGON (\(polygons.joined(separator: ", ")))"
  }
}
