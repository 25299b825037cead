public import FencelineGeodesy
internal import FencelineSpatialIndex

extension RegionSet {
  /// The regions whose perimeters are nearest to a place.
  ///
  /// - Parameters:
  ///   - place: Where.
  ///   - device: The device that they must concern.
  ///   - count: How many at most.
  /// - Returns: Their identifiers and the distance to the perimeter in metres, negative inside; the smallest first.
  public func nearest(to place: Coordinate, device: String, count: Int) -> [(id: String, distance: Double)] {
    let point = EarthPoint(place)
    var slots: [CircleIndex.Slot] = []
    var reach = 1_000.0
    while true {
      index.circles(within: reach, of: point, into: &slots)
      var found: [(id: String, distance: Double)] = []
      for slot in slots {
        guard let rules = rules[Int(slot)], rules.concerns(device) else { continue }
        let distance = rules.plane.centre.distance(to: place) - rules.radius
        found.append((rules.id, distance))
      }
      // Only what is that near, within or without, can have no nearer one beyond the reach.
      if found.count(where: { abs($0.distance) <= reach }) >= count || reach > RegionSet.farthest {
        found.sort { (abs($0.distance), $0.id) < (abs($1.distance), $1.id) }
        return Array(found.prefix(count))
      }
      reach *= 4
    }
  }

  /// Metres: nothing on Earth is farther away.
  private static let farthest = 20_100_000.0
}
