import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineNotifying
import Glibc

/// `fenceline category`: what can be done with notifications.
enum CategoryCommands {
  static let category = Command(
    "category", "List what can be done with notifications, or change it.",
    discussion: "REMINDER (snooze, complete) and MESSAGE (reply, mark-as-read) are there for every app.",
    examples: [
      .init("fenceline category", "List the categories."),
      .init(
        "fenceline category add ALARM --action off=Silence --action call='Call me'", "Make one."
      ),
    ],
    options: [CentreOptions.app], subcommands: [add, remove, set], run: Session.running(list))

  private static let id = Positional<String>(
    "ID", value: .text(name: "ID", hint: .listed("categories")), help: "The category's name.")
  private static let action = Option<(id: String, text: String)>(
    "action", value: .assignment("ID=TITLE"),
    help: "An action and what the user reads, in the order in which they are offered.",
    repeatable: true, group: "Actions")
  private static let input = Option<(id: String, text: String)>(
    "text", value: .assignment("ID=PLACEHOLDER"), help: "The action asks for a text.", repeatable: true,
    group: "Actions")
  private static let destructive = Option<String>(
    "destructive", value: .text(name: "ID", hint: .text), help: "The action destroys something.",
    repeatable: true,
    group: "Actions")
  private static let foreground = Option<String>(
    "foreground", value: .text(name: "ID", hint: .text), help: "The action brings the app to the front.",
    repeatable: true, group: "Actions")
  private static let authentication = Option<String>(
    "authentication", value: .text(name: "ID", hint: .text), help: "The action needs an unlocked device.",
    repeatable: true, group: "Actions")
  private static let run = Option<(id: String, text: String)>(
    "run", value: .assignment("ID=PROGRAM"),
    help:
      "The service runs this for the action: a path, or a JSON array of a path and its arguments. No shell reads it.",
    repeatable: true, group: "Actions")
  private static let dismiss = Flag("dismiss", help: "The app wants to know that one was put away.")
  private static let hidden = Option<String>(
    "hidden-body", value: .text,
    help: "What is shown where the text must not be seen; %u is how many there are.")
  private static let summary = Option<String>(
    "summary", value: .text, help: "What stands below several of a thread; %u is how many more there are.")
  private static let showTitle = Flag("hidden-show-title", help: "The title may be seen even then.")
  private static let showSubtitle = Flag("hidden-show-subtitle", help: "The subtitle may be seen even then.")

  private static let add = Command(
    "add", "Add a category, or change the one of that name.",
    examples: [
      .init(
        "fenceline category add GATE --action open=Open --run open=/opt/open-gate", "Run a program."
      ),
      .init("fenceline category add CHAT --action answer=Answer --text answer=Message", "Ask for a text."),
    ],
    positionals: [id],
    options: [
      action, input, destructive, foreground, authentication, run, dismiss, hidden, showTitle, showSubtitle,
      summary,
    ],
    run: Session.running { session in
      let category = try category(session.arguments)
      try session.centre(.write).setCategory(category, of: CentreOptions.app(session))
      for action in category.actions {
        if let program = action.command.first, unsafe access(program, X_OK) != 0 {
          session.warn(
            "The program '\(printable(program))' of the action '\(printable(action.identifier))' is not there, or cannot be run."
          )
        }
      }
      session.note(
        "category '\(printable(category.identifier))' has \(counted(category.actions.count, "action"))")
      return Status.done
    })

  private static func category(_ arguments: Arguments) throws -> NotificationCategory {
    var actions = arguments[all: action].map { NotificationAction(identifier: $0.id, title: $0.text) }
    func change(_ id: String, _ change: (inout NotificationAction) -> Void) throws {
      guard let place = actions.firstIndex(where: { $0.identifier == id }) else {
        throw UsageError("There is no action '\(id)'. Name it with --action '\(id)=TITLE'.")
      }
      change(&actions[place])
    }
    for (id, text) in arguments[all: input] { try change(id) { $0.textInput = .init(placeholder: text) } }
    for id in arguments[all: destructive] { try change(id) { $0.destructive = true } }
    for id in arguments[all: foreground] { try change(id) { $0.foreground = true } }
    for id in arguments[all: authentication] { try change(id) { $0.authenticationRequired = true } }
    for (id, text) in arguments[all: run] {
      let words = try words(text)
      try change(id) { $0.command = words }
    }
    return NotificationCategory(
      identifier: arguments[id], actions: actions, customDismissAction: arguments[dismiss],
      hiddenPreviewsBodyPlaceholder: arguments[hidden], hiddenPreviewsShowTitle: arguments[showTitle],
      hiddenPreviewsShowSubtitle: arguments[showSubtitle], summaryFormat: arguments[summary])
  }

