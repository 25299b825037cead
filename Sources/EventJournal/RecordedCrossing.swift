internal import FencelineCivilTime
internal import FencelineGeodesy
package import FencelineGeofencing
internal import FencelineSQLiteStore

/// A crossing as the journal holds it.
package struct RecordedCrossing: Hashable, Sendable {
  /// Its run, and its number there, from 1.
  package var run: Int64
  package var sequence: Int64
  /// The title of its region.
  package var title: String?
  /// The crossing.
  package var crossing: Crossing

  /// A crossing that is in the journal.
  package init(run: Int64, sequence: Int64, title: String?, crossing: Crossing) {
    self.run = run
    self.sequence = sequence
    self.title = title
    self.crossing = crossing
  }

  /// Of the tables `crossing c` and `region r`.
  static let columns = """
    c.confirmed_at, c.run, c.sequence, r.title, c.device, r.id, c.kind, c.at, c.earliest, c.latest, c.cause, c.notify,
    c.latitude, c.longitude
    """
  static let columnCount: Int32 = 14

  init(_ row: Statement) {
    run = row.integer(1)
    sequence = row.integer(2)
    title = row.optionalText(3)
    crossing = Crossing(
      device: row.text(4), region: row.text(5), kind: Crossing.Kind(rawValue: row.text(6)) ?? .entry,
      at: Timestamp(milliseconds: row.integer(7)), confirmedAt: Timestamp(milliseconds: row.integer(0)),
      earliest: Timestamp(milliseconds: row.integer(8)), latest: Timestamp(milliseconds: row.integer(9)),
      cause: Crossing.Cause(rawValue: row.text(10)) ?? .observed, notify: row.integer(11) != 0,
      coordinate: Coordinate(latitude: row.real(12), longitude: row.real(13)))
  }
}
