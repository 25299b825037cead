import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineNotifying
import FencelineService

/// `fenceline permission`: which apps may notify, and how.
enum PermissionCommands {
  static let permission = Command(
    "permission", "List which apps may notify, or change it.",
    discussion: """
      An app asks once; the answer stays until it is changed here. What is listed as asked waits for an answer, since nobody was there to \
      give it (the setting permission.unattended). Whoever may write the database is its administrator.
      """,
    examples: [
      .init("fenceline permission", "List the apps."),
      .init("fenceline permission allow org.example.chat", "Let it notify."),
      .init("fenceline permission set org.example.chat sound off", "Without sound."),
    ],
    subcommands: [request, allow, deny, reset, set, entitle], run: Session.running(list))

  private static let app = Positional<String>(
    "APP", value: .text(name: "APP", hint: .listed("apps")), help: "The app's identifier.")
  private static let options = Option<[AppPermission.Options]>(
    "options", value: ValueType<AppPermission.Options>.permission.list(),
    help:
      "What it wants to do: alert, sound, badge, critical, provisional (begin quietly, without being asked for), settings.",
    defaultText: "alert,sound,badge")
  private static let usage = Option<String>(
    "usage", value: .text, help: "What it needs that for: the user reads it.")

  private static let request = Command(
    "request", "Ask for permission in an app's name.",
    examples: [
      .init("fenceline permission request org.example.chat --usage 'For messages.'", "Ask once."),
      .init("fenceline permission request org.example.news --options alert,provisional", "Begin quietly."),
    ],
    positionals: [app], options: [options, usage],
    run: Session.running { session in
      let name = session.arguments[app]
      let wanted = (session.arguments[options] ?? []).reduce(into: AppPermission.Options()) {
        $0.formUnion($1)
      }
      let centre = try session.centre(.write)
      let status: AppPermission.Status
      switch try centre.requestPermission(of: name, wanted, usage: session.arguments[usage], at: .now) {
      case .known(let known): status = known
      case .ask(let app): status = try PermissionQuestion(session, centre).ask(app)
      }
      try session.output.writeLine(
        session.isJSON
          ? JSONValue.object([.init("app", .text(name)), .init("status", .text(status.rawValue))]).line
          : status.rawValue)
      return status == .denied || status == .notDetermined ? Status.notPermitted : Status.done
    })

  private static let span = Option<Double>("for", value: .duration, help: "Only for so long.")

  private static let allow = Command(
    "allow", "Let an app notify.",
    examples: [.init("fenceline permission allow org.example.guide --for 8h", "For a day's visit.")],
    positionals: [app], options: [span],
    run: Session.running { session in
      let name = session.arguments[app]
      let span = session.arguments[span]
      if let span, !(1...3.2e9).contains(span) {
        throw UsageError("A permission holds for a second to a hundred years.")
      }
      let until = span.map { Timestamp(milliseconds: LocalTime.now.milliseconds + Int64($0 * 1000)) }
      try session.centre(.write).answerPermission(of: name, isAllowed: true, until: until)
      session.note("'\(printable(name))' may notify\(until.map { " until \(LocalTime.text($0))" } ?? "")")
      return Status.done
    })

  private static let deny = Command(
    "deny", "Do not let an app notify.",
    examples: [.init("fenceline permission deny org.example.ads", "Be left alone.")],
    positionals: [app],
    run: Session.running { session in
      let name = session.arguments[app]
      try session.centre(.write).answerPermission(of: name, isAllowed: false)
      session.note("'\(printable(name))' may not notify; what is pending of it is not shown")
      return Status.done
    })

  private static let reset = Command(
    "reset", "Forget the answer, so that the app may ask again.",
    examples: [.init("fenceline permission reset org.example.chat", "Begin anew.")], positionals: [app],
    run: Session.running { session in
      let name = session.arguments[app]
      guard try session.centre(.write).resetPermission(of: name) else { throw unknown(name) }
      session.note("'\(printable(name))' may ask again")
      return Status.done
    })

  private static let option = Positional<AppPermission.Options>(
    "OPTION", value: .permission, help: "alert, sound, badge, list, critical, time-sensitive or summary.")
  private static let value = Positional<String>(
    "on|off", value: .choice(["on", "off"], name: "on|off"), help: "Which.")

