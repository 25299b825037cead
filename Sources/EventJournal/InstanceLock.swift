internal import Glibc

/// The right to be the one service of a journal, held as long as this value lives and the process runs.
///
/// The lock is on a file of its own: SQLite's locks would be lost if the database file were opened and closed by another hand
/// in the same process.
@safe package final class InstanceLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Parameter journal: The journal's path; the lock's file lies beside it.
  /// - Throws: ``JournalError`` where another process has it, named, or the file cannot be made.
  package init(of journal: String) throws(JournalError) {
    let path = journal + "-lock"
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw JournalError(
        errno == EACCES || errno == EPERM ? .notPermitted : .cannotCreate,
        "Cannot create the lock '\(path)': \(systemMessage(errno)). Run the service as the owner of its folder, or name "
          + "another database with --db.")
    }
    Journal.giveToOwner(descriptor, of: path)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      var text = [UInt8](repeating: 0, count: 32)
      let count = unsafe pread(descriptor, &text, text.count, 0)
      let holder = String(decoding: text.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self)
      close(descriptor)
      throw JournalError(
        .busy,
        "The journal '\(journal)' is served already, by fenceline (process \(holder.isEmpty ? "unknown" : holder)). "
          + "'fenceline status' says what it does; stop it first, or name another database with --db.")
    }
    let mark = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = unsafe pwrite(descriptor, mark, mark.count, 0)
  }

  deinit { close(descriptor) }
}
