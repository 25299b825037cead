internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineSQLiteStore

/// A row of the table of regions, into which another program may have written.
struct RegionRow {
  var stored: StoredRegion
  /// Whether each of its values could be read.
  var isReadable: Bool
  /// Why it cannot be used: what cannot is never used as something else. nil where it can.
  var problem: String?

  /// What rows with the same terms have in common.
  fileprivate struct Kind {
    /// A region with the terms.
    var pattern = Region(id: "", centre: Coordinate(latitude: 0, longitude: 0), radius: 1)
    var isReadable = true
    /// Why no region with them can be used.
    var problem: String?
  }
}

/// How regions stand in their table.
extension Journal {
  private static let columns = [
    "id", "latitude", "longitude", "radius", "title", "notify_on_entry", "notify_on_exit", "dwell", "repeats",
    "profile", "enter_after", "exit_after", "exit_margin", "initial", "cooldown", "active", "expires",
    "devices", "tags", "priority", "enabled",
  ]

  /// The region's values in the order of ``columns``.
  private static func values(_ region: Region) -> [SQLiteValue] {
    func list(_ values: [JSONValue]) -> SQLiteValue { .text(JSONValue.array(values).line) }
    return [
      .text(region.id), .real(region.centre.latitude), .real(region.centre.longitude), .real(region.radius),
      .optional(region.title), .boolean(region.notifyOnEntry), .boolean(region.notifyOnExit),
      list(region.dwell.map(JSONValue.number)), .boolean(region.repeats), .optional(region.profile?.rawValue),
      .optional(region.enterAfter), .optional(region.exitAfter), .optional(region.exitMargin),
      .text(region.initial.rawValue), .optional(region.cooldown),
      list(region.active.map { .text($0.description) }), .optional(region.expires?.milliseconds),
      list(region.devices.map(JSONValue.text)), list(region.tags.map(JSONValue.text)),
      .integer(Int64(region.priority)), .boolean(region.isEnabled),
    ]
  }

  /// Reads regions that can be used.
  ///
  /// - Throws: Where one of them cannot be used, too.
  func storedRegions(_ condition: String, _ values: [SQLiteValue]) throws -> [StoredRegion] {
    var regions: [StoredRegion] = []
    var problem: String?
    try forEachRegionRow(condition, values) { row in
      if let reason = row.problem { problem = problem ?? sentence(row, reason) }
      regions.append(row.stored)
    }
    if let problem { throw JournalError(.unreadable, problem) }
    return regions
  }

  /// What is told of a region that cannot be used.
  func sentence(_ row: RegionRow, _ problem: String) -> String {
    let mend = row.isReadable ? "Mend it with 'fenceline region edit', or remove it" : "Remove it"
    return
      "The journal '\(path)' holds a region '\(row.stored.region.id.printable)' that cannot be used: \(problem) "
      + "\(mend) with 'fenceline region remove'."
  }

  /// Reads regions, those that cannot be used too.
  func forEachRegionRow(
    _ condition: String, _ parameters: [SQLiteValue], _ body: (RegionRow) -> Void
  ) throws {
    let columns = Journal.columns.joined(separator: ", ")
    // Mostly the terms are those of the row before, else those of some other: they are read once.
    var known: [[SQLiteValue]: RegionRow.Kind] = [:]
    var values: [SQLiteValue] = []
    var kind = RegionRow.Kind()
    try connection.forEachRow(
      "SELECT \(columns), number, revision, armed, unknown_since FROM region WHERE \(condition)", parameters
    ) { row in
      if values.isEmpty || !values.indices.allSatisfy({ row.holds(values[$0], in: Int32(5 + $0)) }) {
        values = (5..<Int32(Journal.columns.count)).map(row.value)
        kind = known[values] ?? RegionRow.Kind(row)
        // Where nearly all differ, remembering them gains nothing.
        if known.count < 256 { known[values] = kind }
      }
      var region = kind.pattern
      region.id = row.text(0)
      region.centre = Coordinate(latitude: row.real(1), longitude: row.real(2))
      region.radius = row.real(3)
      region.title = row.optionalText(4)
      let stored = StoredRegion(
        number: row.integer(21), revision: row.integer(22), isArmed: row.integer(23) != 0,
        knownAfter: row.integer(24), region: region)
      body(
        RegionRow(
          stored: stored, isReadable: kind.isReadable,
          problem: kind.isReadable ? region.placeProblems().first?.message ?? kind.problem : kind.problem))
    }
  }

