/// One argument that a command takes, as parsing, help, completions and manual pages see it.
package struct Parameter: Sendable {
  /// How it is given.
  package enum Kind: Sendable { case positional, option, flag }

  /// How it is given.
  package let kind: Kind
  /// As typed: `--radius`, then any short form `-r`; of a positional its name in help, `RADIUS`.
  package let names: [String]
  /// What stands for its value in help; empty for a flag.
  package let valueName: String
  /// A sentence or two.
  package let help: String
  /// What holds where it is not given, in words.
  package let defaultText: String?
  /// What completes its value.
  package let hint: ValueHint
  /// Whether it may be given more than once.
  package var isRepeatable = false
  /// Whether its value is several between commas.
  package var isList = false
  /// Whether the command needs it.
  package var isRequired = false
  /// Whether help and suggestions leave it out.
  package var isHidden = false
  /// Whether `--no-NAME` says the contrary; for flags.
  package var isInvertible = false
  /// The heading in help; nil is `Options`.
  package var group: String?
  var span: @Sendable (ArraySlice<String>) -> Int = { _ in 1 }
  let read: @Sendable (String) throws(ValueError) -> any Sendable

  var key: String { names[0] }
  /// `--no-NAME`, where it is declared.
  package var inverse: String? { isInvertible ? "--no-" + key.dropFirst(2) : nil }
}

/// A typed name for a ``Parameter``: commands list it, and ``Arguments`` gives its value.
package protocol Declaration: Sendable {
  /// What it is, whatever the type of its value.
  var parameter: Parameter { get }
}

/// `--name VALUE` or `--name=VALUE`; its name is written without the dashes.
package struct Option<Value: Sendable>: Declaration {
  /// What it is, whatever the type of its value.
  package let parameter: Parameter

  /// A declaration; keep it in a constant, to list it in a command and to read its value.
  package init(
    _ name: String, short: Character? = nil, value: ValueType<Value>, valueName: String? = nil, help: String,
    defaultText: String? = nil, repeatable: Bool = false, required: Bool = false, hidden: Bool = false,
    group: String? = nil
  ) {
    parameter = Parameter(
      kind: .option, names: ["--" + name] + (short.map { ["-\($0)"] } ?? []),
      valueName: valueName ?? value.name,
      help: help, defaultText: defaultText, hint: value.hint, isRepeatable: repeatable, isList: value.isList,
      isRequired: required, isHidden: hidden, group: group, read: value.parse)
  }
}

/// `--name`, and `--no-name` where it is invertible; the last one given counts. Its name is written without
/// the dashes.
package struct Flag: Declaration {
  /// What it is, whatever the type of its value.
  package let parameter: Parameter

  /// A declaration; keep it in a constant, to list it in a command and to read its value.
  package init(
    _ name: String, short: Character? = nil, help: String, invertible: Bool = false, hidden: Bool = false,
    group: String? = nil
  ) {
    parameter = Parameter(
      kind: .flag, names: ["--" + name] + (short.map { ["-\($0)"] } ?? []), valueName: "", help: help,
      defaultText: nil, hint: .text, isRepeatable: true, isHidden: hidden, isInvertible: invertible,
      group: group
    ) { text throws(ValueError) in text.isEmpty }
  }
}

/// An argument that is known by its place; its name is what help shows, `ID`.
///
/// Optional ones come after the required ones; a repeatable one takes all that follow, so only the last one
/// may be.
package struct Positional<Value: Sendable>: Declaration {
  /// What it is, whatever the type of its value.
  package let parameter: Parameter

  /// A declaration; keep it in a constant, to list it in a command and to read its value.
  package init(
    _ name: String, value: ValueType<Value>, help: String, defaultText: String? = nil, required: Bool = true,
    repeatable: Bool = false
  ) {
    parameter = Parameter(
      kind: .positional, names: [name], valueName: name, help: help, defaultText: defaultText,
      hint: value.hint,
      isRepeatable: repeatable, isList: value.isList, isRequired: required, span: value.span,
      read: value.parse)
  }
}
