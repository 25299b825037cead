import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineService

/// `fenceline deliveries`: what channels carry, have carried and could not carry.
enum DeliveriesCommands {
  static let deliveries = Command(
    "deliveries", "List what waits for its channel and what was given up; try it again, or drop it.",
    examples: [
      .init("fenceline deliveries", "What waits, and what was given up."),
      .init(
        "fenceline deliveries --all --channel hub",
        "All of a channel, what was carried in the last 7 days too."),
      .init("fenceline deliveries retry --channel hub", "Try at once, what was given up too."),
    ],
    options: [channel, states, all, since, limit], subcommands: [show, retry, drop],
    run: Session.running(list))

  private static let channel = Option<String>(
    "channel", value: .text(name: "NAME", hint: .listed("channels")), help: "Only those of this channel.")
  private static let states = Option<[StoredDelivery.State]>(
    "state", value: ValueType<StoredDelivery.State>.choice(name: "STATE").list(),
    help: "Only those that are waiting, done, dead (given up) or dropped.")
  private static let all = Flag(
    "all",
    help:
      "List those too that were carried or dropped; with 'retry' and 'drop', take all that wait or were given up."
  )
  private static let since = Option<Timestamp>(
    "since", value: .time, help: "Only events that were recorded from this time on.")
  private static let limit = Option<Int>(
    "limit", value: .integer(in: 1...1_000_000), help: "Only the latest so many.")
  private static let numbers = Positional<Int>(
    "NUMBER", value: .integer(in: 1...Int.max, name: "NUMBER", hint: .listed("deliveries")),
    help: "Numbers of deliveries.", required: false, repeatable: true)
  private static let number = Positional<Int>(
    "NUMBER", value: .integer(in: 1...Int.max, name: "NUMBER", hint: .listed("deliveries")),
    help: "The number of a delivery.")

  private static func filter(_ session: Session, _ journal: Journal) throws -> DeliveryFilter {
    var filter = DeliveryFilter()
    if let name = session.arguments[channel] {
      filter.channel = try ChannelCommands.find(name, in: journal).name
    }
    filter.states = session.arguments[states] ?? []
    filter.since = session.arguments[since]
    filter.limit = session.arguments[limit]
    return filter
  }

  private static func list(_ session: Session) throws -> Int32 {
    let journal = try session.journal(.read)
    var filter = try filter(session, journal)
    let isUsual = filter.states.isEmpty && !session.arguments[all]
    if isUsual { filter.states = [.waiting, .dead] }
    if session.isJSON {
      try journal.deliveries(filter) { page in
        for delivery in page { try session.output.writeLine(json(delivery).line) }
      }
      return Status.done
    }
    if filter.limit == nil { filter.limit = mostShown }
    var table = Table([
      .init("No", alignment: .right), .init("Channel", priority: 1, shrinksTo: 6),
      .init("Event", priority: 2, shrinksTo: 10),
      .init("Device", priority: 4, shrinksTo: 6, hidesEmpty: true),
      .init("Recorded", priority: 5), .init("Tries", alignment: .right, priority: 6),
      .init("State", priority: 1),
      .init("Why", priority: 3, shrinksTo: 20, hidesEmpty: true, isSentence: true),
    ])
    let now = LocalTime.now
    var count = 0
    try journal.deliveries(filter) { page in
      for delivery in page {
        count += 1
        table.append([
          String(delivery.number), delivery.channel, delivery.event,
          delivery.device == "default" ? "" : delivery.device, LocalTime.text(delivery.created),
          String(delivery.attempts), state(delivery, now), delivery.detail ?? "",
        ])
      }
    }
    guard count > 0 else {
      session.note(
        isUsual && filter.channel == nil && filter.since == nil
          ? "Nothing waits, and nothing was given up. --all lists what was carried."
          : isUsual ? "None of these waits or was given up. --all lists what was carried." : "There is none.")
      return Status.done
    }
    try session.output.write(table.text(on: session.terminal.output))
    session.note(
      "\(counted(count, "delivery", "deliveries"))\(count == mostShown ? ", the latest (--limit shows more)" : ""), times in \(LocalTime.zone)"
    )
    return Status.done
  }

  private static let mostShown = 1_000

  private static func state(_ delivery: StoredDelivery, _ now: Timestamp) -> String {
    guard delivery.state == .waiting, delivery.next > now else {
      return delivery.state == .dead ? "given up" : delivery.state.rawValue
    }
    return "in \(spanText(delivery.next.seconds(since: now).rounded(.up)))"
  }

