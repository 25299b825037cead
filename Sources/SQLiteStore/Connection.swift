internal import CFencelineSQLite

/// One connection to one database file, used by one thread at a time.
@safe package final class Connection {
  /// How a file is opened.
  package enum Access: Sendable {
    /// For reading alone; it must exist.
    case read
    /// For reading and writing; it must exist.
    case write
    /// For reading and writing; it is created where it is missing.
    case create
  }

  let handle: OpaquePointer
  /// Those that were prepared, by their text.
  private(set) var statements: [String: Statement] = [:]

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: The file, or `:memory:` for a database that goes with the connection.
  ///   - access: What for.
  ///   - busyTimeout: Milliseconds to wait for another connection's lock.
  /// - Throws: ``SQLiteError``; most faults of the file itself show only at the first statement.
  package init(_ path: String, _ access: Access, busyTimeout: Int32 = 5000) throws(SQLiteError) {
    let flags =
      switch access {
      case .read: SQLITE_OPEN_READONLY
      case .write: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let result = unsafe sqlite3_open_v2(
      path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard result == SQLITE_OK, let opened = unsafe opened else {
      let error = unsafe SQLiteError(handle: opened, result)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    unsafe sqlite3_busy_timeout(opened, busyTimeout)
  }

  deinit {
    statements.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs statements that need no values and whose rows do not matter.
  ///
  /// - Parameter sql: One or more statements, of the program's own making.
  /// - Throws: ``SQLiteError`` for the first that fails.
  package func execute(_ sql: String) throws(SQLiteError) {
    let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if result != SQLITE_OK { throw unsafe SQLiteError(handle: handle, result) }
  }

  /// The statement for a text, prepared at its first use and kept.
  ///
  /// - Parameter sql: One statement, of the program's own making.
  /// - Returns: The statement, without values.
  /// - Throws: ``SQLiteError`` where it cannot be prepared.
  package func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let known = statements[sql] { return known }
    let statement = try Statement(sql, self)
    statements[sql] = statement
    return statement
  }

  /// Runs one statement that gives no rows.
  ///
  /// - Parameters:
  ///   - sql: One statement, kept for the next time.
  ///   - values: For its parameters, in order.
  /// - Returns: How many rows it changed.
  /// - Throws: ``SQLiteError``.
  @discardableResult
  package func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
    try statement(sql).run(values)
    return Int(unsafe sqlite3_changes64(handle))
  }

  /// Reads rows.
  ///
  /// - Parameters:
  ///   - sql: One query, kept for the next time.
  ///   - values: For its parameters, in order.
  ///   - read: What to make of a row.
  /// - Returns: One element a row.
  /// - Throws: ``SQLiteError``.
  package func rows<Element>(
    _ sql: String, _ values: [SQLiteValue] = [], _ read: (Statement) -> Element
  ) throws(SQLiteError) -> [Element] {
    var elements: [Element] = []
    try forEachRow(sql, values) { elements.append(read($0)) }
    return elements
  }

  /// Reads rows one by one.
  ///
  /// - Parameters:
  ///   - sql: One query, kept for the next time.
  ///   - values: For its parameters, in order.
  ///   - body: What to do with a row.
  /// - Throws: ``SQLiteError``.
  package func forEachRow(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (Statement) -> Void
  ) throws(SQLiteError) {
    let statement = try statement(sql)
    try statement.bind(values)
    defer { statement.reset() }
    while try statement.step() { body(statement) }
  }

  /// The number of the row that was inserted last.
  package var lastInsertedRow: Int64 {
    unsafe sqlite3_last_insert_rowid(handle)
  }

  /// Runs `body` as one transaction that writes: all of it is done, or nothing.
  ///
  /// - Parameter body: What to do; where it throws, everything is taken back.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or ``SQLiteError`` where the transaction cannot begin or be committed.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite has rolled back by itself after some errors, a full disk for one; the first error is the one to tell.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }
}

extension SQLiteError {
  init(handle: OpaquePointer?, _ resultCode: Int32) {
    let text = unsafe handle.flatMap { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(resultCode)
    self.init(
      resultCode: resultCode, systemError: unsafe handle.map { unsafe sqlite3_system_errno($0) } ?? 0,
      message: unsafe text.map { unsafe String(cString: $0) } ?? "unknown error")
  }
}

@available(*, unavailable)
extension Connection: Sendable {}
