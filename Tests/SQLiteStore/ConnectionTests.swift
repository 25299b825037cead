import FencelineSQLiteStore
import FencelineTestSupport
import Testing

struct ConnectionTests {
  private func memory() throws -> Connection {
    try Connection(":memory:", .create)
  }

  /// The error that `body` throws.
  private func code(_ body: () throws -> Void) -> SQLiteError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SQLiteError)?.code
    }
  }

  @Test func aColumnHoldsItsValueAndNoOther() throws {
    let connection = try memory()
    let values: [SQLiteValue] = [
      .null, .integer(0), .integer(5), .integer(-1), .real(0), .real(5), .real(0.1), .text(""), .text("5"),
      .text("5.0"),
      .text("Zürich"), .text(String(repeating: "ü", count: 100)), .text("a\u{0}b"), .text("a"),
    ]
    try connection.execute("CREATE TABLE t (v ANY) STRICT")
    for value in values { try connection.run("INSERT INTO t VALUES (?)", value) }
    try connection.execute("INSERT INTO t VALUES (x'35')")
    var place = 0
    try connection.forEachRow("SELECT v FROM t") { row in
      let value = place < values.count ? values[place] : .null
      #expect(row.value(0) == value)
      for other in values { #expect(row.holds(other, in: 0) == (other == value), "\(other) and \(value)") }
      place += 1
    }
    #expect(place == values.count + 1)
  }

  @Test func valuesComeBackAsTheyWere() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (i INTEGER, r REAL, x TEXT, b BLOB, n ANY) STRICT")
    let texts = ["", "Zürich", "a\u{0}b", "'; DROP TABLE t; --", String(repeating: "ü", count: 100_000)]
    for (place, text) in texts.enumerated() {
      let changed = try connection.run(
        "INSERT INTO t VALUES (?, ?, ?, ?, ?)", .integer(Int64(place) - 2), .real(0.1), .text(text),
        .blob([0, 1, 255]), .null)
      #expect(changed == 1)
      #expect(connection.lastInsertedRow == Int64(place) + 1)
    }
    let rows = try connection.rows("SELECT i, r, x, length(b), n FROM t ORDER BY i") { row in
      #expect(
        row.isNull(4) && row.optionalText(4) == nil && row.optionalInteger(4) == nil
          && row.optionalReal(4) == nil)
      #expect(row.real(1) == 0.1 && row.optionalReal(1) == 0.1)
      #expect(row.integer(3) == 3)
      #expect(row.text(4) == "" && row.integer(4) == 0 && row.real(4) == 0)
      return (row.optionalInteger(0), row.optionalText(2))
    }
    #expect(rows.map(\.0) == [-2, -1, 0, 1, 2])
    #expect(rows.map(\.1) == texts)
  }

  @Test func whatIsOptionalIsNullOrAValue() {
    #expect(SQLiteValue.optional(nil as Int64?) == .null && SQLiteValue.optional(5 as Int64?) == 5)
    #expect(
      SQLiteValue.optional(nil as Double?) == .null && SQLiteValue.optional(0.5 as Double?) == .real(0.5))
    #expect(SQLiteValue.optional(nil as String?) == .null && SQLiteValue.optional("x" as String?) == "x")
    #expect(SQLiteValue.boolean(true) == 1 && SQLiteValue.boolean(false) == 0)
  }

  @Test func parametersThatAreLeftOverAreNull() throws {
    let connection = try memory()
    #expect(try connection.rows("SELECT ?, ?", [1, 2]) { $0.optionalInteger(1) } == [2])
    #expect(try connection.rows("SELECT ?, ?", [1]) { $0.optionalInteger(1) } == [nil])
    #expect(code { _ = try connection.rows("SELECT ?", [1, 2]) { $0.integer(0) } } == .other)
  }

  @Test func anEmptyBlobIsNotNull() throws {
    #expect(try memory().rows("SELECT ? IS NULL", [.blob([])]) { $0.integer(0) } == [0])
  }

  @Test func changedRowsAreCounted() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3)")
    #expect(try connection.run("UPDATE t SET x = x + ?", 1) == 3)
    #expect(try connection.run("DELETE FROM t WHERE x > ?", 2) == 2)
    #expect(try connection.run("DELETE FROM t WHERE x > ?", 2) == 0)
  }

  @Test func aTransactionIsDoneWholeOrNotAtAll() throws {
    struct Refusal: Error {}
    let connection = try memory()
    try connection.execute("CREATE TABLE t (x UNIQUE)")
    let made = try connection.transaction {
      try connection.run("INSERT INTO t VALUES (?)", 1)
      return connection.lastInsertedRow
    }
    #expect(made == 1)
    #expect(throws: Refusal.self) {
      try connection.transaction {
        try connection.run("INSERT INTO t VALUES (?)", 2)
        throw Refusal()
      }
    }
    let doubled = code {
      try connection.transaction {
        try connection.run("INSERT INTO t VALUES (?)", 3)
        try connection.run("INSERT INTO t VALUES (?)", 1)
      }
    }
    #expect(doubled == .constraint)
    #expect(try connection.rows("SELECT x FROM t") { $0.integer(0) } == [1])
    // A transaction within another one cannot begin; the outer one is taken back.
    #expect(code { try connection.transaction { try connection.transaction {} } } == .other)
    _ = try connection.transaction { try connection.run("INSERT INTO t VALUES (?)", 4) }
    #expect(try connection.rows("SELECT count(*) FROM t") { $0.integer(0) } == [2])
  }

  @Test func aStatementThatFailedCanRunAgain() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (x UNIQUE)")
    try connection.run("INSERT INTO t VALUES (?)", 1)
    #expect(code { try connection.run("INSERT INTO t VALUES (?)", 1) } == .constraint)
    try connection.run("INSERT INTO t VALUES (?)", 2)
    #expect(try connection.statement("SELECT 1") === connection.statement("SELECT 1"))
  }

  @Test func wrongStatementsAreRefused() throws {
    let connection = try memory()
    #expect(code { try connection.execute("SELEKT 1") } == .other)
    #expect(code { _ = try connection.statement("SELECT * FROM nowhere") } == .other)
    #expect(code { _ = try connection.statement("") } == .other)
  }

  @Test func filesAreOpenedAsAsked() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.db")
    #expect(code { _ = try Connection(path, .read) } == .cannotOpen)
    #expect(code { _ = try Connection(path, .write) } == .cannotOpen)
    #expect(code { _ = try Connection(folder.path("missing/a.db"), .create) } == .cannotOpen)
    #expect(folder.names == [])
    try Connection(path, .create).execute("CREATE TABLE t (x)")
    try Connection(path, .write).execute("INSERT INTO t VALUES (1)")
    let reader = try Connection(path, .read)
    #expect(try reader.rows("SELECT x FROM t") { $0.integer(0) } == [1])
    #expect(code { try reader.execute("INSERT INTO t VALUES (2)") } == .readOnly)
  }

  @Test func whatIsNoDatabaseIsCorrupt() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.db", String(repeating: "no database. ", count: 1_000))
    let connection = try Connection(path, .read)
    #expect(code { _ = try connection.rows("SELECT * FROM sqlite_schema") { _ in } } == .corrupt)
  }

  @Test func aLockThatIsHeldMakesOthersWaitAndGiveUp() throws {
    let folder = try TemporaryFolder()
    let holder = try Connection(folder.path("a.db"), .create)
    let other = try Connection(folder.path("a.db"), .write, busyTimeout: 10)
    try holder.execute("CREATE TABLE t (x); BEGIN IMMEDIATE")
    #expect(code { try other.execute("INSERT INTO t VALUES (1)") } == .busy)
    try holder.execute("COMMIT")
    try other.execute("INSERT INTO t VALUES (1)")
  }

  @Test func aFullDatabaseSaysSo() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (x); PRAGMA max_page_count = 10")
    let full = code {
      try connection.transaction {
        for _ in 0..<100 { try connection.run("INSERT INTO t VALUES (zeroblob(1000))") }
      }
    }
    #expect(full == .full)
    #expect(try connection.rows("SELECT count(*) FROM t") { $0.integer(0) } == [0])
  }
}
