/// What is to be said of a command, in order; help and manual pages only print it.
struct CommandReference {
  /// A part of a term or of the synopsis.
  enum Piece {
    /// To be typed as it stands.
    case literal(String)
    /// What stands for a value: `FILE`.
    case value(String)
    /// Commas and brackets.
    case plain(String)

    var text: String {
      switch self {
      case .literal(let text), .value(let text), .plain(let text): text
      }
    }
  }

  /// What a section is about.
  enum Part { case commands, arguments, options, commonOptions, topic }

  /// A term and what it means.
  struct Row {
    var term: [Piece]
    var text: String
  }

  /// Rows under a heading; those of one part stand together.
  struct Section {
    var part: Part
    var title: String
    var rows: [Row]
  }

  /// The command at the end of the path.
  let command: Command
  /// As typed: `fenceline region add`.
  let title: String
  /// What follows the title, word by word.
  private(set) var synopsis: [[Piece]] = [[.plain("["), .value("options"), .plain("]")]]
  private(set) var sections: [Section] = []

  /// - Parameters:
  ///   - path: From the program down to the command; not empty.
  ///   - inheritsTopics: Whether what holds for the commands above is said too.
  init(_ path: [Command], inheritsTopics: Bool = false) {
    command = path[path.count - 1]
    title = path.map(\.name).joined(separator: " ")
    for option in path.flatMap(\.options) where option.isRequired {
      synopsis.append([.literal(option.key), .plain(" "), .value(option.valueName)])
    }
    if !command.subcommands.isEmpty { synopsis.append(Self.word("COMMAND", isRequired: command.run == nil)) }
    for positional in command.positionals {
      let name = positional.key + (positional.isRepeatable ? "..." : "")
      synopsis.append(Self.word(name, isRequired: positional.isRequired))
    }
    for inner in command.subcommands where !inner.isHidden {
      add(.commands, inner.group ?? "Commands", Row(term: [.literal(inner.name)], text: inner.summary))
    }
    for positional in command.positionals {
      add(.arguments, "Arguments", Row(term: [.value(positional.key)], text: Self.note(positional)))
    }
    for option in command.options where !option.isHidden {
      add(.options, option.group ?? "Options", Self.row(option))
    }
    let common = path.dropLast().flatMap(\.options).filter { !$0.isHidden }
    let last: (Part, String) = common.isEmpty ? (.options, "Options") : (.commonOptions, "Common options")
    let version = path.count == 1 ? [Parser.version] : []
    for option in common + [Parser.help] + version { add(last.0, last.1, Self.row(option)) }
    for topic in inheritsTopics ? path.flatMap(\.topics) : command.topics {
      for row in topic.rows { add(.topic, topic.title, Row(term: [.literal(row.term)], text: row.text)) }
    }
  }

  private mutating func add(_ part: Part, _ title: String, _ row: Row) {
    if let place = sections.firstIndex(where: { $0.part == part && $0.title == title }) {
      sections[place].rows.append(row)
    } else {
      sections.append(Section(part: part, title: title, rows: [row]))
    }
  }

  private static func word(_ name: String, isRequired: Bool) -> [Piece] {
    isRequired ? [.value(name)] : [.plain("["), .value(name), .plain("]")]
  }

  /// `-o, --output FILE`, `--[no-]notify`.
  private static func row(_ option: Parameter) -> Row {
    let long = option.isInvertible ? "--[no-]" + option.key.dropFirst(2) : option.key
    var term: [Piece] = []
    for name in option.names.dropFirst() { term += [.literal(name), .plain(", ")] }
    term.append(.literal(long))
    if !option.valueName.isEmpty { term += [.plain(" "), .value(option.valueName)] }
    return Row(term: term, text: note(option))
  }

  private static func note(_ parameter: Parameter) -> String {
    var notes: [String] = []
    if case .choices(let words) = parameter.hint { notes.append(words.joined(separator: ", ")) }
    if let text = parameter.defaultText { notes.append("default: \(text)") }
    if parameter.kind == .option, parameter.isRepeatable { notes.append("repeatable") }
    return parameter.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }
}

extension [CommandReference.Piece] {
  var text: String { map(\.text).joined() }
}
