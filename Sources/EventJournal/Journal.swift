internal import FencelineCivilTime
internal import FencelineSQLiteStore
internal import Glibc

/// The database that holds regions, runs, crossings and visits.
///
/// It is used by one thread at a time; several processes may use the same file at once.
package final class Journal {
  /// What a journal is opened for.
  package enum Access: Hashable, Sendable {
    /// For reading; where there is no file it is as if it were empty, and none is made.
    case read
    /// For reading and writing; it is made where it is missing.
    case write
  }

  /// The file, as the user named it.
  package let path: String
  let connection: Connection
  /// Whether there is no file, so that there is nothing to read.
  package let isMissing: Bool
  /// Milliseconds to wait for another process's lock.
  private let busyTimeout: Int32
  /// Device and inode of the file; nil where there is none.
  private let file: (dev_t, ino_t)?

  /// Opens a journal, makes it or brings it up to date.
  ///
  /// - Parameters:
  ///   - path: The file; a folder that is missing is an error, unless `makesFolder` is given.
  ///   - access: What for.
  ///   - makesFolder: Whether the folders on the way are made, for the user alone: where nobody named them.
  ///   - busyTimeout: Milliseconds to wait for another process's lock.
  /// - Throws: ``JournalError``.
  package init(
    path: String, _ access: Access, makesFolder: Bool = false, busyTimeout: Int32 = 5000
  ) throws(JournalError) {
    self.path = path
    self.busyTimeout = busyTimeout
    let exists = try Journal.fileExists(path)
    isMissing = access == .read && !exists
    if access == .write, !exists, makesFolder { try Journal.makeFolder(of: path) }
    do {
      if isMissing {
        connection = try Connection(":memory:", .create)
      } else {
        if !exists { try Journal.makePrivateFile(path) }
        // Who only reads may write all the same, where permitted: the last one to leave tidies up the files beside it.
        connection = try Connection(path, .write, busyTimeout: busyTimeout)
      }
    } catch let error as SQLiteError {
      throw JournalError(error, at: path)
    } catch let error as JournalError {
      throw error
    } catch {
      throw JournalError(.fault, "Cannot open the journal '\(path)': \(error).")
    }
    var status = stat()
    file = unsafe stat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    do {
      try connection.execute(
        "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL")
      try prepare(writes: access == .write || !exists)
      if access == .read { try connection.execute("PRAGMA query_only = ON") }
    } catch let error as SQLiteError
      where exists && access == .read && (error.code == .readOnly || error.code == .cannotOpen)
    {
      throw JournalError(
        .notPermitted,
        "Cannot read the journal '\(path)': that takes a file beside it, and its folder or file system is read-only. "
          + "Copy it to a folder of your own and name the copy with --db.")
    } catch {
      if !exists { Journal.removeEmptyFile(path) }
      try perform { throw error }
    }
  }

  /// The name of a file without links on the way to it; the name itself where there is no file.
  package static func trueName(of path: String) -> String {
    guard let name = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(name) }
    return unsafe String(cString: name)
  }

  /// Whether the file is still the one that was opened; it may have been taken away, or another one put in its place.
  package var isInPlace: Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return file.map { $0 == (status.st_dev, status.st_ino) } ?? true
  }

  /// Changes how long to wait for another process's lock.
  ///
  /// - Parameter milliseconds: 0 or more.
  /// - Throws: ``JournalError``.
  package func setBusyTimeout(_ milliseconds: Int32) throws(JournalError) {
    try perform { try connection.execute("PRAGMA busy_timeout = \(milliseconds)") }
  }

  /// Runs `body` and says of SQLite's errors what they mean for this journal.
  func perform<Result>(_ body: () throws -> Result) throws(JournalError) -> Result {
    do {
      return try body()
    } catch let error as SQLiteError where error.code == .constraint || error.code == .other {
      guard isAltered() else { throw JournalError(error, at: path) }
      throw JournalError(
        .unreadable,
        "Cannot use the journal '\(path)': another program has changed its tables (\(error.message)). "
          + "Restore a backup, or move the file away and a new one is made.")
    } catch let error as SQLiteError {
      throw JournalError(error, at: path)
    } catch let error as JournalError {
      throw error
    } catch {
      throw JournalError(.fault, "The journal '\(path)' could not be used: \(error).")
    }
  }

  private func number(_ pragma: String) throws -> Int64 {
    try connection.rows("PRAGMA \(pragma)") { $0.integer(0) }.first ?? 0
  }

  private func prepare(writes: Bool) throws {
    let tables = try connection.rows("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }.first ?? 0
    if tables > 0, try number("application_id") != Schema.applicationID {
      throw JournalError(
        .unreadable, "Cannot use '\(path)': it is a database of another program. Name another file with --db."
      )
    }
    if try knownVersion() == Schema.version { return }
    guard writes else {
      // An old journal is brought up to date by whoever reads it first; an empty file is as good as none.
      _ = try Journal(path: path, .write)
      return
    }
    try useWriteAheadLog()
    try connection.transaction {
      // Another process may have done it while this one waited for the lock.
      for step in Schema.steps[try knownVersion()...] { try connection.execute(step) }
      try connection.execute(
        "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version)")
    }
  }

  /// Whether the tables are not as this program makes them, or rows that belong together are not all there.
  private func isAltered() -> Bool {
    func tables(_ connection: Connection) throws -> Set<String> {
      Set(try connection.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL") { $0.text(0) })
    }
    guard let model = try? Connection(":memory:", .create) else { return false }
    do {
      for step in Schema.steps { try model.execute(step) }
      guard try tables(connection) == tables(model) else { return true }
      return try !connection.rows("PRAGMA foreign_key_check") { $0.text(0) }.isEmpty
    } catch {
      return false
    }
  }

  /// The version of the schema in the file, 0 where it is empty.
  private func knownVersion() throws -> Int {
    let version = Int(try number("user_version"))
    guard version <= Schema.version else {
      throw JournalError(
        .newer,
        "Cannot open the journal '\(path)': it was written by version \(version), this program knows up to "
          + "\(Schema.version). Upgrade the program or move the file.")
    }
    guard version >= 0 else {
      throw JournalError(
        .unreadable,
        "Cannot use the journal '\(path)': its version is \(version), which no program writes. "
          + "Restore a backup, or move the file away and a new one is made.")
    }
    return version
  }

  /// Changes the journal mode, which the file then keeps.
  ///
  /// SQLite waits for nobody here: of several processes that make the same journal at once, all but one are told that it is busy.
  private func useWriteAheadLog() throws {
    let patience = Journal.now + Int64(busyTimeout)
    while true {
      do {
        return try connection.execute("PRAGMA journal_mode = WAL")
      } catch {
        guard error.code == .busy, Journal.now < patience else { throw error }
        usleep(20_000)
      }
    }
  }

  /// The number of milliseconds since 1970 by the system's clock: when regions and runs were made.
  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Journal {
  private static func fileExists(_ path: String) throws(JournalError) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT { return false }
      throw JournalError(
        errno == EACCES ? .notPermitted : .cannotCreate,
        "Cannot open the journal '\(path)': \(systemMessage(errno)). Name another file with --db.")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw JournalError(
        .cannotCreate, "Cannot open the journal '\(path)': it is not a file. Name another with --db.")
    }
    return true
  }

  /// Where someone has been is private: the file is made for its owner alone.
  private static func makePrivateFile(_ path: String) throws(JournalError) {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw JournalError(
        errno == EACCES || errno == EPERM ? .notPermitted : .cannotCreate,
        "Cannot create the journal '\(path)': \(systemMessage(errno)). Name another file with --db.")
    }
    giveToOwner(file, of: path)
    close(file)
  }

  /// What root makes in the folder of another user, such as that of a service, is for that user to read and write.
  static func giveToOwner(_ file: Int32, of path: String) {
    guard geteuid() == 0 else { return }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var status = stat()
    guard unsafe stat(folder, &status) == 0, status.st_uid != 0 else { return }
    _ = fchown(file, status.st_uid, status.st_gid)
  }

  /// Takes a file away again that was made and could not be filled.
  private static func removeEmptyFile(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else {
      return
    }
    for ending in ["", "-wal", "-shm"] { unsafe unlink(path + ending) }
  }

  private static func makeFolder(of path: String) throws(JournalError) {
    for place in path.indices.dropFirst() where path[place] == "/" {
      let folder = String(path[..<place])
      if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
        throw JournalError(
          errno == EACCES || errno == EPERM ? .notPermitted : .cannotCreate,
          "Cannot create the folder '\(folder)': \(systemMessage(errno)). Name a file with --db.")
      }
    }
  }
}

@available(*, unavailable)
extension Journal: Sendable {}
