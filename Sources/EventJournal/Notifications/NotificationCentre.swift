internal import FencelineCivilTime
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// What UNUserNotificationCenter is, on a database: who may notify, what is pending and delivered, what users have answered.
///
/// Every operation is one transaction, so that whoever adds, removes and fires at the same time, in whichever process, does so one after
/// the other, and what an operation has returned from stays whatever happens. It knows no clock: each call says what time it is.
package struct NotificationCentre {
  let journal: Journal
  /// How it behaves.
  package var settings: CentreSettings
  /// Where goes what is shown; nil: nowhere beside the list.
  var outbox: LiveOutbox?

  /// The centre of a database.
  package init(_ journal: Journal, _ settings: CentreSettings) {
    self.journal = journal
    self.settings = settings
  }

  /// The settings of the database, as they were given.
  package func stored() throws -> [String: String] { try journal.settings() }

  var connection: Connection { journal.connection }

  /// Does something in a transaction of its own.
  ///
  /// - Throws: ``JournalError``, or the `NotificationError` of `body`: then nothing has changed.
  @discardableResult
  func operate<Value>(_ body: () throws -> Value) throws -> Value {
    let result: Result<Value, NotificationError> = try journal.perform {
      do {
        return .success(try connection.transaction(body))
      } catch let error as NotificationError {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
