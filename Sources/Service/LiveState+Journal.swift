package import FencelineDelivery
internal import FencelineEventJournal
internal import FencelineGeodesy
internal import FencelineGeofencing
package import FencelinePositioning

extension LiveState {
  /// How everything stands by a database; nil where it cannot be read.
  package init?(database path: String) {
    guard let standing = try? Journal(path: path, .read, busyTimeout: 1_000).standing() else { return nil }
    self.init(
      identity: standing.identity,
      places: standing.regions.map { region in
        Parcel.Place(
          region: region.id, title: region.title, latitude: region.centre.latitude,
          longitude: region.centre.longitude, radius: region.radius, tags: region.tags)
      },
      positions: standing.fixes.map { LivePosition($0) }, inside: standing.inside)
  }
}

extension LivePosition {
  /// Where a fix says that its device is.
  package init(_ fix: Fix) {
    self.init(
      device: fix.device, time: fix.time, latitude: fix.coordinate.latitude,
      longitude: fix.coordinate.longitude,
      accuracy: fix.accuracy, altitude: fix.altitude, speed: fix.speed, course: fix.course)
  }
}
