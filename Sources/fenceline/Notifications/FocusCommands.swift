import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeofencing
import FencelineJSONText
import FencelineNotifying
import FencelineService

/// `fenceline focus`: when and where one wants to be left alone.
enum FocusCommands {
  static let focus = Command(
    "focus", "Say when and where you want to be left alone.",
    discussion: """
      While a focus is on, what is passive is only listed and what is active waits until it ends; what is time-sensitive or critical comes \
      through. A focus is on by its schedule, while any device is inside its region, or by hand.
      """,
    examples: [
      .init("fenceline focus on --for 1h", "Do not disturb me for an hour."),
      .init("fenceline focus add sleep --schedule '22:00-07:00 Europe/Zurich'", "Each night."),
      .init("fenceline focus add work --inside office --allow-app org.example.pager", "While I am there."),
    ],
    subcommands: [on, off, auto, add, remove], run: Session.running(list))

  private static let name = Positional<String>(
    "NAME", value: .text(name: "NAME", hint: .listed("focuses")), help: "Which.",
    defaultText: NotificationCentre.doNotDisturb, required: false)
  private static let needed = Positional<String>(
    "NAME", value: .text(name: "NAME", hint: .listed("focuses")), help: "Which.")
  private static let span = Option<Double>(
    "for", value: .duration, help: "For so long.", defaultText: "until it is switched again")

  private static let on = Command(
    "on", "Switch a focus on.", examples: [.init("fenceline focus on --for 2h", "For two hours.")],
    positionals: [name], options: [span], run: Session.running { try turn($0, .on) })
  private static let off = Command(
    "off", "Switch a focus off, whatever its schedule and place say.",
    examples: [.init("fenceline focus off work --for 1h", "For an hour.")],
    positionals: [name], options: [span], run: Session.running { try turn($0, .off) })
  private static let auto = Command(
    "auto", "Let a focus follow its schedule and place again.",
    examples: [.init("fenceline focus auto work", "As before.")],
    positionals: [name], run: Session.running { try turn($0, .automatic) })

  private static func turn(_ session: Session, _ mode: StoredFocus.Mode) throws -> Int32 {
    let name = session.arguments[ifGiven: Self.name] ?? NotificationCentre.doNotDisturb
    let seconds = mode == .automatic ? nil : session.arguments[span]
    if let seconds, !(1...3.2e9).contains(seconds) {
      throw UsageError("A focus can be switched for a second to a hundred years.")
    }
    let until = seconds.map { Timestamp(milliseconds: LocalTime.now.milliseconds + Int64($0 * 1000)) }
    guard try session.centre(.write).switchFocus(name, mode, until: until) else {
      throw Failure(
        Status.usage,
        "There is no focus '\(printable(name))'. 'fenceline focus' lists them; 'fenceline focus add' makes one."
      )
    }
    let end = until.map { " until \(LocalTime.text($0))" } ?? ""
    let hint =
      mode == .off && until == nil ? "; 'fenceline focus auto' lets it follow its schedule again" : ""
    session.note(
      "focus '\(printable(name))' is \(mode == .automatic ? "automatic again" : mode.rawValue)\(end)\(hint)")
    return Status.done
  }

  private static let schedule = Option<ActiveWindow>(
    "schedule", value: .activeWindow, help: "When it is on: 'Mon-Fri 22:00-07:00 Europe/Zurich'.",
    repeatable: true)
  private static let inside = Option<String>(
    "inside", value: .regionID, help: "The region inside which it is on.")
  private static let apps = Option<String>(
    "allow-app", value: .text(name: "APP", hint: .listed("apps")), help: "An app that comes through.",
    repeatable: true)
  private static let categories = Option<String>(
    "allow-category", value: .text(name: "ID", hint: .listed("categories")),
    help: "A category that comes through.",
    repeatable: true)
  private static let timeSensitive = Flag(
    "time-sensitive", help: "What is time-sensitive comes through, which is usual.", invertible: true)

  private static let add = Command(
    "add", "Make a focus, or change the one of that name.",
    examples: [
      .init(
        "fenceline focus add night --schedule '22:00-07:00 UTC' --no-time-sensitive",
        "Only what is critical.")
    ],
    positionals: [needed], options: [schedule, inside, apps, categories, timeSensitive],
    run: Session.running { session in
      let arguments = session.arguments
      let focus = Focus(
        identifier: arguments[needed], schedule: arguments[all: schedule], region: arguments[inside],
        allowedApps: Set(arguments[all: apps]), allowedCategories: Set(arguments[all: categories]),
        allowsTimeSensitive: arguments[ifGiven: timeSensitive] ?? true)
      let journal = try session.journal(.write)
      if let region = focus.region, try journal.region(region) == nil {
        throw Failure(
          Status.usage,
          "There is no region '\(printable(region))'. Add it with 'fenceline region add', or name another one."
        )
      }
      try session.centre(.write).setFocus(focus)
      let isByHand = focus.schedule.isEmpty && focus.region == nil
      session.note(
        "focus '\(printable(focus.identifier))' is kept\(isByHand ? ", and is on only by hand" : "")")
      return Status.done
    })

  private static let remove = Command(
    "remove", "Remove a focus; what it holds back is shown.",
    examples: [.init("fenceline focus remove work", "Remove one.")],
    positionals: [needed],
    run: Session.running { session in
      let name = session.arguments[needed]
      guard try session.centre(.write).removeFocus(name) else {
        throw Failure(Status.usage, "There is no focus '\(printable(name))'. 'fenceline focus' lists them.")
      }
      session.note("focus '\(printable(name))' removed")
      return Status.done
    })

  private static func list(_ session: Session) throws -> Int32 {
    let focuses = try session.centre(.read).focuses(at: LocalTime.now)
    if session.isJSON {
      for stored in focuses { try session.output.writeLine(json(stored).line) }
      return Status.done
    }
    guard !focuses.isEmpty else {
      session.note(
        "There is no focus. 'fenceline focus on' is do-not-disturb; 'fenceline focus add' makes others.")
      return Status.done
    }
    var table = Table([
      .init("Focus", shrinksTo: 8), .init("Is", tint: { $0.hasPrefix("on") ? .yellow : nil }),
      .init("Schedule", priority: 2, shrinksTo: 8, hidesEmpty: true),
      .init("Inside", priority: 1, shrinksTo: 8, hidesEmpty: true),
      .init("Lets through", priority: 3, shrinksTo: 8, hidesEmpty: true),
    ])
    for stored in focuses {
      let focus = stored.focus
      let hand =
        stored.mode == .automatic ? "" : stored.until.map { " until \(LocalTime.text($0))" } ?? " by hand"
      let through =
        focus.allowedApps.sorted() + focus.allowedCategories.sorted()
        + (focus.allowsTimeSensitive ? ["time-sensitive"] : [])
      table.append([
        focus.identifier, (stored.isOn ? "on" : "off") + hand,
        focus.schedule.map(\.description).joined(separator: "; "),
        focus.region ?? "", through.joined(separator: ", "),
      ])
    }
    try session.output.write(table.text(on: session.terminal.output))
    return Status.done
  }

  private static func json(_ stored: StoredFocus) -> JSONValue {
    guard case .object(let members) = stored.focus.json else { return .null }
    return .object(
      members + [
        .init("on", .boolean(stored.isOn)), .init("mode", .text(stored.mode.rawValue)),
        .init("until", stored.until.map { .text($0.description) } ?? .null),
      ])
  }
}
