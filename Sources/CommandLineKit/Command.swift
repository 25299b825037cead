/// A command as a value: what it is called, what it takes, what it does.
///
/// Help, completions and manual pages are made from this description alone.
package struct Command: Sendable {
  /// A command line and what it does.
  package struct Example: Sendable {
    /// The command line, with the program's name.
    package let line: String
    /// What it does, in a sentence.
    package let effect: String

    /// An example.
    package init(_ line: String, _ effect: String) {
      self.line = line
      self.effect = effect
    }
  }

  /// Something that holds for a command and all below it: its exit statuses, the variables that it reads.
  package struct Topic: Sendable {
    /// The heading.
    package let title: String
    /// What is explained, and the explanation.
    package let rows: [(term: String, text: String)]

    /// A topic.
    package init(_ title: String, _ rows: [(term: String, text: String)]) {
      self.title = title
      self.rows = rows
    }
  }

  /// What is typed.
  package let name: String
  /// One line.
  package let summary: String
  /// Paragraphs, each on one line of the text.
  package let discussion: String
  /// Shown at the end of its help.
  package let examples: [Example]
  /// Help tells them at this command, manual pages at those below it too.
  package let topics: [Topic]
  /// In the order in which they are typed.
  package let positionals: [Parameter]
  /// Options and flags; those of a command hold for all its subcommands too.
  package let options: [Parameter]
  /// The commands below it, in the order of help.
  package let subcommands: [Command]
  /// Whether help and suggestions leave it out.
  package let isHidden: Bool
  /// Its heading in the help of the command above; nil is `Commands`.
  package let group: String?
  /// What it does, giving the exit status; nil for a mere group of subcommands.
  package let run: (@Sendable (Arguments) throws -> Int32)?

  /// A command; what is left out it does not have.
  package init(
    _ name: String, _ summary: String, discussion: String = "", examples: [Example] = [],
    topics: [Topic] = [],
    positionals: [any Declaration] = [], options: [any Declaration] = [], subcommands: [Command] = [],
    hidden: Bool = false, group: String? = nil, run: (@Sendable (Arguments) throws -> Int32)? = nil
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.topics = topics
    self.positionals = positionals.map(\.parameter)
    self.options = options.map(\.parameter)
    self.subcommands = subcommands
    self.isHidden = hidden
    self.group = group
    self.run = run
  }

  /// Whether words that are no subcommand can belong to it.
  var takesWords: Bool { subcommands.isEmpty || (!positionals.isEmpty && run != nil) }

  /// The command below it with a name.
  package func subcommand(named name: String) -> Command? { subcommands.first { $0.name == name } }

  /// What is wrong with the declarations, here and below; a test asks that it be empty.
  package func problems(above: [Parameter] = []) -> [String] {
    var found: [String] = []
    let known = above + options
    let names = known.flatMap { $0.names + ($0.inverse.map { [$0] } ?? []) } + subcommands.map(\.name)
    for (place, name) in names.enumerated() where names[..<place].contains(name) {
      found.append("\(self.name): '\(name)' is declared twice")
    }
    for parameter in options where !parameter.names.allSatisfy(isOption) || parameter.kind == .positional {
      found.append("\(name): '\(parameter.key)' can never be an option")
    }
    for (place, parameter) in positionals.enumerated() {
      let before = positionals[..<place]
      if parameter.kind != .positional { found.append("\(name): '\(parameter.key)' is no positional") }
      if before.contains(where: { $0.isRepeatable || (parameter.isRequired && !$0.isRequired) }) {
        found.append("\(name): '\(parameter.key)' can never be reached")
      }
    }
    if run == nil, subcommands.isEmpty { found.append("\(name): does nothing") }
    return found + subcommands.flatMap { $0.problems(above: known) }
  }
}

extension [Command] {
  /// The options that a path's last command takes, its own first.
  var options: [Parameter] { reversed().flatMap(\.options) + [Parser.help, Parser.version] }

  /// The option or flag with a name, `--no-` names too.
  func option(named name: String) -> Parameter? {
    options.first { $0.names.contains(name) || $0.inverse == name }
  }
}
