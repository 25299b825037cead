import FencelineCommandLineKit
import FencelineDelivery
import FencelineDiagnosis
import FencelineEventJournal
import FencelineNotifying
import FencelineService

/// `fenceline channel`: where events are carried to.
enum ChannelCommands {
  static let channel = Command(
    "channel", "List where events are carried to, or change it.",
    discussion: """
      A channel carries crossings, notifications or both to people or machines, at least once and in order for each device: what cannot be \
      carried is tried again for days, and 'fenceline deliveries' lists it. The service carries; one channel never waits for another. \
      Secrets stay in files or in the service's environment; only their places are kept.
      """,
    examples: [
      .init("fenceline channel add desktop screen", "Show notifications on the desktop."),
      .init(
        "fenceline channel add webhook hub https://hub.example --region 'harbour*'",
        "POST some crossings."),
      .init("fenceline channel test hub", "See whether it works."),
    ],
    subcommands: [
      add, edit, rename, ChannelListCommands.list, ChannelListCommands.show, ChannelTestCommand.test, enable,
      disable, remove,
    ], run: ChannelListCommands.list.run)

  static let name = Positional<String>(
    "NAME", value: .text(name: "NAME", hint: .listed("channels")), help: "The channel's name.")
  private static let newName = Positional<String>(
    "NAME", value: .text(name: "NAME", hint: .text), help: "What you call it.")

  /// Options of each kind, targets first.
  private static let parameters: [String: [ChannelParameter]] = Dictionary(
    uniqueKeysWithValues: ChannelKind.all.map { kind in
      let targets = kind.targets.map { ChannelParameter(target: $0) }
      return (kind.name, targets + kind.options.map { ChannelParameter($0, group: nil) })
    })

  private static let add = Command(
    "add", "Add a channel.",
    examples: ChannelKind.all.prefix(3).compactMap { kind in
      kind.examples.first.map { .init($0.line, $0.effect) }
    },
    subcommands: ChannelKind.all.map(add))

  private static func add(_ kind: ChannelKind) -> Command {
    let parameters = parameters[kind.name] ?? []
    let targets = parameters.prefix(kind.targets.count).map(\.declaration)
    let options = parameters.dropFirst(kind.targets.count).map(\.declaration)
    return Command(
      kind.name, kind.summary, examples: kind.examples.map { .init($0.line, $0.effect) },
      positionals: [newName] + targets, options: options + ChannelRuleOptions.all,
      run: Session.running { session in
        let name = session.arguments[newName]
        try check(name)
        var options: [String: [String]] = [:]
        for parameter in parameters {
          if let values = parameter.values(session.arguments), !values.isEmpty {
            options[parameter.option.name] = values
          }
        }
        var rules = ChannelRules(events: kind.usualEvents)
        ChannelRuleOptions.read(session.arguments, into: &rules)
        let journal = try session.journal(.write)
        try check(kind, name, options, rules, journal)
        guard try journal.addChannel(name, kind: kind.name, options: options, rules: rules) else {
          throw isTaken(name, "or change it with 'fenceline channel edit'")
        }
        try session.warnOfAbsences(kind, ChannelSetup(name: name, values: options), rules, journal)
        session.note(
          "channel '\(printable(name))' carries \(ChannelRuleOptions.words(rules)); see whether it works with 'fenceline channel test \(printable(name))'"
        )
        if options["receive"] != nil, try journal.settings()["sources"] == nil {
          session.note(
            "where positions come by it alone, without gpsd: 'fenceline settings set sources none'")
        }
        return Status.done
      })
  }

  private static func isTaken(_ name: String, _ advice: String) -> Failure {
    Failure(
      Status.cannotCreate,
      "There is a channel '\(printable(name))' already. Choose another name, \(advice).")
  }

