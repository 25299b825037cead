/// A program: the command at the root and its version.
package struct Program: Sendable {
  /// What a command line asks for.
  package enum Outcome: Sendable {
    case run(Arguments)
    /// Help or the version, for standard output.
    case answer(String)
    /// A usage error, or the help of a group without a subcommand, for standard error.
    case misuse(String)
  }

  /// `EX_USAGE` of sysexits.h.
  package static let misuseStatus: Int32 = 64

  /// The command that bears the program's name.
  package let root: Command
  /// What `--version` prints.
  package let version: String

  /// A program.
  package init(_ root: Command, version: String) {
    self.root = root
    self.version = version
  }

  /// What the words after the program's own name ask for.
  package func outcome(of words: [String], on terminal: Terminal = .plain) -> Outcome {
    var parser = Parser(root: root, words: words)
    do throws(UsageError) {
      let arguments = try parser.parse()
      if parser.wantsHelp { return .answer(help(parser.path, on: terminal.output)) }
      if parser.wantsVersion { return .answer("\(root.name) \(version)\n") }
      if arguments.path.last?.run == nil { return .misuse(help(parser.path, on: terminal.error)) }
      return .run(arguments)
    } catch {
      if parser.hasHelpOption { return .answer(help(parser.path, on: terminal.output)) }
      return .misuse(message(for: error, at: parser.path, on: terminal.error))
    }
  }

  /// Parses and runs.
  ///
  /// - Parameters:
  ///   - words: The command line without the program's own name.
  ///   - terminal: Where help and messages go, for their width and colour.
  ///   - show: Prints help and the version on standard output.
  ///   - complain: Prints misuse on standard error.
  /// - Returns: The exit status.
  /// - Throws: What the command throws, but `UsageError`.
  package func run(
    _ words: [String], on terminal: Terminal, show: (String) throws -> Void, complain: (String) -> Void
  ) throws -> Int32 {
    switch outcome(of: words, on: terminal) {
    case .answer(let text):
      try show(text)
      return 0
    case .misuse(let text):
      complain(text)
      return Self.misuseStatus
    case .run(let arguments):
      do {
        return try arguments.path.last?.run?(arguments) ?? Self.misuseStatus
      } catch let error as UsageError {
        complain(message(for: error, at: arguments.path, on: terminal.error))
        return Self.misuseStatus
      }
    }
  }

  private func help(_ path: [Command], on stream: Terminal.Stream) -> String {
    Help(path, width: stream.width, style: stream.style).text
  }

  private func message(for error: UsageError, at path: [Command], on stream: Terminal.Stream) -> String {
    let title = path.map(\.name).joined(separator: " ")
    let usage = Help(path, width: stream.width).usage
    return "\(stream.style.red("error:")) \(legible(error.message))\n\(usage)\nSee '\(title) --help'.\n"
  }
}