  func insert(_ region: Region, _ now: Int64) throws {
    let columns = Journal.columns + ["revision", "created", "changed"]
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.statement("INSERT INTO region (\(columns.joined(separator: ", "))) VALUES (\(places))")
      .run(
        Journal.values(region) + [1, .integer(now), .integer(now)])
    try addRevision(connection.lastInsertedRow, 1, region, now)
  }

  func replace(_ old: StoredRegion, with region: Region, _ now: Int64) throws {
    let moved = old.region.centre != region.centre || old.region.radius != region.radius
    let revision = moved ? old.revision + 1 : old.revision
    let assignments = (Journal.columns + ["revision", "changed"]).map { "\($0) = ?" }.joined(separator: ", ")
    try connection.statement("UPDATE region SET \(assignments) WHERE number = ?").run(
      Journal.values(region) + [.integer(revision), .integer(now), .integer(old.number)])
    if moved { try addRevision(old.number, revision, region, now) }
    if old.region.repeats != region.repeats {
      try connection.run("UPDATE region SET armed = 1 WHERE number = ?", .integer(old.number))
    }
  }

  private func addRevision(_ number: Int64, _ revision: Int64, _ region: Region, _ now: Int64) throws {
    try connection.run(
      "INSERT INTO region_revision (region, revision, latitude, longitude, radius, since) VALUES (?, ?, ?, ?, ?, ?)",
      .integer(number), .integer(revision), .real(region.centre.latitude), .real(region.centre.longitude),
      .real(region.radius), .integer(now))
  }
}

extension RegionRow.Kind {
  fileprivate init(_ row: Statement) {
    var isReadable = true
    func list<Value>(_ column: Int32, _ read: (JSONNode) -> Value?) -> [Value] {
      let nodes = (try? JSONNode(parsing: row.text(column).utf8))?.elements
      let values = nodes?.compactMap(read)
      if values == nil || values?.count != nodes?.count { isReadable = false }
      return values ?? []
    }
    var terms = Region.Terms()
    terms.notifyOnEntry = row.integer(5) != 0
    terms.notifyOnExit = row.integer(6) != 0
    terms.dwell = list(7, \.number)
    terms.repeats = row.integer(8) != 0
    if let name = row.optionalText(9) {
      terms.profile = Profile(rawValue: name)
      if terms.profile == nil { isReadable = false }
    }
    terms.enterAfter = row.optionalReal(10)
    terms.exitAfter = row.optionalReal(11)
    terms.exitMargin = row.optionalReal(12)
    if let initial = InitialCrossing(rawValue: row.text(13)) {
      terms.initial = initial
    } else {
      isReadable = false
    }
    terms.cooldown = row.optionalReal(14)
    terms.active = list(15) { $0.text.flatMap(ActiveWindow.init) }
    terms.expires = row.optionalInteger(16).map(Timestamp.init)
    terms.devices = list(17, \.text)
    terms.tags = list(18, \.text)
    terms.priority = Int(row.integer(19))
    terms.isEnabled = row.integer(20) != 0
    pattern.terms = terms
    self.isReadable = isReadable
    // A tag that is only ugly hurts nobody.
    problem =
      isReadable
      ? terms.problems().first { $0.property != "tags" }?.message : "One of its values cannot be read."
  }
}
