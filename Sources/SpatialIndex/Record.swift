internal import FencelineGeodesy

/// A circle as it was given.
struct Record {
  var centre: Coordinate
  /// Metres; negative where the slot is empty.
  var radius: Double

  static let none = Record(centre: Coordinate(latitude: 0, longitude: 0), radius: -1)

  /// What decides: the geodesic.
  func holds(_ place: Coordinate) -> Bool { centre.distance(to: place) <= radius }
}
