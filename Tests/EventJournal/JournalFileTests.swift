import FencelineGeofencing
import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineEventJournal
@testable import FencelineSQLiteStore

struct JournalFileTests {
  private func refusal(_ path: String, _ access: Journal.Access = .write) -> JournalError? {
    journalError { _ = try Journal(path: path, access, busyTimeout: 10) }
  }

  @Test func aNewJournalIsForItsOwnerAlone() throws {
    let test = try TestJournal([region("a")])
    #expect(test.folder.mode("journal.db") == 0o600)
    for name in test.folder.names { #expect(test.folder.mode(name) == 0o600, "\(name)") }
    let connection = try Connection(test.path, .read)
    #expect(try connection.rows("PRAGMA journal_mode") { $0.text(0) } == ["wal"])
    #expect(try connection.rows("PRAGMA user_version") { Int($0.integer(0)) } == [Schema.version])
    #expect(try connection.rows("PRAGMA application_id") { $0.integer(0) } == [Schema.applicationID])
  }

  @Test func readingAMissingFileMakesNone() throws {
    let folder = try TemporaryFolder()
    let journal = try Journal(path: folder.path("journal.db"), .read)
    #expect(try journal.regions() == [])
    #expect(try journal.runs() == [])
    #expect(try journal.lastReplay() == nil && journal.liveRun() == nil)
    #expect(folder.names == [])
    #expect(try Journal(path: folder.path("no/folder/journal.db"), .read).regions() == [])
  }

  @Test func aMissingFolderIsMadeWhereNobodyNamedIt() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state/fenceline/journal.db")
    #expect(
      refusal(path)
        == JournalError(
          .cannotCreate,
          "Cannot create the journal '\(path)': no such file or directory. Name another file with --db."))
    _ = try Journal(path: path, .write, makesFolder: true)
    #expect(folder.mode("state") == 0o700 && folder.mode("state/fenceline") == 0o700)
    _ = try Journal(path: path, .write, makesFolder: true)
  }

  @Test func aFolderThatCannotBeMadeIsNamed() throws {
    let folder = try TemporaryFolder()
    try folder.write("state", "a file")
    let error = journalError {
      _ = try Journal(path: folder.path("state/journal.db"), .write, makesFolder: true)
    }
    #expect(
      error
        == JournalError(
          .cannotCreate,
          "Cannot open the journal '\(folder.path("state/journal.db"))': not a directory. Name another file with --db."
        ))
    let below = journalError { _ = try Journal(path: "/proc/none/journal.db", .write, makesFolder: true) }
    #expect(
      below
        == JournalError(
          .cannotCreate,
          "Cannot create the folder '/proc/none': no such file or directory. Name a file with --db."))
  }

  @Test func whatIsNoFileIsRefused() throws {
    let folder = try TemporaryFolder()
    for access in [Journal.Access.read, .write] {
      #expect(
        refusal(folder.path, access)
          == JournalError(
            .cannotCreate,
            "Cannot open the journal '\(folder.path)': it is not a file. Name another with --db."))
    }
  }

  @Test func aDamagedFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("journal.db", String(repeating: "no database. ", count: 1_000))
    for access in [Journal.Access.read, .write] {
      #expect(
        refusal(path, access)
          == JournalError(
            .unreadable,
            "Cannot use the journal '\(path)': it is damaged or no SQLite database (file is not a database). "
              + "Restore a backup, or move the file away and a new one is made."))
    }
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("other.db")
    try Connection(path, .create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    for access in [Journal.Access.read, .write] {
      #expect(
        refusal(path, access)
          == JournalError(
            .unreadable,
            "Cannot use '\(path)': it is a database of another program. Name another file with --db."))
    }
    #expect(try Connection(path, .read).rows("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } == [1])
  }

  @Test func aNewerJournalIsLeftAlone() throws {
    let test = try TestJournal()
    let connection = try Connection(test.path, .write)
    try connection.execute("PRAGMA user_version = 99")
    for access in [Journal.Access.read, .write] {
      #expect(
        refusal(test.path, access)
          == JournalError(
            .newer,
            "Cannot open the journal '\(test.path)': it was written by version 99, this program knows up to "
              + "\(Schema.version). Upgrade the program or move the file."))
    }
    #expect(try connection.rows("PRAGMA user_version") { $0.integer(0) } == [99])
  }

  @Test func aVersionBelowNothingIsDamage() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("journal.db")
    try Connection(path, .create).execute("PRAGMA user_version = -1")
    for access in [Journal.Access.read, .write] {
      #expect(
        refusal(path, access)
          == JournalError(
            .unreadable,
            "Cannot use the journal '\(path)': its version is -1, which no program writes. "
              + "Restore a backup, or move the file away and a new one is made."))
    }
  }

  @Test func anEmptyFileBecomesAJournal() throws {
    for access in [Journal.Access.read, .write] {
      let folder = try TemporaryFolder()
      let path = try folder.write("journal.db", "")
      #expect(try Journal(path: path, access).regions() == [])
      #expect(
        try Connection(path, .read).rows("PRAGMA user_version") { Int($0.integer(0)) } == [Schema.version])
    }
  }

  @Test func aLockThatIsHeldIsSaidAfterAWhile() throws {
    let test = try TestJournal([region("a")])
    let holder = try Connection(test.path, .write)
    try holder.execute("BEGIN IMMEDIATE")
    let other = try Journal(path: test.path, .write, busyTimeout: 10)
    let error = journalError { _ = try other.store([region("b")], update: false) }
    #expect(error?.code == .busy)
    #expect(
      error?.message
        == "Cannot use the journal '\(test.path)': it is in use. Try again when that has ended.")
    // Whoever reads is not held up.
    #expect(try other.regions().count == 1)
    #expect(try Journal(path: test.path, .read).regions().count == 1)
    try holder.execute("ROLLBACK")
    #expect(try other.store([region("b")], update: false).added == ["b"])
  }

  @Test func anotherProcessThatHoldsTheLockIsNamed() async throws {
    let test = try TestJournal()
    let holder = try Connection(test.path, .write)
    try holder.execute("BEGIN IMMEDIATE")
    await #expect(processExitsWith: .success) { [path = test.path as String, parent = getpid() as Int32] in
      let error = journalError {
        _ = try Journal(path: path, .write, busyTimeout: 10).store([region("b")], update: false)
      }
      #expect(error?.code == .busy)
      #expect(error?.message.hasPrefix("Cannot use the journal '\(path)': it is in use by ") == true)
      #expect(error?.message.hasSuffix(" (process \(parent)). Try again when that has ended.") == true)
    }
    try holder.execute("ROLLBACK")
  }

  @Test func whoOnlyReadsCannotWrite() throws {
    let test = try TestJournal()
    let reader = try Journal(path: test.path, .read)
    let error = journalError { _ = try reader.store([region("b")], update: false) }
    #expect(
      error
        == JournalError(
          .notPermitted,
          "Cannot write to the journal '\(test.path)': the file or its folder is read-only. Name another with --db."
        ))
  }

  @Test(
    arguments: [
      (
        13, 0, "database or disk is full", .cannotWrite,
        "Cannot write to the journal 'j.db': the disk is full. Free some space and try again. "
          + "Removing runs or regions takes room too, and leaves the file as large as it is."
      ),
      (
        14, 13, "unable to open database file", .notPermitted,
        "Cannot open the journal 'j.db': permission denied. Name another file with --db."
      ),
      (
        14, 2, "unable to open database file", .cannotCreate,
        "Cannot open the journal 'j.db': no file can be made beside it, as on a read-only file system. "
          + "Name another file with --db."
      ),
      (
        14, 0, "unable to open database file", .cannotCreate,
        "Cannot open the journal 'j.db': the system refuses it. Name another file with --db."
      ),
      (
        266, 5, "disk I/O error", .cannotWrite, "Cannot read or write the journal 'j.db': input/output error."
      ),
      (
        10, 0, "disk I/O error", .cannotWrite, "Cannot read or write the journal 'j.db': disk I/O error (10)."
      ),
      (
        11, 0, "database disk image is malformed", .unreadable,
        "Cannot use the journal 'j.db': it is damaged or no SQLite database (database disk image is malformed). "
          + "Restore a backup, or move the file away and a new one is made."
      ),
      (
        1, 0, "no such table: t", .fault,
        "The journal 'j.db' refused a statement (no such table: t): this is a bug in fenceline."
      ),
    ] as [(Int32, Int32, String, JournalError.Code, String)])
  func whatSQLiteSaysBecomesASentence(
    _ result: Int32, _ system: Int32, _ message: String, _ code: JournalError.Code, _ sentence: String
  ) {
    let error = JournalError(
      SQLiteError(resultCode: result, systemError: system, message: message), at: "j.db")
    #expect(error.code == code)
    #expect(error.message == sentence)
  }

  @Test func aWriterIsKnownByItsMark() {
    let own = ProcessMark.own
    #expect(own.split(separator: " ").count == 3)
    #expect(ProcessMark.isAlive(own))
    #expect(!ProcessMark.isAlive(own + "0"))
    #expect(!ProcessMark.isAlive("2147483646 1 x"))
    #expect(!ProcessMark.isAlive(""))
  }
}
