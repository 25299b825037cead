import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineNotifying

/// `fenceline badge`: the number that an app shows.
enum BadgeCommand {
  private static let number = Positional<String>(
    "NUMBER", value: .text(name: "NUMBER", hint: .choices(["0", "auto"])),
    help: "The number, 0 for none, or auto: how many are delivered and not read.", required: false)

  static let badge = Command(
    "badge", "Show the number that an app shows, or set it.",
    examples: [
      .init("fenceline badge", "Show it."), .init("fenceline badge 0", "Show none any more."),
      .init("fenceline badge auto", "Let it follow what is delivered and not read."),
    ],
    positionals: [number], options: [CentreOptions.app],
    run: Session.running { session in
      let app = CentreOptions.app(session)
      guard let text = session.arguments[ifGiven: number] else {
        let known = try session.centre(.read).app(app)
        let badge = known?.badge ?? 0
        try session.output.writeLine(
          session.isJSON
            ? JSONValue.object([
              .init("app", .text(app)), .init("badge", .integer(badge)),
              .init("auto", .boolean(known?.countsUnread ?? false)),
            ]).line : String(badge))
        return Status.done
      }
      let centre = try session.centre(.write)
      if text == "auto" {
        try centre.countUnread(of: app)
      } else {
        guard let number = Int(text) else { throw UsageError("A badge is a number, or auto, not '\(text)'.") }
        try centre.setBadge(number, of: app)
      }
      session.note("the badge of '\(printable(app))' is \(try centre.app(app)?.badge ?? 0)")
      return Status.done
    })
}
