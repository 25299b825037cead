import FencelineCommandLineKit
import FencelineHTTPCalling
import FencelineJSONText
import FencelineService

/// The service that runs on a session's database, as the commands ask it.
struct ServiceCall {
  /// The database as it was named.
  let database: String
  let client: LocalClient

  init(_ session: Session) throws {
    database = try session.serviceDatabase().path
    client = LocalClient(unixSocket: LiveService.socket(of: database))
  }

  /// What the service says of itself.
  ///
  /// - Throws: ``Failure`` that says what to do.
  func status() throws -> JSONNode {
    do { return try ask() } catch let error as LocalClientError { throw failure(error) }
  }

  /// What the service says of itself.
  ///
  /// - Throws: ``LocalClientError`` where there is no answer, ``Failure`` where there is a strange one.
  func ask() throws -> JSONNode {
    let answer = try client.get("/api/v1/status")
    guard answer.status != 503 else {
      throw Failure(
        Status.unavailable,
        "The service on '\(database)' is busy with its journal and does not answer. Try again, or look at its log."
      )
    }
    guard answer.status == 200, let status = try? JSONNode(parsing: answer.body), !status.members.isEmpty
    else { throw strange(answer.status) }
    return status
  }

  /// An answer that this program does not understand.
  func strange(_ status: Int) -> Failure {
    Failure(
      Status.unavailable,
      "The service on '\(database)' gave an answer that this version does not understand (status \(status)). "
        + "Restart it, so that both are of the same version.")
  }

  /// What it means that there was no answer.
  func failure(_ error: LocalClientError) -> Failure {
    switch error.code {
    case .nobodyListens:
      Failure(
        Status.unavailable,
        "The service is not running on '\(database)'. Start it with 'fenceline serve', or name its database with --db."
      )
    case .notPermitted:
      Failure(
        Status.notPermitted,
        "You may not ask the service on '\(database)': it belongs to another user. Run this as that user.")
    case .noAnswer:
      Failure(
        Status.unavailable,
        "The service on '\(database)' does not answer. Look at its log, or end it and start it again.")
    case .fault:
      Failure(
        Status.unavailable,
        "The service on '\(database)' cannot be asked: \(error.reason). 'fenceline doctor' looks further.")
    }
  }
}
