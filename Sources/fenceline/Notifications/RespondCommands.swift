import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineNotifying
import FencelineService

/// `fenceline respond` and `responses`: what users answer, and who takes notice.
enum RespondCommands {
  private static let id = Positional<String>(
    "ID", value: .text(name: "ID", hint: .listed("delivered")),
    help: "The name of its request, or its number, as 'fenceline delivered' lists them.")
  private static let action = Positional<String>(
    "ACTION", value: .text(name: "ACTION", hint: .listed("actions")),
    help: "One of its category, or default (it was chosen) or dismiss.", defaultText: "default",
    required: false)
  private static let text = Option<String>("text", value: .text, help: "What an action asks for.")

  static let respond = Command(
    "respond", "Answer a notification.",
    discussion: """
      It leaves the list. Category REMINDER has snooze (again in 15 minutes) and complete, MESSAGE has reply and mark-as-read. Any other \
      answer is kept for the app until that acknowledges it; an action that has a program runs it in the service.
      """,
    examples: [
      .init("fenceline respond bins-mon snooze", "Be told again in 15 minutes."),
      .init("fenceline respond 17 reply --text 'On my way'", "Answer a message."),
    ],
    positionals: [id, action], options: [CentreOptions.app, text],
    run: Session.running { session in
      let arguments = session.arguments
      let (name, app) = (arguments[id], arguments[CentreOptions.app])
      let action = arguments[ifGiven: action] ?? NotificationAction.defaultAction
      let centre = try session.centre(.write)
      guard let result = try centre.respond(to: name, of: app, action, text: arguments[text], at: .now) else {
        throw Failure(
          Status.usage,
          "No notification '\(printable(name))'\(app.map { " of '\(printable($0))'" } ?? "") is in the list. 'fenceline delivered' shows it."
        )
      }
      if session.isJSON {
        try session.output.writeLine(json(result, action).line)
      } else {
        try session.output.writeLine(sentence(result, action))
      }
      return Status.done
    })

  private static func sentence(_ result: RespondedNotification, _ action: String) -> String {
    let name = "'\(printable(result.notification.identifier))'"
    if let again = result.again {
      return "\(name) will appear again at \(LocalTime.text(again).dropFirst(11).prefix(5))."
    }
    switch action {
    case NotificationAction.dismiss: return "\(name) is put away."
    case NotificationAction.complete: return "\(name) is done."
    case NotificationAction.markAsRead: return "\(name) is marked as read."
    default: break
    }
    let program = result.action?.command.isEmpty == false ? " and its program is run" : ""
    return
      "\(name): the answer '\(printable(action))' is kept for '\(printable(result.notification.app))'\(program)."
  }

  private static func json(_ result: RespondedNotification, _ action: String) -> JSONValue {
    [
      "notification": .integer(Int(result.notification.number)), "app": .text(result.notification.app),
      "request": .text(result.notification.identifier), "action": .text(action),
      "response": result.response.map { .integer(Int($0)) } ?? .null,
      "next": result.again.map { .text($0.description) } ?? .null,
    ]
  }

  // MARK: Responses

  private static let numbers = Positional<Int>(
    "NUMBER", value: .integer(in: 1...Int.max, name: "NUMBER"), help: "Numbers of responses.",
    required: false,
    repeatable: true)
  private static let all = Flag("all", help: "All of the app.")

  static let responses = Command(
    "responses", "List answers that no app has acknowledged.",
    examples: [
      .init("fenceline responses --app org.example.chat --json", "Read them."),
      .init("fenceline responses acknowledge 3 4", "Do not be told of them again."),
    ],
    options: [CentreOptions.allApps], subcommands: [acknowledge],
    run: Session.running { session in
      let found = try session.centre(.read).responses(of: session.arguments[CentreOptions.allApps])
      if session.isJSON {
        for response in found { try session.output.writeLine(JSONValue.response(response).line) }
        return Status.done
      }
      guard !found.isEmpty else {
        session.note("No answer waits.")
        return Status.done
      }
      var table = Table([
        .init("No", alignment: .right), .init("At", priority: 2), .init("App", priority: 3, shrinksTo: 6),
        .init("ID", priority: 1, shrinksTo: 8), .init("Action", shrinksTo: 8),
        .init("Text", priority: 1, shrinksTo: 8, hidesEmpty: true),
      ])
      for response in found {
        table.append([
          String(response.number), LocalTime.text(response.at), response.app, response.request,
          response.action,
          response.text ?? "",
        ])
      }
      try session.output.write(table.text(on: session.terminal.output))
      session.note("\(counted(found.count, "answer")), times in \(LocalTime.zone)")
      return Status.done
    })

  private static let acknowledge = Command(
    "acknowledge", "Take notice of answers.",
    examples: [.init("fenceline responses acknowledge --all", "Take notice of all.")],
    positionals: [numbers], options: [all],
    run: Session.running { session in
      let wanted = session.arguments[all: numbers].map(Int64.init)
      guard wanted.isEmpty == session.arguments[all] else {
        throw UsageError(
          wanted.isEmpty ? "Name answers, or say --all." : "Name answers or say --all, not both.")
      }
      let app = session.arguments[CentreOptions.allApps]
      let missing = try session.centre(.write).acknowledge(wanted.isEmpty ? nil : wanted, of: app, at: .now)
      guard missing.isEmpty else {
        throw Failure(
          Status.usage,
          "No answer \(missing.map(String.init).joined(separator: ", "))\(app.map { " of '\(printable($0))'" } ?? "") waits. 'fenceline responses' lists them."
        )
      }
      session.note("acknowledged")
      return Status.done
    })
}
