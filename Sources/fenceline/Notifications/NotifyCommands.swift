import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeodesy
import FencelineJSONText
import FencelineNotifying
import FencelineService

/// `fenceline notify`: notifications at a time, at intervals, and by rules of the calendar.
enum NotifyCommands {
  static let notify = Command(
    "notify", "Be told of something at a time or a place.",
    discussion: """
      What is to be told stays in the database until it is due, whatever happens meanwhile; the service delivers it. Times are what clocks \
      show wherever this machine is, unless --zone names a zone.
      """,
    examples: [
      .init("fenceline notify after 20m --title Tea", "Be told in 20 minutes."),
      .init("fenceline notify at 'tomorrow 08:30' --title Dentist", "Be told at a time."),
      .init("fenceline notify weekly mon,thu 07:00 --title 'Bins out'", "Be told each week."),
      .init("fenceline notify region harbour --on exit --title 'Keys?'", "Be told when a device leaves."),
    ],
    subcommands: [
      now, after, at, daily, weekly, rule, NotifyRegionCommand.region, NotifyPreviewCommand.preview,
    ])

  // MARK: Now and in a while

  private static let now = Command(
    "now", "Be told at once.",
    examples: [.init("fenceline notify now --title Done --body 'The backup is made.'", "Tell of something.")],
    options: NotificationOptions.options,
    run: Session.running { session in
      let status = try add(session, nil) { _ in "Notification will appear now." }
      let level = session.arguments[NotificationOptions.level] ?? .active
      for stored in try session.centre(.read).focuses(at: LocalTime.now) where stored.isOn {
        let category = session.arguments[NotificationOptions.category]
        guard stored.focus.effect(on: level, app: CentreOptions.app(session), category: category) == .held
        else { continue }
        session.note(
          "The focus '\(printable(stored.focus.identifier))' is on: it will be shown when that ends.")
      }
      return status
    })

  private static let span = Positional<Double>(
    "DURATION", value: .duration, help: "How long from now: 90s, 20m, 1h30m.")
  private static let isRepeated = Flag("repeat", help: "And each time as long again; at least a minute.")

  private static let after = Command(
    "after", "Be told in a while, or at intervals.",
    discussion: "It counts time that passes: clocks that are set meanwhile do not change it.",
    examples: [
      .init("fenceline notify after 5s --title Hello", "In five seconds."),
      .init("fenceline notify after 2h --repeat --id watch --title 'Watch change'", "Each two hours."),
    ],
    positionals: [span], options: [isRepeated] + NotificationOptions.options,
    run: Session.running { session in
      let trigger = IntervalTrigger(
        seconds: session.arguments[span], repeats: session.arguments[isRepeated])
      return try add(session, .interval(trigger)) { _ in
        "Reminder will appear in \(longSpan(trigger.seconds))"
          + (trigger.repeats ? ", and every \(longSpan(trigger.seconds)) from then on." : ".")
      }
    })

  // MARK: Adding

  /// Adds what the options describe and says when it will appear.
  static func add(
    _ session: Session, _ trigger: NotificationTrigger?, sentence: (Timestamp?) -> String
  ) throws -> Int32 {
    let request = try NotificationOptions.request(session, trigger: trigger)
    try tell(try session.centre(.write).add(request, at: .now), of: request, session, sentence)
    return Status.done
  }

  /// Says what became of a request that was added.
  static func tell(
    _ added: AddedRequest, of request: NotificationRequest, _ session: Session, isLast: Bool = true,
    _ sentence: (Timestamp?) -> String
  ) throws {
    if session.isJSON {
      if let stored = added.stored { try session.output.writeLine(JSONValue.request(stored).line) }
    } else {
      try session.output.writeLine(sentence(added.due))
    }
    added.warnings.forEach(session.warn)
    for name in added.evicted {
      session.warn("'\(printable(name))' is not pending any more, for the limit is reached.")
    }
    if request.trigger != nil {
      let app = request.app == NotificationRequest.ownApp ? "" : " --app \(printable(request.app))"
      session.note(
        "\(added.replaced ? "It replaces the pending one. " : "")'fenceline pending remove \(printable(request.identifier))\(app)' takes it back."
      )
    }
    if isLast { session.warnWithoutService() }
  }

  /// `tomorrow at 08:30 (in 11 hours 3 minutes)`.
  static func when(_ time: Timestamp, _ zone: CivilZone) -> String {
    let now = LocalTime.now
    let (shown, today) = (zone.shown(time), CivilDate(zone.shown(now)).daysSince1970)
    let day = CivilDate(shown)
    let rest = Timestamp(milliseconds: shown.split(by: Timestamp.millisecondsPerDay).rest)
    let clock = rest.description.dropFirst(11).prefix(shown.milliseconds % 60_000 == 0 ? 5 : 8)
    let name: String
    switch day.daysSince1970 - today {
    case 0: name = "today"
    case 1: name = "tomorrow"
    default: name = "on \(Weekday.allCases[day.daysSinceMonday].fullName.prefix(3)) \(day)"
    }
    return "\(name) at \(clock) (in \(longSpan(max(0, time.seconds(since: now)))))"
  }

  /// `5 seconds`, `2 hours 5 minutes`.
  private static func longSpan(_ seconds: Double) -> String {
    guard seconds >= 1, seconds < 1e12 else { return "\(seconds.trimmed(3)) seconds" }
    var rest = Int(seconds.rounded())
    var words: [String] = []
    for (name, length) in [("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)]
    where words.count < 2 {
      let count = rest / length
      if count > 0 {
        words.append(counted(count, name))
      } else if !words.isEmpty {
        break
      }
      rest -= count * length
    }
    return words.joined(separator: " ")
  }
}
