import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineNotifying
import FencelineService

/// `fenceline notify at`, `daily`, `weekly` and `rule`: by what clocks show.
extension NotifyCommands {
  private static let zone = Option<String>(
    "zone", value: .text(name: "ZONE", hint: .listed("zones")),
    help: "Whose clocks: Europe/Zurich. Without it, those of wherever this machine is.", group: "Rule")
  private static let every = Option<Int>(
    "every", value: .integer(in: 1...10_000, name: "DAYS"),
    help: "Only one day in so many, counted from the first one.", group: "Rule")
  private static let everyWeek = Option<Int>(
    "every", value: .integer(in: 1...1_000, name: "WEEKS"),
    help: "Only one week in so many, counted from the first one.", group: "Rule")
  private static let from = Option<ZonedTime>(
    "from", value: .zonedTime, help: "Nothing before this time.", group: "Rule")
  private static let until = Option<ZonedTime>(
    "until", value: .zonedTime, help: "Nothing after this time.", group: "Rule")
  private static let times = Option<Int>(
    "times", value: .integer(in: 1...CalendarTrigger.mostTimes), help: "Only so many times.", group: "Rule")
  private static let bounded: [any Declaration] = [zone, from, until, times] + NotificationOptions.options

  private static let moment = Positional<DayTime>(
    "TIME", value: .dayTime,
    help:
      "2026-12-24T18:00, 'tomorrow 08:30', 'mon 07:00', or 18:00, which is the next time that clocks show it."
  )

  static let at = Command(
    "at", "Be told once, at a time.",
    examples: [
      .init("fenceline notify at 18:00 --title 'Call home'", "The next time that it is six."),
      .init(
        "fenceline notify at 2026-12-24T18:00 --zone Europe/Zurich --title Now",
        "In one zone, wherever you are."),
    ],
    positionals: [moment], options: [zone] + NotificationOptions.options,
    run: Session.running { session in
      let (choice, civil) = try zone(session)
      var components: CalendarRule.Components
      var fixed = choice
      switch session.arguments[moment] {
      case .clock(let clock): components = clock
      case .day(let day, let clock): components = day.components(clock, from: civil.shown(LocalTime.now))
      case .shown(let time): components = .init(exactly: time)
      case .named(let named): components = named
      case .instant(let time):
        components = .init(exactly: time)
        fixed = .fixed("UTC")
      }
      components.second = components.second ?? 0
      let trigger = CalendarTrigger(try rule(components), zone: fixed)
      return try add(session, .calendar(trigger)) { next in
        "Reminder will appear \(next.map { when($0, civil) } ?? "now")."
      }
    })

  private static let clock = Positional<CalendarRule.Components>(
    "HH:MM", value: .clock, help: "What clocks show: 07:30.")

  private static let clocks = Positional<[CalendarRule.Components]>(
    "HH:MM", value: ValueType<CalendarRule.Components>.clock.list(),
    help: "What clocks show: 07:30, or 08:00,20:00.")

  static let daily = Command(
    "daily", "Be told each day.",
    discussion: "Several times are several requests: ID-0800, ID-2000.",
    examples: [
      .init("fenceline notify daily 08:00,20:00 --id pills --title Pills", "Twice a day."),
      .init("fenceline notify daily 07:30 --title 'Log the weather'", "Each morning."),
      .init("fenceline notify daily 20:00 --every 3 --title Water", "Each third day."),
    ],
    positionals: [clocks], options: [every] + bounded,
    run: Session.running { session in
      let every = session.arguments[every] ?? 1
      let clocks = session.arguments[clocks]
      let suffixes = clocks.map { clock in
        "-" + [clock.hour, clock.minute].map { ($0 ?? 0) < 10 ? "0\($0 ?? 0)" : "\($0 ?? 0)" }.joined()
      }
      return try add(
        session, clocks, suffixes: suffixes, replacing: [], days: every,
        words: clocks.map { _ in every == 1 ? "each day" : "every \(every) days" })
    })

  private static let weekdays = Positional<[Weekday]>(
    "DAYS", value: ValueType<Weekday>.weekday.list(), help: "Days of the week: mon,thu.")

  static let weekly = Command(
    "weekly", "Be told each week.",
    discussion: "Several days are several requests: ID-mon, ID-thu.",
    examples: [.init("fenceline notify weekly mon,thu 07:00 --id bins --title 'Bins out'", "Twice a week.")],
    positionals: [weekdays, clock], options: [everyWeek] + bounded,
    run: Session.running { session in
      let every = session.arguments[everyWeek] ?? 1
      let days = Weekday.allCases.filter(session.arguments[weekdays].contains)
      var rules: [CalendarRule.Components] = []
      for day in days {
        var components = session.arguments[clock]
        components.weekday = day.number
        rules.append(components)
      }
      return try add(
        session, rules, suffixes: days.map { "-\($0.rawValue)" },
        // What was wanted on other days before goes.
        replacing: [""] + Weekday.allCases.map { "-\($0.rawValue)" }, days: 7 * every,
        words: days.map { every == 1 ? "each \($0.fullName)" : "every \(every) weeks on \($0.fullName)" })
    })

