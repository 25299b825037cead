import FencelineCivilTime
import FencelineCommandLineKit
import FencelineDelivery
import FencelineDiagnosis
import FencelineEventJournal
import FencelineJSONText
import FencelineService

/// `fenceline channel list` and `show`.
enum ChannelListCommands {
  static let list = Command(
    "list", "List the channels, and how their deliveries stand.",
    examples: [.init("fenceline channel list", "List them.")],
    run: Session.running { session in
      let journal = try session.journal(.read)
      let channels = try journal.channels()
      let counts = try journal.deliveryCounts()
      if session.isJSON {
        for channel in channels {
          try session.output.writeLine(json(channel, counts[channel.number] ?? .init(), journal).line)
        }
        return Status.done
      }
      guard !channels.isEmpty else {
        session.note(
          "There is no channel: events go nowhere. 'fenceline channel add --help' lists the kinds.")
        return Status.done
      }
      var table = Table([
        .init("Name", shrinksTo: 8), .init("Kind", priority: 3), .init("State", priority: 1),
        .init("Waiting", alignment: .right, priority: 1),
        .init("Given up", alignment: .right, priority: 1, hidesEmpty: true),
        .init("Last", priority: 5, hidesEmpty: true), .init("Carries", priority: 4, shrinksTo: 10),
        .init("Why", priority: 2, shrinksTo: 20, hidesEmpty: true, isSentence: true),
      ])
      for channel in channels {
        let count = counts[channel.number] ?? .init()
        let (state, reason) = state(channel, count, journal)
        table.append([
          channel.name, channel.kind, state, grouped(count.waiting),
          count.dead > 0 ? grouped(count.dead) : "", count.lastDone.map(LocalTime.text) ?? "",
          ChannelRuleOptions.words(channel.rules), reason ?? "",
        ])
      }
      try session.output.write(table.text(on: session.terminal.output))
      session.note("\(counted(channels.count, "channel")), times in \(LocalTime.zone)")
      return Status.done
    })

  static let show = Command(
    "show", "Say all about a channel.",
    examples: [.init("fenceline channel show hub", "How it is set up and how it does.")],
    positionals: [ChannelCommands.name],
    run: Session.running { session in
      let journal = try session.journal(.read)
      let channel = try ChannelCommands.find(session.arguments[ChannelCommands.name], in: journal)
      let count = try journal.deliveryCounts()[channel.number] ?? .init()
      if session.isJSON {
        try session.output.writeLine(json(channel, count, journal).line)
        return Status.done
      }
      let (state, reason) = state(channel, count, journal)
      var rows: [(String, String)] = [
        ("Kind", channel.kind), ("Carries", ChannelRuleOptions.words(channel.rules)),
        ("State", state + (reason.map { ": \($0)" } ?? "")),
      ]
      for (name, values) in channel.options.sorted(by: { $0.key < $1.key }) {
        rows.append(("--\(name)", values.joined(separator: " ")))
      }
      if let parallel = channel.rules.parallel { rows.append(("At once", String(parallel))) }
      rows.append(("Tried for", spanText(channel.rules.retryFor)))
      rows.append(("Waiting", grouped(count.waiting)))
      if count.dead > 0 { rows.append(("Given up", grouped(count.dead))) }
      if let last = count.lastDone { rows.append(("Last", LocalTime.text(last))) }
      let width = (rows.map(\.0.count).max() ?? 0) + 2
      for (name, value) in rows {
        let gap = String(repeating: " ", count: width - name.count)
        try session.output.writeLine("\(printable(name))\(gap)\(printable(value))")
      }
      return Status.done
    })

  /// A word, and why it is so.
  private static func state(
    _ channel: StoredChannel, _ count: DeliveryCounts, _ journal: Journal
  ) -> (String, reason: String?) {
    guard channel.isEnabled else { return ("off", channel.problem) }
    guard let kind = ChannelKind.named(channel.kind) else {
      return ("unusable", "This program has no such kind.")
    }
    let setup = ChannelSetup(name: channel.name, values: channel.options, seal: channel.seal)
    if let trouble = ChannelCheck.trouble(kind, setup, journal: journal.path) { return ("unusable", trouble) }
    return count.failing > 0 ? ("failing", count.lastFailure) : ("on", nil)
  }

  private static func json(
    _ channel: StoredChannel, _ count: DeliveryCounts, _ journal: Journal
  ) -> JSONValue {
    let (state, reason) = state(channel, count, journal)
    let options = channel.options.sorted { $0.key < $1.key }.map { option in
      JSONValue.Member(option.key, .array(option.value.map(JSONValue.text)))
    }
    return [
      "channel": .text(channel.name), "kind": .text(channel.kind), "enabled": .boolean(channel.isEnabled),
      "state": .text(state), "why": reason.map(JSONValue.text) ?? .null,
      "problem": channel.problem.map(JSONValue.text) ?? .null, "created": .text(channel.created.description),
      "rules": channel.rules.json, "options": .object(options), "waiting": .integer(count.waiting),
      "failing": .integer(count.failing), "dead": .integer(count.dead),
      "lastDone": count.lastDone.map { .text($0.description) } ?? .null,
      "lastFailure": count.lastFailure.map(JSONValue.text) ?? .null,
    ]
  }
}
