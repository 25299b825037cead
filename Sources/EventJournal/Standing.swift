internal import FencelineDecisions
package import FencelineGeofencing
package import FencelinePositioning
internal import FencelineSQLiteStore

/// How everything stands, for who shows states and not only events.
package struct Standing: Sendable {
  /// What tells the journal from every other.
  package var identity: String
  /// Regions that are watched, in the order of their identifiers.
  package var regions: [Region]
  /// The last fix of each device that counted.
  package var fixes: [Fix]
  /// Which devices are inside which regions.
  package var inside: [String: Set<String>]
}

extension Journal {
  /// What tells this journal, and its events, from every other.
  func identity() throws -> String {
    try connection.rows("SELECT id FROM identity") { $0.text(0) }.first ?? ""
  }

  /// How everything stands now.
  package func standing() throws(JournalError) -> Standing {
    try perform {
      let regions = try usableRegions().regions.map(\.region).filter(\.isEnabled)
      var inside: [String: Set<String>] = [:]
      try connection.forEachRow(
        """
        SELECT s.device, r.id FROM region_state s JOIN region r ON r.number = s.region
        WHERE s.side = 'inside' AND r.ended IS NULL
        """
      ) { inside[$0.text(1), default: []].insert($0.text(0)) }
      return Standing(
        identity: try identity(),
        regions: regions.sorted { $0.id < $1.id }, fixes: try deviceMemories().map(\.last), inside: inside)
    }
  }
}