  private static let show = Command(
    "show", "Say all about a delivery, with what a program has printed or a server answered.",
    examples: [.init("fenceline deliveries show 12", "Why it does not arrive.")], positionals: [number],
    run: Session.running { session in
      let journal = try session.journal(.read)
      var filter = DeliveryFilter()
      filter.numbers = [Int64(session.arguments[number])]
      var found: StoredDelivery?
      try journal.deliveries(filter) { found = $0.first }
      guard let delivery = found else {
        throw Failure(
          Status.usage,
          "There is no delivery \(session.arguments[number]). 'fenceline deliveries --all' lists them.")
      }
      if session.isJSON {
        try session.output.writeLine(json(delivery).line)
        return Status.done
      }
      let now = LocalTime.now
      var rows = [
        ("Channel", delivery.channel), ("Event", delivery.event), ("Device", delivery.device),
        ("Recorded", LocalTime.text(delivery.created)), ("State", state(delivery, now)),
        ("Tries", String(delivery.attempts)),
      ]
      if let ended = delivery.ended { rows.append(("Ended", LocalTime.text(ended))) }
      if let detail = delivery.detail { rows.append(("Why", detail)) }
      if delivery.isEscalation { rows.append(("When", "where nobody has answered elsewhere")) }
      for (name, value) in rows where !value.isEmpty {
        let gap = String(repeating: " ", count: 10 - name.count)
        try session.output.writeLine("\(name)\(gap)\(printable(value))")
      }
      if let output = delivery.output, !output.isEmpty {
        try session.output.writeLine("\n" + output.shown)
      }
      return Status.done
    })

  private static let retry = Command(
    "retry", "Try deliveries again at once, those too that were given up or dropped.",
    discussion: """
      Name numbers, or say with options which. --all means every delivery of every channel that waits or was given up; --channel, --state \
      and --since narrow that. What was dropped is tried again by its number or with --state dropped only; what waits for the case that \
      nobody answers elsewhere by its number only; what was carried never.
      """,
    examples: [
      .init("fenceline deliveries retry 12 13", "Try two again."),
      .init("fenceline deliveries retry --all", "Try all again that wait or were given up."),
    ],
    positionals: [numbers],
    run: Session.running { session in
      try change(session, "to be tried again", [.waiting, .dead]) { journal, filter in
        try journal.retryDeliveries(filter, at: LocalTime.now)
      }
    })
  private static let drop = Command(
    "drop", "Do not carry what waits or was given up.",
    discussion: """
      Name numbers, or say with options which. --all means every delivery of every channel that waits or was given up; --channel, --state \
      and --since narrow that. What was carried stays as it is. 'fenceline deliveries retry' takes it back.
      """,
    examples: [
      .init("fenceline deliveries drop --channel hub --state dead", "Forget what a channel has given up.")
    ],
    positionals: [numbers],
    run: Session.running { session in
      try change(session, "dropped", [.waiting, .dead]) { journal, filter in
        try journal.dropDeliveries(filter, at: LocalTime.now)
      }
    })

  private static func change(
    _ session: Session, _ words: String, _ usual: [StoredDelivery.State],
    _ change: (Journal, DeliveryFilter) throws -> Int
  ) throws -> Int32 {
    let journal = try session.journal(.write)
    var filter = try filter(session, journal)
    guard filter.limit == nil else {
      throw UsageError("'--limit' is for lists. Name numbers, or say which otherwise.")
    }
    let given = session.arguments[all: numbers].map(Int64.init)
    let isNarrow =
      filter.channel != nil || !filter.states.isEmpty || filter.since != nil || session.arguments[all]
    guard given.isEmpty == isNarrow else {
      throw UsageError(
        given.isEmpty
          ? "Give numbers of deliveries, or say --channel, --state, --since or --all."
          : "Give numbers of deliveries, or say which with options, not both.")
    }
    if given.isEmpty, filter.states.isEmpty { filter.states = usual }
    if !given.isEmpty { filter.numbers = given }
    let count = try change(journal, filter)
    session.note("\(counted(count, "delivery", "deliveries")) \(words)")
    guard count < given.count else { return Status.done }
    session.complain(
      "\(counted(given.count - count, "delivery", "deliveries")) of these \(given.count - count == 1 ? "is" : "are") not there, or carried already: 'fenceline deliveries --all' lists them."
    )
    return count > 0 ? Status.partial : Status.usage
  }

  private static func json(_ delivery: StoredDelivery) -> JSONValue {
    func text(_ value: String?) -> JSONValue { value.map(JSONValue.text) ?? .null }
    func integer(_ value: Int64?) -> JSONValue { value.map { .integer(Int($0)) } ?? .null }
    return [
      "delivery": .integer(Int(delivery.number)), "channel": .text(delivery.channel),
      "state": .text(delivery.state.rawValue), "device": .text(delivery.device),
      "region": text(delivery.region),
      "run": integer(delivery.run), "sequence": integer(delivery.sequence), "kind": text(delivery.kind),
      "notification": integer(delivery.notification), "app": text(delivery.app),
      "request": text(delivery.request),
      "escalation": .boolean(delivery.isEscalation), "created": .text(delivery.created.description),
      "attempts": .integer(delivery.attempts),
      "next": delivery.state == .waiting ? .text(delivery.next.description) : .null,
      "ended": delivery.ended.map { .text($0.description) } ?? .null, "detail": text(delivery.detail),
      "output": text(delivery.output),
    ]
  }
}

extension StoredDelivery {
  /// What is carried, in a few words: `entry office`, `bins-mon`.
  fileprivate var event: String {
    if let kind { return "\(kind) \(region ?? "")" }
    return request ?? notification.map { "notification \($0)" } ?? "crossing \(sequence ?? 0)"
  }
}
