internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineSQLiteStore

extension Journal {
  /// The number of rows that are read while the database is pinned; between two pages other processes may tidy it.
  private static let page = 1000

  /// Reads crossings in the order of their confirmation, a page at a time.
  ///
  /// - Parameters:
  ///   - filter: Which.
  ///   - body: Gets each page.
  /// - Throws: ``JournalError``, or what `body` throws.
  package func crossings(_ filter: HistoryFilter, _ body: ([RecordedCrossing]) throws -> Void) throws {
    var conditions = try perform { try self.conditions(filter, "c") }
    if !filter.kinds.isEmpty {
      let places = filter.kinds.map { _ in "?" }.joined(separator: ", ")
      conditions.add("c.kind IN (\(places))", filter.kinds.map { .text($0.rawValue) })
    }
    if let since = filter.since {
      // Nothing is confirmed before it happens: the second condition lets the index skip the past.
      let value = SQLiteValue.integer(since.milliseconds)
      conditions.add("c.at >= ? AND c.confirmed_at >= ?", [value, value])
    }
    if let until = filter.until { conditions.add("c.at < ?", [.integer(until.milliseconds)]) }
    let query = HistoryQuery(
      columns: RecordedCrossing.columns,
      table: "crossing c", key: ("c.confirmed_at", "c.run", "c.sequence"), region: "c.region", conditions)
    try pages(query, filter.limit) { row in
      RecordedCrossing(row)
    } body: {
      try body($0)
    }
  }

  /// Reads visits in the order in which they began, a page at a time.
  ///
  /// - Parameters:
  ///   - filter: Which; kinds do not matter.
  ///   - body: Gets each page.
  /// - Throws: ``JournalError``, or what `body` throws.
  package func visits(_ filter: HistoryFilter, _ body: ([Visit]) throws -> Void) throws {
    var conditions = try perform { try self.conditions(filter, "v") }
    let lastSeen = "coalesce(v.left, max(v.entered, coalesce(u.last_fix, v.entered)))"
    if let since = filter.since {
      conditions.add("\(lastSeen) >= ?", [.integer(since.milliseconds)])
    }
    if let until = filter.until { conditions.add("v.entered < ?", [.integer(until.milliseconds)]) }
    let query = HistoryQuery(
      columns: """
        v.entered, v.run, v.number, v.device, r.id, r.title, v.left, v.reason, g.latitude, g.longitude, g.radius,
        \(lastSeen)
        """,
      table: "visit v JOIN region_revision g ON g.region = v.region AND g.revision = v.revision",
      key: ("v.entered", "v.run", "v.number"), region: "v.region", conditions)
    try pages(query, filter.limit) { row in
      Visit(
        run: row.integer(1), number: row.integer(2), device: row.text(3), region: row.text(4),
        title: row.optionalText(5), centre: Coordinate(latitude: row.real(8), longitude: row.real(9)),
        radius: row.real(10), entered: Timestamp(milliseconds: row.integer(0)),
        left: row.optionalInteger(6).map(Timestamp.init), reason: VisitEnd(rawValue: row.text(7)),
        lastSeen: Timestamp(milliseconds: row.integer(11)))
    } body: {
      try body($0)
    }
  }

  /// The latest replay; nil where there is none.
  package func lastReplay() throws(JournalError) -> Int64? {
    try perform {
      try connection.rows("SELECT id FROM run WHERE visible AND kind = 'replay' ORDER BY id DESC LIMIT 1") {
        $0.integer(0)
      }.first
    }
  }

  /// The live run; nil where the service has never run.
  package func liveRun() throws(JournalError) -> Int64? {
    try perform {
      try connection.rows("SELECT id FROM run WHERE visible AND kind = 'live'") { $0.integer(0) }.first
    }
  }
}

/// Conditions of a query, and the values for them.
private struct Conditions {
  var text: [String] = []
  var values: [SQLiteValue] = []

  mutating func add(_ condition: String, _ more: [SQLiteValue]) {
    text.append(condition)
    values += more
  }
}

private struct HistoryQuery {
  let columns: String
  let table: String
  /// Three columns that order the rows and tell them apart; also the first three of `columns`.
  let key: (String, String, String)
  let region: String
  let conditions: Conditions

  init(
    columns: String, table: String, key: (String, String, String), region: String, _ conditions: Conditions
  ) {
    self.columns = columns
    self.table = table
    self.key = key
    self.region = region
    self.conditions = conditions
  }

  func sql(_ what: String, _ more: [String], _ ending: String) -> String {
    let own = ["u.visible"] + conditions.text + more
    let run = key.1
    return """
      SELECT \(what) FROM \(table) JOIN run u ON u.id = \(run) JOIN region r ON r.number = \(region)
      WHERE \(own.joined(separator: " AND ")) \(ending)
      """
  }
}

extension Journal {
  private func conditions(_ filter: HistoryFilter, _ table: String) throws -> Conditions {
    var conditions = Conditions()
    if let run = filter.run { conditions.add("\(table).run = ?", [.integer(run)]) }
    if let region = filter.region {
      let glob = Glob(region)
      let numbers = try connection.rows("SELECT number, id FROM region") { ($0.integer(0), $0.text(1)) }
        .filter { glob.matches($0.1) }.map { String($0.0) }
      conditions.add(
        "\(table).region IN (SELECT value FROM json_each(?))", [.text("[\(numbers.joined(separator: ","))]")])
    }
    if let device = filter.device {
      let glob = Glob(device)
      let name = table == "c" ? "crossing" : "visit"
      let devices = try connection.rows("SELECT DISTINCT device FROM \(name)") { $0.text(0) }.filter(
        glob.matches)
      let list = JSONValue.array(devices.map(JSONValue.text)).line
      conditions.add("\(table).device IN (SELECT value FROM json_each(?))", [.text(list)])
    }
    return conditions
  }

  private func pages<Element>(
    _ query: HistoryQuery, _ limit: Int?, _ read: (Statement) -> Element, body: ([Element]) throws -> Void
  ) throws {
    let key = "\(query.key.0), \(query.key.1), \(query.key.2)"
    let descending = "\(query.key.0) DESC, \(query.key.1) DESC, \(query.key.2) DESC"
    func keys(_ row: Statement) -> [SQLiteValue] {
      [.integer(row.integer(0)), .integer(row.integer(1)), .integer(row.integer(2))]
    }
    var after: [SQLiteValue] = []
    if let limit {
      guard limit > 0 else { return }
      // The row just before the latest `limit` ones; where there is none, all are wanted.
      after =
        try perform {
          try connection.rows(
            query.sql(key, [], "ORDER BY \(descending) LIMIT 1 OFFSET \(limit)"), query.conditions.values,
            keys)
        }.first ?? []
    }
    while true {
      let more = after.isEmpty ? [] : ["(\(key)) > (?, ?, ?)"]
      var last: [SQLiteValue] = []
      let page = try perform {
        try connection.rows(
          query.sql(query.columns, more, "ORDER BY \(key) LIMIT \(Journal.page)"),
          query.conditions.values + after
        ) { row in
          last = keys(row)
          return read(row)
        }
      }
      if !page.isEmpty { try body(page) }
      guard page.count == Journal.page else { return }
      after = last
    }
  }
}