  private static let match = Option<CalendarRule.Components>(
    "match", value: .calendarComponents,
    help:
      "What the local time must be: year, month, day, weekday (1 is Sunday), weekdayOrdinal (-1 is the last), hour, minute, second.",
    required: true, group: "Rule")
  private static let once = Flag("once", help: "Only the first time.", group: "Rule")

  static let rule = Command(
    "rule", "Be told whenever clocks show something.",
    discussion: "'fenceline notify preview' says when that is.",
    examples: [
      .init(
        "fenceline notify rule --match weekdayOrdinal=-1,weekday=6 --title Report",
        "The last Friday of a month."),
      .init("fenceline notify rule --match month=5,day=1,hour=9 --title 'Buy flowers'", "Once a year."),
    ],
    options: [match, once, every] + bounded,
    run: Session.running { session in
      guard let components = session.arguments[match] else { return Status.usage }
      let days = session.arguments[every] ?? 1
      let word = "whenever clocks show that" + (days == 1 ? "" : ", one day in \(days),")
      return try add(
        session, [components], suffixes: [], replacing: [], days: days, words: [word],
        repeats: !session.arguments[once])
    })

  /// Adds a request for each rule of the calendar: all of them, or none.
  ///
  /// - Parameters:
  ///   - session: Whose options say the rest.
  ///   - rules: What clocks show.
  ///   - suffixes: What stands behind the name of each, where there are several.
  ///   - names: What stands behind the name of those that go for them.
  ///   - days: One day counts in so many.
  ///   - words: How often each comes.
  ///   - repeats: Whether they go on after the first time.
  /// - Returns: The exit status.
  /// - Throws: What the centre refuses.
  private static func add(
    _ session: Session, _ rules: [CalendarRule.Components], suffixes: [String], replacing names: [String],
    days: Int, words: [String], repeats: Bool = true
  ) throws -> Int32 {
    let arguments = session.arguments
    let (choice, civil) = try zone(session)
    let base = try NotificationOptions.request(session, trigger: nil)
    var requests: [NotificationRequest] = []
    for (place, components) in rules.enumerated() {
      let start = arguments[from]?.instant(in: civil)
      let plain = try rule(components)
      let before = Timestamp(milliseconds: (start ?? LocalTime.now).milliseconds - 1)
      // The first day that counts is the first on which clocks show that.
      let anchor = plain.next(after: before, in: civil).map { CivilDate(civil.shown($0)) }
      let every = days == 1 ? nil : anchor.map { CalendarRule.Interval(days: days, anchor: $0) }
      var request = base
      request.trigger = .calendar(
        CalendarTrigger(
          try rule(components, every: every?.days == 7 ? nil : every), zone: choice, repeats: repeats,
          from: start,
          until: arguments[until]?.instant(in: civil), times: arguments[times]))
      request.identifier += rules.count > 1 ? suffixes[place] : ""
      requests.append(request)
    }
    let added = try session.centre(.write).add(
      requests, replacing: names.map { base.identifier + $0 }, at: .now)
    let end =
      (arguments[times].map { ", \(counted($0, "time")) in all" } ?? "")
      + (arguments[until].map { ", until \(LocalTime.text($0.instant(in: civil)))" } ?? "")
    for (place, word) in words.enumerated() {
      try tell(added[place], of: requests[place], session, isLast: place == words.count - 1) { next in
        let first = next.map { when($0, civil) } ?? "now"
        return "Reminder will appear \(first)\(repeats ? ", and \(word) from then on\(end)" : "")."
      }
    }
    return Status.done
  }

  private static func rule(
    _ components: CalendarRule.Components, every: CalendarRule.Interval? = nil
  ) throws -> CalendarRule {
    do throws(CalendarRuleError) { return try CalendarRule(components, every: every) } catch {
      throw NotificationError(.notificationInvalidNoDate, "The notification would never be due: \(error).")
    }
  }

  private static func zone(_ session: Session) throws -> (CalendarTrigger.Zone, CivilZone) {
    let name = session.arguments[zone]
    if name == nil, LocalTime.zone.hasPrefix("UTC (") {
      session.warn(
        "The variable TZ names no time zone, so that UTC is meant. Mend it, or name a zone with --zone.")
    }
    return (name.map(CalendarTrigger.Zone.fixed) ?? .floating, try SystemZones.asked(name))
  }
}