  /// A program and its arguments.
  private static func words(_ text: String) throws -> [String] {
    var words = [text]
    if text.hasPrefix("[") {
      let elements = (try? JSONNode(parsing: Array(text.utf8)))?.elements ?? []
      words = elements.compactMap(\.text)
      guard !words.isEmpty, words.count == elements.count else {
        throw UsageError(
          "'\(text)' is no JSON array of texts, such as [\"/usr/bin/logger\",\"-t\",\"gate\"].")
      }
    }
    return words
  }

  private static let remove = Command(
    "remove", "Remove a category.",
    examples: [.init("fenceline category remove ALARM", "Remove one.")],
    positionals: [id],
    run: Session.running { session in
      let (name, app) = (session.arguments[id], CentreOptions.app(session))
      guard try session.centre(.write).removeCategory(name, of: app) else {
        throw Failure(
          Status.usage,
          NotificationCategory.builtIn.contains { $0.identifier == name }
            ? "The category '\(name)' is built in and cannot be removed."
            : "'\(printable(app))' has no category '\(printable(name))'. 'fenceline category' lists them.")
      }
      session.note("category '\(printable(name))' removed")
      return Status.done
    })

  private static let definitions = Positional<JSONValue>(
    "JSON", value: .jsonArray, help: "An array of categories, each as 'fenceline category --json' prints it.")

  private static let set = Command(
    "set", "Give an app these categories and no others.",
    examples: [.init("fenceline category set '[]' --app org.example.chat", "Remove all of an app.")],
    positionals: [definitions],
    run: Session.running { session in
      guard case .array(let values) = session.arguments[definitions] else { return Status.usage }
      var categories: [NotificationCategory] = []
      for (place, value) in values.enumerated() {
        guard let node = try? JSONNode(parsing: Array(value.line.utf8)),
          let category = NotificationCategory(node)
        else {
          throw UsageError("Category \(place + 1) has no id, or one of its actions no id or title.")
        }
        if !NotificationCategory.builtIn.contains(category) { categories.append(category) }
      }
      try session.centre(.write).setCategories(categories, of: CentreOptions.app(session))
      session.note("\(counted(categories.count, "category", "categories")) set")
      return Status.done
    })

  private static func list(_ session: Session) throws -> Int32 {
    let categories = try session.centre(.read).categories(of: CentreOptions.app(session))
    if session.isJSON {
      for category in categories { try session.output.writeLine(category.json.line) }
      return Status.done
    }
    var table = Table([.init("Category", shrinksTo: 8), .init("Actions", priority: 1, shrinksTo: 12)])
    for category in categories {
      let actions = category.actions.map { $0.identifier + ($0.textInput == nil ? "" : " (text)") }
      table.append([
        category.identifier,
        (actions + (category.customDismissAction ? ["dismiss"] : [])).joined(separator: ", "),
      ])
    }
    try session.output.write(table.text(on: session.terminal.output))
    return Status.done
  }
}

extension ValueType where Value == (id: String, text: String) {
  /// `ID=SOMETHING`.
  static func assignment(_ name: String) -> Self {
    .init(name: name, hint: .text) { text throws(ValueError) in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw ValueError("it reads like \(name)")
      }
      return (String(parts[0]), String(parts[1]))
    }
  }
}

extension ValueType where Value == JSONValue {
  static var jsonArray: Self {
    .init(name: "JSON", hint: .text) { text throws(ValueError) in
      guard let node = try? JSONNode(parsing: Array(text.utf8)), node.elements != nil else {
        throw ValueError("a JSON array is needed, such as [{\"id\":\"ALARM\",\"actions\":[]}]")
      }
      return JSONValue(node)
    }
  }
}
