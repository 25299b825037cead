package import FencelineCivilTime

/// Where a device is.
package struct LivePosition: Hashable, Sendable {
  /// The device.
  package var device: String
  /// When it was there.
  package var time: Timestamp
  /// Degrees.
  package var latitude: Double
  package var longitude: Double
  /// Radius in metres that holds the true position with 68 %; nil when the receiver gives none.
  package var accuracy: Double?
  /// Metres; nil when the receiver gives none.
  package var altitude: Double?
  /// Metres a second; nil when the receiver gives none.
  package var speed: Double?
  /// Degrees from north, clockwise; nil when the receiver gives none.
  package var course: Double?

  /// A position.
  package init(
    device: String, time: Timestamp, latitude: Double, longitude: Double, accuracy: Double? = nil,
    altitude: Double? = nil, speed: Double? = nil, course: Double? = nil
  ) {
    self.device = device
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.altitude = altitude
    self.speed = speed
    self.course = course
  }
}

/// How everything stands, for channels that show states and not only events.
package struct LiveState: Hashable, Sendable {
  /// What tells this journal from every other.
  package var identity: String
  /// The regions that are watched, in the order of their identifiers.
  package var places: [Parcel.Place]
  /// Where each device was last.
  package var positions: [LivePosition]
  /// Which devices are inside which regions, by their identifiers.
  package var inside: [String: Set<String>]

  /// A state.
  package init(
    identity: String = "", places: [Parcel.Place] = [], positions: [LivePosition] = [],
    inside: [String: Set<String>] = [:]
  ) {
    self.identity = identity
    self.places = places
    self.positions = positions
    self.inside = inside
  }
}
