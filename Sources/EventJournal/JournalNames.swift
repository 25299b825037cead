internal import FencelineSQLiteStore
internal import Glibc

/// The names in a journal, for whoever completes a half-typed word: at once, or not at all.
///
/// Nothing is created, brought up to date or waited for, and no fault is told.
package struct JournalNames {
  /// A name and what it stands for.
  package struct Name: Hashable, Sendable {
    /// The name.
    package var text: String
    /// A title, a source or nothing.
    package var about: String
  }

  /// How many names are given at most.
  package static let limit = 200
  /// Milliseconds to wait for another process's lock.
  private static let patience: Int32 = 50

  private let connection: Connection

  /// - Parameter path: A file; nil comes out where it is no journal that this program knows, or cannot be read now.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      // Who only reads may write all the same: the last one to leave tidies up the files beside it.
      let connection = try? Connection(path, .write, busyTimeout: Self.patience),
      (try? connection.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")) != nil
    else { return nil }
    self.connection = connection
    guard number("application_id") == Schema.applicationID, number("user_version") == Int64(Schema.version)
    else { return nil }
  }

  private func number(_ pragma: String) -> Int64? {
    (try? connection.rows("PRAGMA \(pragma)") { $0.integer(0) })?.first
  }

  /// Identifiers of regions, with their titles.
  ///
  /// - Parameter prefix: What they begin with.
  /// - Returns: The first ones in order and, where there are more, the last one, so that what these have in common all have.
  package func regions(beginning prefix: String) -> [Name] {
    let condition = "FROM region WHERE ended IS NULL AND id >= ?1 AND id < ?2 ORDER BY id"
    let bounds = Self.bounds(prefix)
    let first = names("SELECT id, title \(condition) LIMIT \(Self.limit)", bounds)
    guard first.count == Self.limit else { return first }
    let last = names("SELECT id, title \(condition) DESC LIMIT 1", bounds)
    return first.dropLast() + last
  }

  /// Devices that have crossed a perimeter.
  ///
  /// - Parameter prefix: What their names begin with.
  /// - Returns: The first ones, in order.
  package func devices(beginning prefix: String) -> [Name] {
    // One look into the index for each device, not one for each crossing.
    names(
      """
      WITH RECURSIVE name (device) AS (
        SELECT min(device) FROM crossing WHERE device >= ?1
        UNION ALL
        SELECT (SELECT min(device) FROM crossing WHERE device > name.device) FROM name WHERE name.device < ?2)
      SELECT device, NULL FROM name WHERE device < ?2 AND EXISTS (
        SELECT 1 FROM crossing c JOIN run u ON u.id = c.run WHERE c.device = name.device AND u.visible)
      LIMIT \(Self.limit)
      """, Self.bounds(prefix))
  }

  /// What the notification centre knows by name.
  package enum CentreNames: String, Sendable {
    case apps, requests, delivered, categories, actions, focuses, channels, deliveries
  }

  /// Names of the notification centre, whatever their app.
  ///
  /// - Parameters:
  ///   - kind: Which.
  ///   - prefix: What they begin with.
  /// - Returns: The first ones, in order.
  package func names(of kind: CentreNames, beginning prefix: String) -> [Name] {
    let (table, name, about) =
      switch kind {
      case .apps: ("app", "id", "status")
      case .requests: ("request", "id", "json_extract(content, '$.title')")
      case .delivered:
        (
          "notification WHERE removed IS NULL AND state = 'delivered'", "id",
          "json_extract(content, '$.title')"
        )
      case .categories: ("category", "id", "app")
      case .actions:
        (
          "category, json_each(definition, '$.actions')", "json_extract(value, '$.id')",
          "json_extract(value, '$.title')"
        )
      case .focuses: ("focus", "id", "mode")
      case .channels: ("channel", "name", "kind")
      case .deliveries:
        (
          "delivery d JOIN channel c ON c.number = d.channel WHERE d.state IN ('waiting', 'dead')",
          "CAST(d.number AS TEXT)", "c.name"
        )
      }
    return names(
      """
      SELECT DISTINCT name, about FROM (SELECT \(name) AS name, \(about) AS about FROM \(table))
      WHERE name >= ?1 AND name < ?2 ORDER BY name LIMIT \(Self.limit)
      """, Self.bounds(prefix))
  }

  /// Runs, with their sources.
  ///
  /// - Parameters:
  ///   - prefix: What their numbers begin with.
  ///   - isLive: Whether the live run is wanted too, and the names `last` and `live`.
  /// - Returns: The latest first.
  package func runs(beginning prefix: String, isLive: Bool) -> [Name] {
    let numbers = names(
      """
      SELECT id, source FROM run WHERE visible \(isLive ? "" : "AND kind = 'replay'")
        AND substr(id, 1, length(?1)) = ?1 ORDER BY id DESC LIMIT \(Self.limit)
      """, [.text(prefix)])
    guard isLive else { return numbers }
    let kinds = [("last", "replay"), ("live", "live")].flatMap { name, kind in
      names(
        "SELECT ?1, source FROM run WHERE visible AND kind = ?2 ORDER BY id DESC LIMIT 1",
        [.text(name), .text(kind)])
    }
    return kinds + numbers
  }

  /// The least text that begins so, and one that no such text reaches.
  private static func bounds(_ prefix: String) -> [SQLiteValue] {
    [.text(prefix), .text(prefix + "\u{10FFFF}")]
  }

  private func names(_ sql: String, _ values: [SQLiteValue]) -> [Name] {
    let found = try? connection.rows(sql, values) { Name(text: $0.text(0), about: $0.optionalText(1) ?? "") }
    return found ?? []
  }
}
