/// The manual page of the command at the end of a path, in the macros of man(7).
package struct ManualPage {
  private let path: [Command]
  private let reference: CommandReference
  private let version: String
  private let date: String
  private var lines: [String] = []

  /// - Parameters:
  ///   - path: From the program down to the command; not empty.
  ///   - version: The program's.
  ///   - date: The day of that version: `2026-03-01`.
  package init(_ path: [Command], version: String, date: String) {
    self.path = path
    self.version = version
    self.date = date
    reference = CommandReference(path, inheritsTopics: true)
  }

  /// What man(1) finds it by: `fenceline-region-add`.
  package var name: String { Self.name(path) }

  private static func name(_ path: [Command]) -> String { path.map(\.name).joined(separator: "-") }

  /// The page, with a newline at its end.
  package var text: String {
    var page = self
    page.write()
    return page.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write() {
    let command = reference.command
    let program = path[0].name
    lines = [
      ".\\\" Made by '\(roff: program) man'.",
      ".TH \(roff: name.uppercased()) 1 \(date) \"\(roff: "\(program) \(version)")\" \"User Commands\"",
      ".nh", ".ad l", ".SH NAME", "\(roff: name) \\- \(roff: sentence(command.summary))",
      ".SH SYNOPSIS", "\\fB\(roff: reference.title)\\fR",
    ]
    lines += reference.synopsis.map(Self.roff)
    heading("Description")
    for (place, paragraph) in (command.discussion.isEmpty ? command.summary : command.discussion)
      .split(separator: "\n").enumerated()
    {
      if place > 0 { lines.append(".PP") }
      add(paragraph)
    }
    writeSections()
    if !command.examples.isEmpty { heading("Examples") }
    for example in command.examples { row("\\fB\(roff: example.line)\\fR", example.effect) }
    heading("See also")
    lines += related.enumerated().map { place, name in
      ".BR \(roff: name) (1)" + (place < related.count - 1 ? "," : "")
    }
  }

  private mutating func writeSections() {
    var part: CommandReference.Part?
    for section in reference.sections {
      // Groups of a part come under its own heading.
      let isGroup = section.title != Self.heading(of: section.part)
      if part != section.part || section.part == .topic {
        heading(Self.heading(of: section.part) ?? section.title)
        part = section.part
      }
      if isGroup, section.part != .topic { lines.append(".SS \(roff: section.title)") }
      for entry in section.rows { row(Self.roff(entry.term), entry.text) }
    }
  }

  private static func heading(of part: CommandReference.Part) -> String? {
    switch part {
    case .commands: "Commands"
    case .arguments: "Arguments"
    case .options: "Options"
    case .commonOptions: "Common options"
    case .topic: nil
    }
  }

  /// The pages of the commands above, beside and below.
  private var related: [String] {
    var found = path.indices.dropLast().map { Self.name(Array(path[...$0])) }
    if path.count > 1 {
      let parent = Array(path.dropLast())
      found += parent[parent.count - 1].subcommands.filter { !$0.isHidden }.map { Self.name(parent + [$0]) }
    }
    found += reference.command.subcommands.filter { !$0.isHidden }.map { Self.name(path + [$0]) }
    return Set(found).subtracting([name]).sorted()
  }

  /// The summary as the second half of a line: no capital, no period.
  private func sentence(_ text: String) -> String {
    let second = text.dropFirst().first
    let start = second?.isUppercase == true ? String(text.prefix(1)) : text.prefix(1).lowercased()
    return start + text.dropFirst().dropLast(text.hasSuffix(".") ? 1 : 0)
  }

  // MARK: Lines

  private mutating func heading(_ title: String) {
    lines.append(".SH \(roff: title.uppercased())")
  }

  private mutating func row(_ term: String, _ text: String) {
    lines += [".TP", term]
    add(text[...])
  }

  private mutating func add(_ paragraph: Substring) {
    lines += wrap(String(paragraph), to: 72).map { "\(roff: $0)" }
  }

  private static func roff(_ pieces: [CommandReference.Piece]) -> String {
    pieces.map { piece in
      switch piece {
      case .literal(let text): "\\fB\(roff: text)\\fR"
      case .value(let text): "\\fI\(roff: text)\\fR"
      case .plain(let text): "\(roff: text)"
      }
    }.joined()
  }
}

extension Program {
  /// The manual pages of a command and of all below it that help shows.
  ///
  /// - Parameters:
  ///   - path: From the program down to the command; not empty.
  ///   - date: The day of the version: `2026-03-01`.
  /// - Returns: That of the command first.
  package func manualPages(under path: [Command], date: String) -> [ManualPage] {
    let page = ManualPage(path, version: version, date: date)
    let inner = path[path.count - 1].subcommands.filter { !$0.isHidden }
    return [page] + inner.flatMap { manualPages(under: path + [$0], date: date) }
  }
}

extension String.StringInterpolation {
  /// Text that roff prints as it is, and that can be copied from the page: no hyphen or quote of the typographer's.
  ///
  /// - Source: groff_char(7), man-pages(7).
  fileprivate mutating func appendInterpolation(roff text: String) {
    if text.hasPrefix(".") { appendLiteral("\\&") }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": appendLiteral("\\e")
      case "-": appendLiteral("\\-")
      case "'": appendLiteral("\\(aq")
      case "\"": appendLiteral("\\(dq")
      case "`": appendLiteral("\\(ga")
      case "^": appendLiteral("\\(ha")
      case "~": appendLiteral("\\(ti")
      case _ where scalar.isASCII: appendInterpolation(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        appendLiteral("\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]")
      }
    }
  }
}
