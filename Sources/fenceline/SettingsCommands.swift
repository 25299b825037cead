import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineService

/// `fenceline settings`: what the service is told.
enum SettingsCommands {
  private static let key = Positional<String>(
    "KEY", value: .text(name: "KEY", hint: .listed("settings")),
    help: "One of the keys that 'fenceline settings' lists.")
  private static let value = Positional<String>("VALUE", value: .text, help: "Its value.")

  static let settings = Command(
    "settings", "List what the live service is told, or change it.",
    discussion: """
      The values are in the database. A variable of the service's environment goes before them (FENCELINE_SILENCE for silence, and so \
      on), and an option of 'fenceline serve' before both. A service that runs takes up what is changed within a second.
      """,
    examples: [
      .init("fenceline settings", "List every key with its value."),
      .init("fenceline settings set track.retention 365d", "Keep positions for a year."),
      .init("fenceline settings set receiver.van '*u-blox*'", "Give a receiver a name."),
      .init("fenceline settings unset silence", "Return to the default."),
    ],
    topics: [.init("Keys", Configuration.keys.map { ($0.isOpen ? "\($0.name).NAME" : $0.name, about($0)) })],
    subcommands: [set, unset], run: Session.running(list))

  private static func about(_ key: Configuration.Key) -> String {
    key.help + (key.isOpen ? "" : " (default: \(key.defaultText))")
  }

  private static let set = Command(
    "set", "Set a key.",
    examples: [.init("fenceline settings set silence 20s", "Be patient with a receiver.")],
    positionals: [key, value],
    run: Session.running { session in
      let (name, text) = (session.arguments[Self.key], session.arguments[value])
      let key = try known(name)
      var trial = Configuration()
      do throws(ConfigurationError) { try key.read(name, text, &trial) } catch {
        throw UsageError(error.message)
      }
      let isNew = try session.journal(.write).set(name, to: text)
      session.note("\(printable(name)) is \(isNew ? "now" : "already") \(printable(text))")
      let variable = Configuration.variable(of: name)
      if let other = System.environment(variable) {
        session.warn("Here the variable \(variable) says '\(other)', which goes before it.")
      }
      return Status.done
    })

  private static let unset = Command(
    "unset", "Give a key its default again.",
    examples: [.init("fenceline settings unset silence", "Return to the default.")],
    positionals: [key],
    run: Session.running { session in
      let name = session.arguments[key]
      let journal = try session.journal(.write)
      // What an earlier or later version has stored must go too.
      if try journal.settings()[name] == nil { _ = try known(name) }
      let wasSet = try journal.set(name, to: nil)
      session.note("\(printable(name)) \(wasSet ? "has its default again" : "had its default already")")
      return Status.done
    })

  /// The key of a name.
  private static func known(_ name: String) throws -> Configuration.Key {
    if let key = Configuration.key(of: name) { return key }
    let names = Configuration.keys.map { $0.isOpen ? "\($0.name).NAME" : $0.name }
    let suggestion = nearest(to: name, in: names).map { " Did you mean '\($0)'?" } ?? ""
    throw UsageError("There is no setting '\(name)'.\(suggestion) 'fenceline settings' lists all.")
  }

  private static func list(_ session: Session) throws -> Int32 {
    let stored = try session.journal(.read).settings()
    let (_, entries) = Configuration.resolve(stored: stored, environment: System.environment)
    if session.isJSON {
      for entry in entries { try session.output.writeLine(json(entry).line) }
    } else {
      var table = Table([
        .init("Key"), .init("Value", shrinksTo: 12), .init("Default", priority: 1, shrinksTo: 12),
        .init("From", priority: 2),
      ])
      for entry in entries {
        table.append([
          entry.name, entry.value, Configuration.key(of: entry.name)?.defaultText ?? "",
          entry.origin.rawValue,
        ])
      }
      try session.output.write(table.text(on: session.terminal.output))
    }
    for entry in entries {
      if let fault = entry.fault { session.warn("\(fault) The default holds.") }
    }
    for name in stored.keys.sorted() where Configuration.key(of: name) == nil {
      session.warn(
        "The database sets '\(name)', which this program does not know: 'fenceline settings unset' removes it."
      )
    }
    return Status.done
  }

  private static func json(_ entry: Configuration.Entry) -> JSONValue {
    let key = Configuration.key(of: entry.name)
    return [
      "key": .text(entry.name), "value": .text(entry.value),
      "default": key.flatMap { $0.isOpen ? nil : .text($0.defaultText) } ?? .null,
      "origin": .text(entry.origin.rawValue), "valid": .boolean(entry.fault == nil),
      "help": key.map { .text($0.help) } ?? .null,
    ]
  }

  /// Names for whoever completes a key: receivers have names of the user's.
  static let candidates = Configuration.keys.map { Candidate($0.isOpen ? $0.name + "." : $0.name, $0.help) }
}
