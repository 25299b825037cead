import FencelineCommandLineKit
import FencelineEventJournal
import Glibc

/// The database of the service that runs for the whole machine.
enum SystemDatabase {
  static let folder = "/var/lib/fenceline"
  static let path = folder + "/fenceline.db"

  /// Whether it is there, as far as can be seen: its folder may be closed to this user.
  static var mayExist: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 || errno == EACCES
  }

  /// Sees that it is meant and can be there.
  ///
  /// - Throws: ``Failure`` that says what to do, or `UsageError`.
  static func check(_ session: Session) throws {
    if session.arguments[Common.database] != nil {
      throw UsageError("--system names a database, and so does --db: leave one of them out.")
    }
    var status = stat()
    guard unsafe stat(folder, &status) == 0 else {
      throw Failure(
        Status.cannotCreate,
        "There is no folder '\(folder)': the system service is not installed on this machine.")
    }
  }

  /// Opens it.
  ///
  /// - Throws: ``Failure`` that says what to do, or `JournalError`.
  static func journal(_ access: Journal.Access, for session: Session) throws -> Journal {
    try check(session)
    let journal: Journal
    do throws(JournalError) { journal = try Journal(path: path, access) } catch {
      guard error.code == .notPermitted, geteuid() != 0 else { throw error }
      throw Failure(
        Status.notPermitted,
        "The database of the system service, '\(path)', is not yours to \(access == .read ? "read" : "change"). Use sudo."
      )
    }
    if journal.isMissing { session.warn("The system service has no database yet.") }
    return journal
  }
}
