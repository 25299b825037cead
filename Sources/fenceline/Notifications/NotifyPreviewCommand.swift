import FencelineCivilTime
import FencelineCommandLineKit
import FencelineJSONText
import FencelineService

/// `fenceline notify preview`: when a rule of the calendar would fire.
enum NotifyPreviewCommand {
  private static let match = Option<CalendarRule.Components>(
    "match", value: .calendarComponents,
    help:
      "What the local time must be: year, month, day, weekday (1 is Sunday), weekdayOrdinal (-1 is the last), hour, minute, second.",
    group: "Rule")
  private static let every = Option<Int>(
    "every", value: .integer(in: 1...10_000, name: "DAYS"),
    help: "Only one day in so many, counted from the day of --from, else of --after.", group: "Rule")
  private static let zone = Option<String>(
    "zone", value: .text(name: "ZONE", hint: .listed("zones")), help: "The time zone: Europe/Zurich.",
    defaultText: "that of TZ, else of the system", group: "Rule")
  private static let from = Option<ZonedTime>(
    "from", value: .zonedTime, help: "Nothing before this time.", group: "Rule")
  private static let until = Option<ZonedTime>(
    "until", value: .zonedTime, help: "Nothing after this time.", group: "Rule")
  private static let times = Option<Int>(
    "times", value: .integer(in: 1...10_000), help: "Only so many times from --from on.", group: "Rule")
  private static let after = Option<ZonedTime>(
    "after", value: .zonedTime, help: "List the times after this one.", defaultText: "now")
  private static let count = Option<Int>(
    "count", value: .integer(in: 1...10_000), help: "List so many.", defaultText: "5")

  static let preview = Command(
    "preview", "List the times at which a rule of the calendar would fire.",
    discussion: """
      What --match does not name may be anything if something smaller is named, else it has its lowest value: weekday=2,hour=9 is each \
      Monday at 09:00:00, minute=30 is half past each hour. Days that a month does not have are left out.
      Where clocks go forward over the time of a named hour, it fires when they have, if that is on the same day; where they go back, it \
      fires the first time. With any hour, times that do not exist are left out, and those that are twice fire twice.
      Times are searched for 30 years. Those that name no zone are in --zone.
      """,
    examples: [
      .init("fenceline notify preview --match weekday=2,hour=9 --zone Europe/Zurich", "Each Monday at nine."),
      .init(
        "fenceline notify preview --match weekday=6,weekdayOrdinal=-1,hour=17", "The last Friday of a month."),
      .init(
        "fenceline notify preview --every 3 --match hour=8 --from 2026-03-01 --times 10",
        "Each third day, ten times."),
    ],
    options: [match, every, zone, from, until, times, after, count], run: Session.running(list))

  private static func list(_ session: Session) throws -> Int32 {
    let (schedule, zoneName) = try schedule(session)
    var time = session.arguments[after]?.instant(in: schedule.zone) ?? LocalTime.now
    let wanted = session.arguments[count] ?? 5
    var found = 0
    while found < wanted, let next = schedule.occurrence(after: time) {
      try session.output.writeLine(session.isJSON ? json(next).line : CalendarWords.line(next))
      (time, found) = (next.time, found + 1)
    }
    let more = found == 0 ? "It does not fire" : "It does not fire again"
    let end = schedule.end == nil ? "within 30 years" : "before its end"
    let note = found < wanted ? "\(more) \(end)" : counted(found, "time")
    if !session.isJSON || found < wanted { session.note("\(note); times in \(zoneName)") }
    return Status.done
  }

  /// The rule that is asked for, and the name of its zone.
  private static func schedule(_ session: Session) throws -> (CalendarSchedule, zoneName: String) {
    let arguments = session.arguments
    guard arguments[match] != nil || arguments[every] != nil else {
      throw UsageError(
        "Nothing is named that could match: say --match weekday=2,hour=9 or the like, or --every DAYS.")
    }
    let zone = try SystemZones.asked(arguments[zone])
    let start = arguments[from]?.instant(in: zone)
    let first = start ?? arguments[after]?.instant(in: zone) ?? LocalTime.now
    let shown = Timestamp(milliseconds: first.milliseconds + Int64(zone.offset(at: first)) * 1000)
    let rule: CalendarRule
    do throws(CalendarRuleError) {
      rule = try CalendarRule(
        arguments[match] ?? .init(), every: arguments[every].map { .init(days: $0, anchor: CivilDate(shown)) }
      )
    } catch {
      throw UsageError("The rule can never fire: \(error).")
    }
    let end = arguments[until]?.instant(in: zone)
    if let start, let end, end < start {
      throw UsageError("The rule can never fire: --until is before --from. Change one of them.")
    }
    let name = arguments[Self.zone] ?? LocalTime.zone
    guard let times = arguments[times] else {
      return (CalendarSchedule(rule, in: zone, from: start, until: end), name)
    }
    guard let start else {
      throw UsageError("The times of --times are counted from a beginning: say it with --from TIME.")
    }
    return (CalendarSchedule(rule, in: zone, from: start, until: end, times: times), name)
  }

  private static func json(_ occurrence: CalendarOccurrence) -> JSONValue {
    let clocks: JSONValue =
      switch occurrence.moment {
      case nil: .null
      case .never: "gap"
      case .first: "first"
      case .second: "second"
      }
    return [
      "next": .text(occurrence.time.description), "local": .text(CalendarWords.local(occurrence)),
      "clocks": clocks,
    ]
  }

  /// For whoever completes a name.
  static func zones(beginning text: String) -> [Candidate] {
    SystemZones.names.filter { $0.hasPrefix(text) }.map { Candidate($0, "") }
  }
}
