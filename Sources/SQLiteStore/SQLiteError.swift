internal import CFencelineSQLite

/// What SQLite could not do.
package struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code.
  package var resultCode: Int32
  /// The operating system's error number behind it; 0 where there is none.
  package var systemError: Int32
  /// SQLite's own words; values that were bound are not in them.
  package var message: String

  /// What kind of failure it is.
  package var code: Code {
    switch resultCode & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
    case SQLITE_CANTOPEN: .cannotOpen
    case SQLITE_IOERR: .inputOutput
    case SQLITE_CONSTRAINT: .constraint
    default: .other
    }
  }

  /// The kinds that callers tell apart.
  package enum Code: Hashable, Sendable {
    /// Another connection holds the lock, for longer than the time-out.
    case busy
    /// Not a database, or a damaged one.
    case corrupt
    /// No space left.
    case full
    /// Not permitted to write.
    case readOnly
    /// The file cannot be opened or created.
    case cannotOpen
    /// Reading or writing the file was refused by the system.
    case inputOutput
    /// A rule of the schema forbids it.
    case constraint
    /// Anything else: a fault of the program.
    case other
  }
}