  private static func check(_ name: String) throws {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.".unicodeScalars.contains($0)
    }
    guard isPlain, !name.isEmpty, !name.hasPrefix("-"), name.utf8.count <= 64 else {
      throw UsageError(
        "'\(name)' cannot be a channel's name: letters, digits, '-', '_' and '.' are allowed, up to 64 bytes. Choose another."
      )
    }
  }

  /// Sees that a channel can be set up so.
  private static func check(
    _ kind: ChannelKind, _ name: String, _ options: [String: [String]], _ rules: ChannelRules,
    _ journal: Journal
  ) throws {
    let setup = ChannelSetup(name: name, values: options)
    if let trouble = ChannelCheck.trouble(kind, setup, journal: journal.path) {
      throw Failure(Status.usage, trouble)
    }
    if let parallel = rules.parallel, parallel > kind.threads.most {
      throw UsageError(
        "A channel of the kind '\(kind.name)' carries \(kind.threads.most) at once at most. Give --parallel that, or less."
      )
    }
    if rules.events == .crossings, rules.level > .passive || !rules.apps.isEmpty {
      let word = rules.level > .passive ? "level" : "app"
      throw UsageError(
        "Crossings have no \(word): --\(word) is for notifications. Leave it out ('--unset \(word)' where it is set), or give --events notifications."
      )
    }
    guard let other = rules.escalation else { return }
    guard other != name, try journal.channel(named: other) != nil else {
      throw UsageError(
        other == name
          ? "A channel cannot hand over to itself. Name another one with --escalate-to."
          : "There is no channel '\(other)' to hand over to. Add it first, or name another one with --escalate-to."
      )
    }
  }

  // MARK: Changes

  /// What the kinds have, once each: first what one of them has, then what several have, each with its own words.
  private static let everyOption: [ChannelParameter] = {
    var names: [String] = []
    var owners: [String: [(kind: String, option: ChannelOption)]] = [:]
    for kind in ChannelKind.all {
      for option in kind.parameters {
        if owners[option.name] == nil { names.append(option.name) }
        owners[option.name, default: []].append((kind.name, option))
      }
    }
    let all = names.compactMap { owners[$0] }
    return all.filter { $0.count == 1 }.map { ChannelParameter($0[0].option, group: "Kind \($0[0].kind)") }
      + all.filter { $0.count > 1 }.map { ChannelParameter(shared: $0, group: "Several kinds") }
  }()
  private static let unset = Option<String>(
    "unset", value: .text(name: "OPTION", hint: .text), help: "The option is as if it had never been given.",
    repeatable: true)

  private static let program = Positional<String>(
    "PROGRAM", value: .text(name: "PROGRAM", hint: .file),
    help: "Another program, for a channel that runs one, with its arguments behind '--'.", required: false,
    repeatable: true)

  private static let edit = Command(
    "edit", "Change a channel; what is not named stays.",
    discussion: "'fenceline channel add KIND --help' says what the options of a kind do.",
    examples: [
      .init(
        "fenceline channel edit hub --url https://hub.example.org/new", "Send elsewhere, what waits too."),
      .init("fenceline channel edit hub --region '*' --unset proxy", "Carry all regions, without a proxy."),
      .init("fenceline channel edit gate -- /usr/local/bin/open-gate --slowly", "Run another program."),
    ],
    positionals: [name, program], options: everyOption.map(\.declaration) + ChannelRuleOptions.all + [unset],
    run: Session.running { session in
      let journal = try session.journal(.write)
      var channel = try find(session.arguments[name], in: journal)
      guard let kind = ChannelKind.named(channel.kind) else {
        throw Failure(
          Status.unavailable, "This program knows no channels of the kind '\(printable(channel.kind))'.")
      }
      for parameter in everyOption {
        guard let values = parameter.values(session.arguments) else { continue }
        try check(parameter.option.name, of: kind)
        channel.options[parameter.option.name] = values.isEmpty ? nil : values
      }
      let words = session.arguments[all: program]
      if !words.isEmpty {
        guard let option = kind.targets.first(where: \.isProgram) else {
          throw UsageError(
            "Unexpected argument '\(words[0])': a channel of the kind '\(kind.name)' runs no program. 'fenceline channel add \(kind.name) --help' lists its options."
          )
        }
        let isTwice = everyOption.contains {
          $0.option.name == option.name && $0.values(session.arguments) != nil
        }
        guard !isTwice else { throw UsageError("The program is given twice. Leave out --\(option.name).") }
        channel.options[option.name] = ChannelParameter.program(words)
      }
      for name in session.arguments[all: unset] {
        let name = name.hasPrefix("--") ? String(name.dropFirst(2)) : name
        if ChannelRuleOptions.reset(name, of: &channel.rules, kind) { continue }
        try check(name, of: kind)
        channel.options[name] = nil
      }
      ChannelRuleOptions.read(session.arguments, into: &channel.rules)
      try check(kind, channel.name, channel.options, channel.rules, journal)
      _ = try journal.changeChannel(channel.number, options: channel.options, rules: channel.rules)
      try session.warnOfAbsences(
        kind, ChannelSetup(name: channel.name, values: channel.options), channel.rules, journal)
      session.note("channel '\(printable(channel.name))' carries \(ChannelRuleOptions.words(channel.rules))")
      return Status.done
    })

  private static func check(_ option: String, of kind: ChannelKind) throws {
    guard !kind.parameters.contains(where: { $0.name == option }) else { return }
    let hint = nearest(to: option, in: kind.parameters.map(\.name)).map { " Did you mean '--\($0)'?" } ?? ""
    throw UsageError(
      "A channel of the kind '\(kind.name)' has no option '--\(option)'.\(hint) 'fenceline channel add \(kind.name) --help' lists them."
    )
  }

  private static let otherName = Positional<String>(
    "NEW", value: .text(name: "NEW", hint: .text), help: "What you call it from now on.")
  private static let rename = Command(
    "rename", "Give a channel another name; all else stays.",
    examples: [
      .init("fenceline channel rename hub office", "'office' carries what 'hub' has carried.")
    ],
    positionals: [name, otherName],
    run: Session.running { session in
      let new = session.arguments[otherName]
      try check(new)
      let journal = try session.journal(.write)
      let channel = try find(session.arguments[name], in: journal)
      switch try journal.renameChannel(channel.number, to: new) {
      case .done: break
      case .nameIsTaken: throw isTaken(new, "or rename that one first")
      case .noSuchChannel:
        throw Failure(
          Status.usage, "The channel '\(printable(channel.name))' was removed meanwhile. Nothing has changed."
        )
      }
      session.note("channel '\(printable(channel.name))' is called '\(printable(new))' now")
      return Status.done
    })

  private static let enable = switching("enable", true, "Switch a channel on.")
  private static let disable = switching(
    "disable", false, "Switch a channel off; what waits goes on waiting, and no more comes.")

  private static func switching(_ word: String, _ isEnabled: Bool, _ summary: String) -> Command {
    Command(
      word, summary,
      examples: [.init("fenceline channel \(word) hub", isEnabled ? "Switch it on." : "Switch it off.")],
      positionals: [name],
      run: Session.running { session in
        let journal = try session.journal(.write)
        let channel = try find(session.arguments[name], in: journal)
        _ = try journal.enableChannel(channel.number, isEnabled)
        session.note("channel '\(printable(channel.name))' \(isEnabled ? "enabled" : "disabled")")
        return Status.done
      })
  }

  private static let drop = Flag("drop", help: "What waits is lost.")
  private static let remove = Command(
    "remove", "Remove a channel and what is known of its deliveries.",
    examples: [.init("fenceline channel remove hub", "Remove it.")],
    positionals: [name], options: [drop],
    run: Session.running { session in
      let journal = try session.journal(.write)
      let channel = try find(session.arguments[name], in: journal)
      let others = try journal.channels(escalatingTo: channel.name)
      guard others.isEmpty else {
        throw Failure(
          Status.usage,
          "'\(printable(others[0]))' hands critical notifications over to '\(printable(channel.name))'. Name another channel with 'fenceline channel edit \(printable(others[0])) --escalate-to', or 'none'."
        )
      }
      let waiting = try journal.removeChannel(channel.number, drops: session.arguments[drop])
      guard waiting == 0 else {
        throw Failure(
          Status.usage,
          "\(counted(waiting, "delivery", "deliveries")) of the channel '\(printable(channel.name))' would be lost. Add --drop where that is as it should be."
        )
      }
      session.note("channel '\(printable(channel.name))' removed")
      return Status.done
    })

  /// The channel of a name.
  ///
  /// - Throws: ``Failure`` where there is none.
  static func find(_ name: String, in journal: Journal) throws -> StoredChannel {
    if let channel = try journal.channel(named: name) { return channel }
    let hint = nearest(to: name, in: try journal.channels().map(\.name)).map { "Did you mean '\($0)'?" }
    throw Failure(
      Status.usage, "There is no channel '\(printable(name))'. \(hint ?? "'fenceline channel' lists them.")")
  }
}
