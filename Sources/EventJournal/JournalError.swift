internal import FencelineSQLiteStore
internal import Glibc

/// Why the journal could not be used.
package struct JournalError: Error, Hashable, Sendable {
  /// The kinds that callers tell apart.
  package enum Code: Hashable, Sendable {
    /// Another process holds the lock.
    case busy
    /// It is no database, a damaged one, or one of another program.
    case unreadable
    /// It was written by a newer version of the program.
    case newer
    /// The file cannot be created or opened.
    case cannotCreate
    /// The file cannot be read or written: a full disk, a broken one.
    case cannotWrite
    /// The user may not write it.
    case notPermitted
    /// A fault of the program.
    case fault
  }

  /// What kind of failure it is.
  package var code: Code
  /// A sentence that names the file and says what to do.
  package var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What a failure of SQLite means to someone who knows the journal by its path.
  init(_ error: SQLiteError, at path: String) {
    let journal = "the journal '\(path)'"
    switch error.code {
    case .busy:
      let holder = LockHolder.describe(path).map { " by \($0)" } ?? ""
      self.init(.busy, "Cannot use \(journal): it is in use\(holder). Try again when that has ended.")
    case .corrupt:
      self.init(
        .unreadable,
        "Cannot use \(journal): it is damaged or no SQLite database (\(error.message)). "
          + "Restore a backup, or move the file away and a new one is made.")
    case .readOnly:
      self.init(
        .notPermitted,
        "Cannot write to \(journal): the file or its folder is read-only. Name another with --db.")
    case .full,
      .inputOutput where error.systemError == ENOSPC, .cannotOpen where error.systemError == ENOSPC:
      // What is removed is first written into the log beside the file, and its pages are kept for what comes later.
      self.init(
        .cannotWrite,
        "Cannot write to \(journal): the disk is full. Free some space and try again. "
          + "Removing runs or regions takes room too, and leaves the file as large as it is.")
    case .cannotOpen:
      // What is missing is not the journal, which has been seen, but a file that SQLite cannot make beside it.
      let reason =
        error.systemError == ENOENT
        ? "no file can be made beside it, as on a read-only file system"
        : error.systemError == 0 ? "the system refuses it" : systemMessage(error.systemError)
      let code: Code =
        error.systemError == EACCES || error.systemError == EPERM ? .notPermitted : .cannotCreate
      self.init(code, "Cannot open \(journal): \(reason). Name another file with --db.")
    case .inputOutput:
      let reason =
        error.systemError == 0
        ? "\(error.message) (\(error.resultCode))" : systemMessage(error.systemError)
      self.init(.cannotWrite, "Cannot read or write \(journal): \(reason).")
    case .constraint, .other:
      self.init(
        .fault, "The journal '\(path)' refused a statement (\(error.message)): this is a bug in fenceline.")
    }
  }
}

/// The system's words for an error number, in lower case: `no such file or directory`.
func systemMessage(_ number: Int32) -> String {
  let text = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  return text.prefix(1).lowercased() + text.dropFirst()
}
