import FencelineCommandLineKit
import FencelineEventJournal
import FencelineHTTPCalling
import FencelineNotifying
import FencelineService

extension Session {
  /// The notification centre of the session's database, as its settings want it.
  func centre(_ access: Journal.Access) throws -> NotificationCentre {
    let journal = try journal(access)
    return NotificationCentre(journal, try centreSettings(of: journal))
  }

  /// How the notification centre behaves by the settings of a database.
  func centreSettings(of journal: Journal) throws -> CentreSettings {
    Configuration.resolve(stored: try journal.settings(), environment: System.environment).configuration
      .centre
  }

  /// Warns where nobody serves the database: what is pending then waits.
  func warnWithoutService() {
    guard let service = try? ServiceCall(self) else { return }
    do { _ = try service.ask() } catch let error as LocalClientError {
      guard error.code == .nobodyListens else { return }
      note(
        "The service is not running on this database: it will appear once 'fenceline serve' does.")
    } catch {}
  }
}

/// Options of all commands of the notification centre.
enum CentreOptions {
  static let app = Option<String>(
    "app", value: .text(name: "APP", hint: .listed("apps")), help: "Whose notifications.",
    defaultText: NotificationRequest.ownApp)
  static let allApps = Option<String>(
    "app", value: .text(name: "APP", hint: .listed("apps")), help: "Only those of one app.")

  /// The app that is meant.
  static func app(_ session: Session) -> String { session.arguments[app] ?? NotificationRequest.ownApp }
}

extension NotificationError {
  /// The exit status that fits.
  var status: Int32 {
    switch code {
    case .notificationsNotAllowed: Status.notPermitted
    case .attachmentInvalidURL, .attachmentUnrecognizedType, .attachmentInvalidFileSize,
      .attachmentNotInDataStore,
      .attachmentCorrupt:
      Status.unreadable
    case .attachmentMoveIntoDataStoreFailed: Status.inputOutput
    case .notificationInvalidNoDate, .notificationInvalidNoContent, .badgeInputInvalid: Status.usage
    }
  }
}
