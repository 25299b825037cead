/// The help and the usage line of the command at the end of a path.
package struct Help {
  private let path: [Command]
  private let command: Command
  /// Where lines end.
  private let width: Int
  private let style: Style

  /// - Parameters:
  ///   - path: From the program down to the command; not empty.
  ///   - width: Display columns; taken as 40 to 120.
  ///   - style: For the headings.
  package init(_ path: [Command], width: Int = 80, style: Style = Style(isOn: false)) {
    self.path = path
    command = path[path.count - 1]
    self.width = min(max(width, 40), 120)
    self.style = style
  }

  private typealias Row = (term: String, text: String)

  /// The whole help, with a newline at its end.
  package var text: String {
    var blocks = [wrapped(command.summary), usage]
    if !command.discussion.isEmpty { blocks.append(wrapped(command.discussion)) }
    let sections = sections
    let longest = sections.flatMap(\.rows).map { displayWidth($0.term) }.filter { $0 <= 26 }.max() ?? 0
    for section in sections {
      let lines = section.rows.map { row($0, column: longest + 4) }
      blocks.append(([style.bold(section.title + ":")] + lines).joined(separator: "\n"))
    }
    if !command.examples.isEmpty {
      let lines = command.examples.map { "  \($0.line)\n\(wrapped($0.effect, indent: 6))" }
      blocks.append(([style.bold("Examples:")] + lines).joined(separator: "\n"))
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// `usage: fenceline region add [options] ID LAT LON RADIUS`, wrapped under itself.
  package var usage: String {
    var words = path.map(\.name) + ["[options]"]
    let options = path.flatMap(\.options).filter(\.isRequired)
    words += options.map { "\($0.key) \($0.valueName)" }
    if !command.subcommands.isEmpty { words.append(command.run == nil ? "COMMAND" : "[COMMAND]") }
    for positional in command.positionals {
      let name = positional.key + (positional.isRepeatable ? "..." : "")
      words.append(positional.isRequired ? name : "[\(name)]")
    }
    let start = "usage: " + path.map(\.name).joined(separator: " ") + " "
    let lines = wrap(words.dropFirst(path.count).joined(separator: " "), to: width - start.count)
    return start + lines.joined(separator: "\n" + String(repeating: " ", count: start.count))
  }

  private var sections: [(title: String, rows: [Row])] {
    var found: [(title: String, rows: [Row])] = []
    func add(_ title: String, _ row: Row) {
      if let place = found.firstIndex(where: { $0.title == title }) {
        found[place].rows.append(row)
      } else {
        found.append((title, [row]))
      }
    }
    for inner in command.subcommands where !inner.isHidden {
      add(inner.group ?? "Commands", (inner.name, inner.summary))
    }
    for positional in command.positionals { add("Arguments", (positional.key, note(positional))) }
    let own = command.options.filter { !$0.isHidden }
    for option in own { add(option.group ?? "Options", (term(option), note(option))) }
    let common = path.dropLast().flatMap(\.options).filter { !$0.isHidden }
    let last = common.isEmpty ? "Options" : "Common options"
    let version = path.count == 1 ? [Parser.version] : []
    for option in common + [Parser.help] + version { add(last, (term(option), note(option))) }
    return found
  }

  /// `-o, --output FILE`, `--[no-]notify`.
  private func term(_ option: Parameter) -> String {
    let long = option.isInvertible ? "--[no-]" + option.key.dropFirst(2) : option.key
    let names = option.names.dropFirst() + [long]
    return names.joined(separator: ", ") + (option.valueName.isEmpty ? "" : " " + option.valueName)
  }

  private func note(_ parameter: Parameter) -> String {
    var notes: [String] = []
    if case .choices(let words) = parameter.hint { notes.append(words.joined(separator: ", ")) }
    if let text = parameter.defaultText { notes.append("default: \(text)") }
    if parameter.kind == .option, parameter.isRepeatable { notes.append("repeatable") }
    return parameter.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  /// The text beside its term; under it where the term is too long.
  private func row(_ row: Row, column: Int) -> String {
    let term = "  " + row.term
    let text = wrapped(row.text, indent: column)
    guard displayWidth(term) + 2 <= column else { return term + "\n" + text }
    return term + text.dropFirst(displayWidth(term))
  }

  private func wrapped(_ text: String, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    return wrap(text, to: width - indent).map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
  }
}

/// Lines of at most `width` columns, broken at spaces only; a longer word stands alone, a line break stays.
func wrap(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, displayWidth(line) + 1 + displayWidth(word) > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
  }
  return lines
}
