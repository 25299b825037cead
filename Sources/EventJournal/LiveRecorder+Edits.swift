internal import FencelineSQLiteStore

extension LiveRecorder {
  /// What was edited since the last turn.
  package struct Edits {
    /// Regions that are there, and whether nothing holds that was known of each.
    package var regions: [(region: StoredRegion, isNew: Bool)] = []
    /// Regions that are gone.
    package var removed: [(id: String, number: Int64)] = []
    /// Whether settings were changed.
    package var settings = false
    /// The number of the last edit.
    package var last: Int64
  }

  /// What has been edited since the last turn, and is known from now on; inside a turn.
  func edits() throws(JournalError) -> Edits? {
    try journal.perform {
      let rows = try journal.connection.rows(
        "SELECT id, what, region FROM change WHERE id > ? ORDER BY id", [.integer(seen)]
      ) { (id: $0.integer(0), what: $0.text(1), region: $0.integer(2)) }
      guard let last = rows.last else { return nil }
      var edits = Edits(last: last.id)
      edits.settings = rows.contains { $0.what == "setting" }
      var numbers: [Int64: Bool] = [:]
      for row in rows where row.what != "setting" {
        numbers[row.region] = numbers[row.region] == true || row.what == "begun"
      }
      let found = try journal.usableRegions(numbered: numbers.keys.sorted())
      let spoilt = regionProblems
      for number in numbers.keys { regionProblems[number] = found.problems[number] }
      for var region in found.regions {
        var isNew = numbers.removeValue(forKey: region.number) ?? true
        // Nobody has watched it meanwhile.
        if spoilt[region.number] != nil { (isNew, region.knownAfter) = (true, last.id) }
        know(region)
        edits.regions.append((region, isNew))
      }
      edits.removed = numbers.keys.sorted().compactMap { number in identifiers[number].map { ($0, number) } }
      return edits
    }
  }
}
