/// A command line that makes no sense, in one sentence. A command throws it too, for what only it can see
/// (two options that exclude each other).
package struct UsageError: Error, Equatable {
  /// The sentence, with its period.
  package let message: String

  /// An error with its whole sentence.
  package init(_ message: String) {
    self.message = message
  }

  init(_ message: String, suggestion: String?) {
    self.message = message + (suggestion.map { " Did you mean '\($0)'?" } ?? "")
  }
}

/// Whether a word is an option: `-122.4`, `-.5`, `-33.8,151.2`, `-2h` and `-` are values.
func isOption(_ word: String) -> Bool {
  let rest = word.utf8.dropFirst()
  guard word.hasPrefix("-"), let first = rest.first else { return false }
  let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  if first == UInt8(ascii: "."), let second = rest.dropFirst().first { return !digits.contains(second) }
  return !digits.contains(first)
}

/// Reads the words of one command line from left to right.
struct Parser {
  static let help = Flag("help", short: "h", help: "Show this help.").parameter
  static let version = Flag("version", help: "Show the version.").parameter

  private(set) var path: [Command]
  private var rest: ArraySlice<String>
  private var values: [String: [any Sendable]] = [:]
  private var words: [String] = []

  /// Whether `--help` stands anywhere: whatever else is wrong, someone who asks for help gets it.
  let hasHelpOption: Bool
  private(set) var wantsHelp: Bool
  private(set) var wantsVersion = false

  init(root: Command, words: [String]) {
    path = [root]
    rest = words[...]
    hasHelpOption = words.prefix { $0 != "--" }.contains { Self.help.names.contains($0) }
    wantsHelp = hasHelpOption
  }

  private var command: Command { path[path.count - 1] }
  private var title: String { path.map(\.name).joined(separator: " ") }

  /// - Throws: `UsageError`, the first thing that is wrong; `path` then ends at the command that it is about.
  mutating func parse() throws(UsageError) -> Arguments {
    var isPlain = false
    while let word = rest.popFirst() {
      if isPlain || !isOption(word) {
        try take(word)
      } else if word == "--" {
        isPlain = true
      } else {
        try takeOption(word)
      }
    }
    wantsVersion = values[Self.version.key] != nil
    if wantsHelp || wantsVersion || command.run == nil { return Arguments(path: path, values: values) }
    for option in path.options where option.isRequired && values[option.key] == nil {
      throw UsageError("The option '\(option.key) \(option.valueName)' is missing.")
    }
    try placePositionals()
    return Arguments(path: path, values: values)
  }

  private mutating func take(_ word: String) throws(UsageError) {
    if let next = command.subcommand(named: word) {
      path.append(next)
    } else if command.takesWords {
      words.append(word)
    } else if word == "help" {
      wantsHelp = true
    } else {
      let names = command.subcommands.filter { !$0.isHidden }.map(\.name)
      throw UsageError(
        "Unknown command '\(word)' for '\(title)'.", suggestion: nearest(to: word, in: names))
    }
  }

  private mutating func takeOption(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    guard let option = path.option(named: name) else {
      throw UsageError("Unknown option '\(name)' for '\(title)'.", suggestion: similar(to: name))
    }
    if option.kind == .flag {
      guard parts.count == 1 else { throw UsageError("The option '\(name)' takes no value.") }
      // A flag reads the empty text as true, any other as false.
      return try store(name == option.inverse ? "no" : "", as: option, called: name)
    }
    guard option.isRepeatable || values[option.key] == nil else {
      throw UsageError("The option '\(option.key)' is given twice; it takes one value.")
    }
    if parts.count == 2 { return try store(parts[1], as: option, called: name) }
    guard let value = rest.first, !isOption(value) else {
      let next = rest.first.map {
        "; for the value '\($0)' write '\(option.key)=\($0)'"
      }
      throw UsageError("The option '\(name)' needs a value: \(name) \(option.valueName)\(next ?? "").")
    }
    rest.removeFirst()
    try store(value, as: option, called: name)
  }

  private mutating func placePositionals() throws(UsageError) {
    var left = words[...]
    for (place, positional) in command.positionals.enumerated() {
      if left.isEmpty, positional.isRequired {
        let missing = command.positionals[place...].filter(\.isRequired).map { "'\($0.key)'" }
        let isOne = missing.count == 1
        throw UsageError(
          "The argument\(isOne ? "" : "s") \(missing.listed(with: "and")) \(isOne ? "is" : "are") missing.")
      }
      while !left.isEmpty {
        let count = min(max(1, positional.span(left)), left.count)
        try store(left.prefix(count).joined(separator: " "), as: positional, called: positional.key)
        left = left.dropFirst(count)
        if !positional.isRepeatable { break }
      }
    }
    guard let surplus = left.first else { return }
    let takes = command.positionals.map(\.key).joined(separator: " ")
    throw UsageError(
      "Unexpected argument '\(surplus)': '\(title)' takes \(takes.isEmpty ? "none" : takes).")
  }

  private mutating func store(_ text: String, as option: Parameter, called name: String) throws(UsageError) {
    do throws(ValueError) {
      values[option.key, default: []].append(try option.read(text))
    } catch {
      throw UsageError(
        "Invalid value '\(text)' for '\(name)': \(error.reason).", suggestion: error.suggestion)
    }
  }

  /// The long option that was probably meant; none for a short one.
  private func similar(to name: String) -> String? {
    let names = path.options.filter { !$0.isHidden }.flatMap { [$0.key] + ($0.inverse.map { [$0] } ?? []) }
    guard name.hasPrefix("--") else { return name.count > 2 ? names.first { $0 == "-" + name } : nil }
    return nearest(to: String(name.dropFirst(2)), in: names.map { String($0.dropFirst(2)) }).map { "--" + $0 }
  }
}
