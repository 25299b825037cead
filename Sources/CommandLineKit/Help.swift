/// The help and the usage line of the command at the end of a path.
package struct Help {
  private let reference: CommandReference
  /// Where lines end.
  private let width: Int
  private let style: Style

  /// - Parameters:
  ///   - path: From the program down to the command; not empty.
  ///   - width: Display columns; taken as 40 to 120.
  ///   - style: For the headings.
  package init(_ path: [Command], width: Int = 80, style: Style = Style(isOn: false)) {
    reference = CommandReference(path)
    self.width = min(max(width, 40), 120)
    self.style = style
  }

  /// The whole help, with a newline at its end.
  package var text: String {
    let command = reference.command
    var blocks = [wrapped(command.summary), usage]
    if !command.discussion.isEmpty { blocks.append(wrapped(command.discussion)) }
    let terms = reference.sections.flatMap(\.rows).map { displayWidth($0.term.text) }
    let longest = terms.filter { $0 <= 26 }.max() ?? 0
    for section in reference.sections {
      let lines = section.rows.map { row($0.term.text, $0.text, column: longest + 4) }
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
    let start = "usage: " + reference.title + " "
    let lines = wrap(reference.synopsis.map(\.text).joined(separator: " "), to: width - start.count)
    return start + lines.joined(separator: "\n" + String(repeating: " ", count: start.count))
  }

  /// The text beside its term; under it where the term is too long.
  private func row(_ name: String, _ meaning: String, column: Int) -> String {
    let term = "  " + name
    let text = wrapped(meaning, indent: column)
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
      if !line.isEmpty, displayWidth(line) + 1 + displayWidth(String(word)) > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
  }
  return lines
}