  private static let set = Command(
    "set", "Switch something that an app may do on or off.",
    examples: [
      .init("fenceline permission set org.example.news summary on", "Let it wait for the summary."),
      .init("fenceline permission set org.example.chat alert off", "No banners."),
    ],
    positionals: [app, option, value],
    run: Session.running { session in
      let (name, option, isOn) = (
        session.arguments[app], session.arguments[option], session.arguments[value] == "on"
      )
      let changed = try session.centre(.write).changePermission(of: name) { permission in
        if isOn { permission.options.insert(option) } else { permission.options.remove(option) }
      }
      guard let changed else { throw unknown(name) }
      session.note("'\(printable(name))' may: \(changed.options.words.joined(separator: ", "))")
      if isOn, option == .summary, try session.journal(.read).settings()["notifications.summary"] == nil {
        session.warn(
          "No summary is ever shown: say when with 'fenceline settings set notifications.summary 08:00,18:00'."
        )
      }
      if isOn, option == .criticalAlert, !changed.isEntitledToCritical {
        session.warn("It takes an entitlement too: 'fenceline permission entitle \(printable(name))'.")
      }
      return Status.done
    })

  private static let revoke = Flag("revoke", help: "Take it away again.")

  private static let entitle = Command(
    "entitle", "Let an app break through everything with what is critical.",
    discussion: "The app must have asked for it as well (option critical), and the user may switch it off.",
    examples: [.init("fenceline permission entitle org.example.smoke", "A smoke alarm.")],
    positionals: [app], options: [revoke],
    run: Session.running { session in
      let (name, isEntitled) = (session.arguments[app], !session.arguments[revoke])
      let changed = try session.centre(.write).changePermission(of: name) {
        $0.isEntitledToCritical = isEntitled
      }
      guard let changed else { throw unknown(name) }
      session.note("'\(printable(name))' is \(isEntitled ? "" : "no longer ")entitled to critical alerts")
      if isEntitled, !changed.options.contains(.criticalAlert) {
        session.note("Switch them on with 'fenceline permission set \(printable(name)) critical on'.")
      }
      return Status.done
    })

  private static func unknown(_ name: String) -> Failure {
    Failure(
      Status.usage,
      "No app '\(printable(name))' has asked for permission. 'fenceline permission' lists those that have.")
  }

  private static func list(_ session: Session) throws -> Int32 {
    let apps = try session.centre(.read).apps()
    let now = LocalTime.now
    if session.isJSON {
      for app in apps { try session.output.writeLine(json(app, now).line) }
      return Status.done
    }
    var table = Table([
      .init("App", shrinksTo: 8),
      .init("Status", tint: { $0.hasPrefix("denied") ? .red : $0.hasPrefix("not") ? .yellow : nil }),
      .init("May", priority: 2, shrinksTo: 8), .init("Asked", priority: 3, hidesEmpty: true),
      .init("For", priority: 1, shrinksTo: 8, hidesEmpty: true),
      .init("Badge", alignment: .right, priority: 4),
    ])
    for app in apps {
      let status = app.permission.status(at: now)
      let until =
        app.permission.expires.map { status == .ephemeral ? " until \(LocalTime.text($0))" : "" } ?? ""
      table.append([
        app.id, status.rawValue + until,
        app.permission.options.words.joined(separator: ", ")
          + (app.permission.isEntitledToCritical ? " (entitled)" : ""),
        app.asked.map(LocalTime.text) ?? "", app.usage ?? "", String(app.badge),
      ])
    }
    try session.output.write(table.text(on: session.terminal.output))
    if apps.contains(where: { $0.asked != nil }) {
      session.note("Answer with 'fenceline permission allow APP' or 'deny APP'.")
    }
    return Status.done
  }

  private static func json(_ app: StoredApp, _ now: Timestamp) -> JSONValue {
    let settings = NotificationSettings(app.permission, at: now)
    let status = settings.authorizationStatus
    return [
      "app": .text(app.id), "status": .text(status.rawValue), "authorizationStatus": .integer(status.number),
      "options": .array(app.permission.options.words.map(JSONValue.text)),
      "settings": .object(settings.settings.map { .init($0.name, .text($0.setting.rawValue)) }),
      "requested": .array(app.requested.words.map(JSONValue.text)),
      "entitled": .boolean(app.permission.isEntitledToCritical),
      "until": app.permission.expires.map { .text($0.description) } ?? .null,
      "usage": app.usage.map(JSONValue.text) ?? .null,
      "asked": app.asked.map { .text($0.description) } ?? .null,
      "badge": .integer(app.badge),
    ]
  }
}

extension ValueType where Value == AppPermission.Options {
  static var permission: Self {
    let words = ValueType<String>.choice(AppPermission.Options.names.map(\.name), name: "OPTION")
    return .init(name: words.name, hint: words.hint) { text throws(ValueError) in
      let word = try words.parse(text)
      return AppPermission.Options.names.first { $0.name == word }?.option ?? []
    }
  }
}
