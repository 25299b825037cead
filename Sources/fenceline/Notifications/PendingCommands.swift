import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineNotifying
import FencelineService

/// `fenceline pending`: what will be told.
enum PendingCommands {
  static let pending = Command(
    "pending", "List what will be told, or take it back.",
    examples: [
      .init("fenceline pending", "List all, what is due first first."),
      .init("fenceline pending remove bins-mon", "Take one back."),
    ],
    options: [CentreOptions.allApps], subcommands: [remove], run: Session.running(list))

  private static let ids = Positional<String>(
    "ID", value: .text(name: "ID", hint: .listed("requests")), help: "Names of requests.", required: false,
    repeatable: true)
  private static let all = Flag("all", help: "All of the app.")

  private static let remove = Command(
    "remove", "Take requests back; what they have told stays in the list.",
    examples: [.init("fenceline pending remove --all", "Take all back.")],
    positionals: [ids], options: [all],
    run: Session.running { session in
      let names = session.arguments[all: ids]
      let app = session.arguments[CentreOptions.allApps] ?? NotificationRequest.ownApp
      guard names.isEmpty == session.arguments[all] else {
        throw UsageError(
          names.isEmpty ? "Name requests, or say --all." : "Name requests or say --all, not both.")
      }
      let centre = try session.centre(.write)
      if session.arguments[all] {
        session.note("\(counted(try centre.removeAllPending(of: app, at: .now), "request")) removed")
        return Status.done
      }
      let missing = try centre.removePending(names, of: app, at: .now)
      var known: [String] = []
      if !missing.isEmpty { try centre.pending(of: app) { known.append($0.request.identifier) } }
      for name in missing {
        let hint = nearest(to: name, in: known).map { "Did you mean '\($0)'?" }
        session.complain(
          "No request '\(name)' of '\(app)' is pending. \(hint ?? "'fenceline pending' lists them.")")
      }
      session.note("\(counted(names.count - missing.count, "request")) removed")
      return missing.isEmpty ? Status.done : missing.count < names.count ? Status.partial : Status.usage
    })

  private static func list(_ session: Session) throws -> Int32 {
    let centre = try session.centre(.read)
    let app = session.arguments[CentreOptions.allApps]
    if session.isJSON {
      try centre.pending(of: app) { try session.output.writeLine(JSONValue.request($0).line) }
      return Status.done
    }
    var table = Table([
      .init("Next", priority: 1), .init("In", alignment: .right, priority: 3), .init("ID", shrinksTo: 8),
      .init("App", priority: 4, shrinksTo: 6, hidesEmpty: true), .init("Says", priority: 2, shrinksTo: 8),
      .init("When", priority: 5, shrinksTo: 8),
    ])
    let now = LocalTime.now
    var count = 0
    try centre.pending(of: app) { stored in
      count += 1
      guard count <= mostShown else { return }
      table.append([
        stored.due.map(LocalTime.text) ?? "",
        stored.due.map { spanText(max(0, $0.seconds(since: now))) } ?? "",
        stored.request.identifier, stored.request.app == NotificationRequest.ownApp ? "" : stored.request.app,
        stored.request.content.line, stored.request.trigger.map(TriggerWords.text) ?? "now",
      ])
    }
    guard count > 0 else {
      session.note("Nothing is pending. 'fenceline notify' adds something.")
      return Status.done
    }
    try session.output.write(table.text(on: session.terminal.output))
    let more = count > mostShown ? ", the first \(grouped(mostShown)) shown (--json lists all)" : ""
    session.note("\(counted(count, "request"))\(more), times in \(LocalTime.zone)")
    return Status.done
  }

  /// A table is held in memory; nobody reads more.
  private static let mostShown = 10_000

  /// For whoever completes a name.
  static func names(_ centre: NotificationCentre, beginning text: String) throws -> [Candidate] {
    var names: [Candidate] = []
    try centre.pending { stored in
      guard names.count < 200, stored.request.identifier.hasPrefix(text) else { return }
      names.append(Candidate(stored.request.identifier, stored.request.content.line))
    }
    return names
  }
}

extension NotificationContent {
  /// What it says, on one line.
  var line: String {
    let texts = [title, subtitle, body].filter { !$0.isEmpty }
    return texts.isEmpty ? badge.map { "badge \($0)" } ?? "(no text)" : texts.joined(separator: ": ")
  }
}

/// Triggers in words.
enum TriggerWords {
  static func text(_ trigger: NotificationTrigger) -> String {
    switch trigger {
    case .interval(let trigger): return (trigger.repeats ? "every " : "after ") + spanText(trigger.seconds)
    case .calendar(let trigger): return text(trigger)
    case .location(let trigger):
      var kinds: [String] = []
      if trigger.onEntry { kinds.append("entry") }
      if trigger.onExit { kinds.append("exit") }
      if trigger.onDwell { kinds.append("dwell") }
      return "\(kinds.joined(separator: " or ")) of \(trigger.region)\(trigger.repeats ? ", each time" : "")"
    case .push: return "pushed"
    }
  }

  private static func text(_ trigger: CalendarTrigger) -> String {
    var text = plain(trigger.rule.components) ?? units(trigger.rule.components)
    if let interval = trigger.rule.interval { text += " every \(counted(interval.days, "day"))" }
    if case .fixed(let name) = trigger.zone { text += " in \(name)" }
    if !trigger.repeats { text += ", once" }
    if let count = trigger.count { text += ", \(counted(count, "time"))" }
    if let end = trigger.end { text += " until \(LocalTime.text(end))" }
    return text
  }

  /// `07:30`, `Mon 07:00`, `2026-12-01 08:30`; nil for another rule.
  private static func plain(_ rule: CalendarRule.Components) -> String? {
    guard let hour = rule.hour, rule.weekdayOrdinal == nil else { return nil }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    var clock = "\(digits(hour)):\(digits(rule.minute ?? 0))"
    if let second = rule.second, second > 0 { clock += ":\(digits(second))" }
    switch (rule.year, rule.month, rule.day, rule.weekday) {
    case (nil, nil, nil, nil): return clock
    case (nil, nil, nil, let weekday?):
      return "\(Weekday.allCases[(weekday + 5) % 7].fullName.prefix(3)) \(clock)"
    case (let year?, let month?, let day?, nil): return "\(year)-\(digits(month))-\(digits(day)) \(clock)"
    default: return nil
    }
  }

  private static func units(_ rule: CalendarRule.Components) -> String {
    var words: [String] = []
    for (name, path) in CalendarRule.Components.units {
      if let value = rule[keyPath: path] { words.append("\(name)=\(value)") }
    }
    return words.joined(separator: ",")
  }
}
