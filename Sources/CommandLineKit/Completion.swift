/// Something that could stand at the cursor.
package struct Candidate: Hashable, Sendable {
  /// The word, or what of it is still to be typed behind the last comma or the `=`.
  package var text: String
  /// What it is, in a few words; may be empty.
  package var about: String

  /// A candidate.
  package init(_ text: String, _ about: String = "") {
    self.text = text
    self.about = about
  }
}

/// What a command line could go on with.
package enum Completion: Equatable, Sendable {
  /// One of these; each stands behind `prefix`, which has been typed already (`--kind=entry,`).
  case words(prefix: String, [Candidate])
  /// A file; shells know best.
  case files
  /// A folder.
  case directories

  static let nothing = words(prefix: "", [])
}

/// Asks the program for names that only it can list.
package struct ListRequest: Sendable {
  /// Which list: that of ``ValueHint/listed(_:)``.
  package var list: String
  /// What the names begin with.
  package var prefix: String
  let given: [String: [String]]

  /// The text that was given for an option; nil where it was not.
  package func text<Value>(of option: Option<Value>) -> String? { given[option.parameter.key]?.last }

  /// Whether a flag was given.
  package func has(_ flag: Flag) -> Bool { given[flag.parameter.key] != nil }
}

extension Program {
  /// What could stand at the cursor.
  ///
  /// - Parameters:
  ///   - words: The words behind the program's own name up to the cursor, without the shell's quotes; the last one is half typed,
  ///     or empty.
  ///   - listing: Gives the names of a list; those that do not begin rightly are left out.
  /// - Returns: Words of which each could stand in place of the last one, or what the shell is to find.
  package func completion(of words: [String], listing: (ListRequest) -> [Candidate]) -> Completion {
    var line = HalfLine(path: [root])
    for word in words.dropLast() { line.take(word) }
    return line.completion(of: words.last ?? "", listing)
  }
}

/// The words before the cursor, read as ``Parser`` would, but for mistakes: those are someone's to mend later.
private struct HalfLine {
  var path: [Command]
  /// What was given for each option and flag.
  private var given: [String: [String]] = [:]
  private var words: [String] = []
  private var isPlain = false
  /// The option whose value comes next.
  private var pending: Parameter?

  init(path: [Command]) {
    self.path = path
  }

  private var command: Command { path[path.count - 1] }

  mutating func take(_ word: String) {
    if let option = pending, isPlain || !isOption(word) {
      given[option.key, default: []].append(word)
      pending = nil
    } else if isPlain || !isOption(word) {
      takePlain(word)
    } else if word == "--" {
      isPlain = true
    } else {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      pending = nil
      guard let option = path.option(named: parts[0]) else { return }
      if option.kind == .option, parts.count == 1 {
        pending = option
      } else {
        given[option.key, default: []].append(parts.last ?? "")
      }
    }
  }

  private mutating func takePlain(_ word: String) {
    if let next = command.subcommand(named: word) {
      path.append(next)
    } else if command.takesWords || word != "help" {
      words.append(word)
    }
  }

  func completion(of word: String, _ listing: (ListRequest) -> [Candidate]) -> Completion {
    if let option = pending { return values(of: option, word, prefix: "", given[option.key] ?? [], listing) }
    if !isPlain, word == "-" || isOption(word) {
      guard let equals = word.firstIndex(of: "=") else { return matching(options(short: true), word) }
      guard let option = path.option(named: String(word[..<equals])), option.kind == .option else {
        return .nothing
      }
      let rest = String(word[word.index(after: equals)...])
      return values(of: option, rest, prefix: word[...equals], given[option.key] ?? [], listing)
    }
    var found: [Candidate] = []
    if !isPlain, words.isEmpty {
      for inner in command.subcommands where !inner.isHidden {
        found.append(Candidate(inner.name, inner.summary))
      }
    }
    guard let (positional, before) = positional else {
      // Where nothing else can come, an option may.
      let isDone = found.isEmpty && !isPlain && command.takesWords
      return matching(isDone ? options(short: false) : found, word)
    }
    let values = values(of: positional, word, prefix: "", before, listing)
    guard !found.isEmpty, case .words(_, let more) = values else { return values }
    return matching(found + more, word)
  }

  /// The positional that the next word belongs to, and its words so far; nil where none is left.
  private var positional: (Parameter, [String])? {
    guard command.takesWords else { return nil }
    var left = words[...]
    for positional in command.positionals {
      let start = left.startIndex
      while !left.isEmpty {
        let count = max(1, positional.span(left))
        // Of a value of two words the first one is there.
        if count > left.count { return (positional, Array(left)) }
        left = left.dropFirst(count)
        if !positional.isRepeatable { break }
      }
      if left.isEmpty, positional.isRepeatable || start == left.startIndex {
        return (positional, Array(words[start...]))
      }
    }
    return nil
  }

  /// Those that may still be given.
  private func options(short: Bool) -> [Candidate] {
    var found: [Candidate] = []
    for option in path.options where !option.isHidden {
      // The version is a matter of the program.
      guard option.key != Parser.version.key || path.count == 1 else { continue }
      guard given[option.key] == nil || (option.kind == .option && option.isRepeatable) else { continue }
      let names = [option.key] + (option.inverse.map { [$0] } ?? []) + (short ? option.names.dropFirst() : [])
      found += names.map { Candidate($0, option.help) }
    }
    return found
  }

  private func values(
    of parameter: Parameter, _ word: String, prefix: Substring, _ before: [String],
    _ listing: (ListRequest) -> [Candidate]
  ) -> Completion {
    let comma = parameter.isList ? word.lastIndex(of: ",") : nil
    let head = comma.map { word[...$0] } ?? ""
    let rest = String(word[head.endIndex...])
    var used = head.split(separator: ",").map(String.init)
    if parameter.isRepeatable { used += before }
    let candidates: [Candidate]
    switch parameter.hint {
    case .file: return .files
    case .directory: return .directories
    case .choices(let words): candidates = words.map { Candidate($0) }
    case .listed(let list): candidates = listing(ListRequest(list: list, prefix: rest, given: given))
    case .command:
      used = []
      let parent = before.reduce(path.first) { $0?.subcommand(named: $1) }
      candidates = (parent?.subcommands ?? []).filter { !$0.isHidden }.map { Candidate($0.name, $0.summary) }
    case .time: candidates = ValueHint.times
    case .duration: candidates = ValueHint.durations(beginning: rest)
    case .length: candidates = ValueHint.lengths(beginning: rest)
    case .text, .number, .coordinate, .date: candidates = []
    }
    return matching(candidates.filter { !used.contains($0.text) }, rest, prefix: prefix + head)
  }

  private func matching(_ candidates: [Candidate], _ word: String, prefix: Substring = "") -> Completion {
    // By code units: `e` begins an `é` of two code points, which no shell keeps together either. What holds control characters
    // cannot be typed.
    let found = candidates.filter { candidate in
      candidate.text.utf8.starts(with: word.utf8) && printable(candidate.text) == candidate.text
    }
    return .words(prefix: String(prefix), found.map { Candidate($0.text, gist(of: $0.about)) })
  }

  /// The first sentence, cut to a line.
  private func gist(of text: String) -> String {
    let sentence = text.firstRange(of: ". ").map { text[..<$0.lowerBound] } ?? text[...]
    return truncated(printable(String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)), to: 72)
  }
}
