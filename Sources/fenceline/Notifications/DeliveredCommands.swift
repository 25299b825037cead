import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineNotifying
import FencelineService

/// `fenceline delivered`: what has been told.
enum DeliveredCommands {
  private static let held = Flag("held", help: "Those that a focus or the summary holds back.")
  private static let all = Flag(
    "all", help: "All that has become due in 90 days, also what was removed or not shown, and why.")
  private static let limit = Option<Int>(
    "limit", value: .integer(in: 1...1_000_000), help: "Only the latest so many.")

  static let delivered = Command(
    "delivered", "List what has been told, or remove it from the list.",
    examples: [
      .init("fenceline delivered", "The list, oldest first."),
      .init("fenceline delivered --all", "Also what was not shown, and why."),
      .init("fenceline delivered remove --all", "Empty the list."),
    ],
    options: [CentreOptions.allApps, held, all, limit], subcommands: [remove], run: Session.running(list))

  private static let ids = Positional<String>(
    "ID", value: .text(name: "ID", hint: .listed("delivered")), help: "Names of requests, or numbers.",
    required: false, repeatable: true)

  private static let remove = Command(
    "remove", "Remove notifications from the list; what is pending stays.",
    examples: [.init("fenceline delivered remove bins-mon", "Remove one.")],
    positionals: [ids],
    run: Session.running { session in
      let names = session.arguments[all: ids]
      let app = session.arguments[CentreOptions.allApps]
      guard names.isEmpty == session.arguments[all] else {
        throw UsageError(
          names.isEmpty ? "Name notifications, or say --all." : "Name notifications or say --all, not both.")
      }
      let centre = try session.centre(.write)
      if session.arguments[all] {
        session.note(
          "\(counted(try centre.removeAllDelivered(of: app ?? NotificationRequest.ownApp, at: .now), "notification")) removed"
        )
        return Status.done
      }
      let missing = try centre.removeDelivered(names, of: app, at: .now)
      for name in missing {
        session.complain("No notification '\(name)' is in the list. 'fenceline delivered' shows it.")
      }
      session.note("\(counted(names.count - missing.count, "notification")) removed")
      return missing.isEmpty ? Status.done : missing.count < names.count ? Status.partial : Status.usage
    })

  private static func list(_ session: Session) throws -> Int32 {
    let arguments = session.arguments
    guard !(arguments[held] && arguments[all]) else {
      throw UsageError("'--all' lists what is held back too. Leave '--held' out.")
    }
    let scope: DeliveredScope = arguments[all] ? .all : arguments[held] ? .held : .listed
    let centre = try session.centre(.read)
    let app = arguments[CentreOptions.allApps]
    let most = arguments[limit] ?? (session.isJSON ? nil : mostShown)
    if session.isJSON {
      try centre.delivered(scope, of: app, limit: most) {
        try session.output.writeLine(JSONValue.notification($0).line)
      }
      return Status.done
    }
    var table = Table([
      .init("No", alignment: .right, priority: 4), .init("At", priority: 1),
      .init("ID", priority: 3, shrinksTo: 8),
      .init("App", priority: 5, shrinksTo: 6, hidesEmpty: true), .init("Says", shrinksTo: 8),
      .init("Late", alignment: .right, priority: 6, hidesEmpty: true),
      .init("State", priority: 2, shrinksTo: 8, hidesEmpty: true),
    ])
    var count = 0
    try centre.delivered(scope, of: app, limit: most) { stored in
      count += 1
      let late = stored.at.seconds(since: stored.due)
      table.append([
        String(stored.number), LocalTime.text(stored.at), stored.identifier,
        stored.app == NotificationRequest.ownApp ? "" : stored.app, stored.content.line,
        late >= 60 && stored.crossing == nil ? spanText(late) : "",
        scope == .listed ? (stored.presentation.contains(.banner) ? "" : "quiet") : stored.outcome,
      ])
    }
    guard count > 0 else {
      session.note(scope == .held ? "Nothing is held back." : "The list is empty.")
      if scope == .listed { try noteHeld(session, centre, app) }
      return Status.done
    }
    try session.output.write(table.text(on: session.terminal.output))
    session.note("\(counted(count, "notification")), times in \(LocalTime.zone)")
    if scope == .listed { try noteHeld(session, centre, app) }
    return Status.done
  }

  /// Says that something is held back, where it is.
  private static func noteHeld(_ session: Session, _ centre: NotificationCentre, _ app: String?) throws {
    var count = 0
    try centre.delivered(.held, of: app) { _ in count += 1 }
    if count > 0 { session.note("\(counted(count, "notification")) held back: add --held.") }
  }

  /// A table is held in memory; nobody reads more.
  private static let mostShown = 10_000
}
