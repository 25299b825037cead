internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineSQLiteStore

/// The rows that replays and the live run write alike; inside a transaction of the caller's.
extension Journal {
  func insert(_ crossing: Crossing, _ run: Int64, _ sequence: Int64, of region: StoredRegion) throws {
    try connection.run(
      """
      INSERT INTO crossing (run, sequence, device, region, revision, kind, at, confirmed_at, earliest, latest, cause,
        notify, latitude, longitude) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(run), .integer(sequence), .text(crossing.device), .integer(region.number),
      .integer(region.revision), .text(crossing.kind.rawValue), .integer(crossing.at.milliseconds),
      .integer(crossing.confirmedAt.milliseconds), .integer(crossing.earliest.milliseconds),
      .integer(crossing.latest.milliseconds), .text(crossing.cause.rawValue), .boolean(crossing.notify),
      .real(crossing.coordinate.latitude), .real(crossing.coordinate.longitude))
  }

  func insertVisit(
    _ run: Int64, _ number: Int64, device: String, of region: StoredRegion, entered: Timestamp,
    left: Timestamp?, _ reason: VisitEnd?
  ) throws {
    try connection.run(
      """
      INSERT INTO visit (run, number, device, region, revision, entered, left, reason)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(run), .integer(number), .text(device), .integer(region.number), .integer(region.revision),
      .integer(entered.milliseconds), .optional(left?.milliseconds), .text(reason?.rawValue ?? "open"))
  }
}
