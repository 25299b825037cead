internal import CFencelineSQLite
internal import Glibc

/// One prepared statement of a ``Connection``, which must outlive it.
@safe package final class Statement {
  private let handle: OpaquePointer
  private unowned let connection: Connection

  init(_ sql: String, _ connection: Connection) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let result = unsafe sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard result == SQLITE_OK, let prepared = unsafe prepared else {
      throw unsafe SQLiteError(handle: connection.handle, result)
    }
    unsafe handle = prepared
    self.connection = connection
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// Puts values in place of the parameters, from the first on; those left over become null.
  func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    // SQLite copies what it is given: the text and blob live no longer than the call.
    let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    reset()
    unsafe sqlite3_clear_bindings(handle)
    for (place, value) in values.enumerated() {
      let parameter = Int32(place + 1)
      let result =
        switch value {
        case .null: unsafe sqlite3_bind_null(handle, parameter)
        case .integer(let value): unsafe sqlite3_bind_int64(handle, parameter, value)
        case .real(let value): unsafe sqlite3_bind_double(handle, parameter, value)
        case .text(let value):
          unsafe sqlite3_bind_text(handle, parameter, value, Int32(value.utf8.count), copied)
        case .blob(let bytes): unsafe sqlite3_bind_blob(handle, parameter, bytes, Int32(bytes.count), copied)
        }
      if result != SQLITE_OK { throw unsafe SQLiteError(handle: connection.handle, result) }
    }
  }

  /// Goes on to the next row; false where there is none.
  func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result:
      let error = unsafe SQLiteError(handle: connection.handle, result)
      reset()
      throw error
    }
  }

  func reset() {
    unsafe sqlite3_reset(handle)
  }

  /// Runs it once, with values, for what it does.
  ///
  /// - Parameter values: For its parameters, in order.
  /// - Throws: ``SQLiteError``.
  package func run(_ values: [SQLiteValue]) throws(SQLiteError) {
    try bind(values)
    while try step() {}
    reset()
  }

  /// Whether a column of the row is null.
  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }
  /// A column of the row as an integer; 0 for null.
  package func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(handle, column)
  }
  /// A column of the row as a number; 0 for null.
  package func real(_ column: Int32) -> Double {
    unsafe sqlite3_column_double(handle, column)
  }
  /// A column of the row as text; empty for null.
  package func text(_ column: Int32) -> String {
    guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
    let length = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }

  /// A column of the row, whatever it holds; a blob counts as null.
  package func value(_ column: Int32) -> SQLiteValue {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .text(text(column))
    default: .null
    }
  }

  /// Whether ``value(_:)`` of a column is this one; nothing is copied to find that out.
  package func holds(_ value: SQLiteValue, in column: Int32) -> Bool {
    let type = unsafe sqlite3_column_type(handle, column)
    switch value {
    case .null, .blob: return type == SQLITE_NULL || type == SQLITE_BLOB
    case .integer(let value): return type == SQLITE_INTEGER && integer(column) == value
    case .real(let value): return type == SQLITE_FLOAT && real(column) == value
    case .text(var wanted):
      guard type == SQLITE_TEXT, let start = unsafe sqlite3_column_text(handle, column) else { return false }
      let count = Int(unsafe sqlite3_column_bytes(handle, column))
      return wanted.withUTF8 { wanted in
        unsafe wanted.count == count && memcmp(start, wanted.baseAddress ?? start, count) == 0
      }
    }
  }

  /// A column of the row as an integer; nil for null.
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  /// A column of the row as a number; nil for null.
  package func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }
  /// A column of the row as text; nil for null.
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

@available(*, unavailable)
extension Statement: Sendable {}
