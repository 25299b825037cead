package import FencelineCivilTime
package import FencelineGeodesy
package import FencelineGeofencing

/// A stay of one device in one region.
package struct Visit: Hashable, Sendable {
  /// Its run, and its number there, from 1.
  package var run: Int64
  package var number: Int64
  /// Who stayed.
  package var device: String
  /// The identifier of the region, and its title.
  package var region: String
  package var title: String?
  /// The centre of the region, and its radius in metres, as they were then.
  package var centre: Coordinate
  package var radius: Double
  /// When it began.
  package var entered: Timestamp
  /// When it ended; nil while it is open.
  package var left: Timestamp?
  /// Why it ended; nil while it is open.
  package var reason: VisitEnd?
  /// When it ended, and of an open one how long it is known to have gone on: up to its run's last fix.
  package var lastSeen: Timestamp

  /// A stay, with all that is known about it.
  package init(
    run: Int64, number: Int64, device: String, region: String, title: String?, centre: Coordinate,
    radius: Double,
    entered: Timestamp, left: Timestamp?, reason: VisitEnd?, lastSeen: Timestamp
  ) {
    self.run = run
    self.number = number
    self.device = device
    self.region = region
    self.title = title
    self.centre = centre
    self.radius = radius
    self.entered = entered
    self.left = left
    self.reason = reason
    self.lastSeen = lastSeen
  }

  /// How long it lasted, in seconds; nil while it is open.
  package var seconds: Double? { left.map { $0.seconds(since: entered) } }
}
