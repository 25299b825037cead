import FencelineCommandLineKit
import FencelineEventJournal

/// The options that every command takes.
enum Common {
  static let database = Option<String>(
    "db", value: .file, help: "The database; FENCELINE_DB names another default.",
    defaultText: "$XDG_STATE_HOME/fenceline/fenceline.db, else ~/.local/state/fenceline/fenceline.db")
  static let system = Flag(
    "system", help: "Use the database of the system service, /var/lib/fenceline/fenceline.db.")
  static let json = Flag("json", help: "Print JSON Lines: one object a line, times in UTC.")
  static let quiet = Flag("quiet", short: "q", help: "Print results and errors only.")
}

/// One run of a command: where it prints and which database it uses.
struct Session {
  let arguments: Arguments
  let terminal = Terminal.current()
  let output: Output

  init(_ arguments: Arguments) {
    self.arguments = arguments
    output = Output(to: terminal.output)
  }

  /// What a command does, with a session made for it and its output written to the end.
  static func running(
    _ body: @escaping @Sendable (Session) throws -> Int32
  ) -> @Sendable (Arguments) throws -> Int32 {
    { arguments in
      let session = Session(arguments)
      do {
        let status = try body(session)
        try session.output.flush()
        return status
      } catch {
        // What was printed before the error is as good as it was.
        try? session.output.flush()
        throw error
      }
    }
  }

  var isJSON: Bool { arguments[Common.json] }

  /// Prints a line on standard error, unless only results are wanted.
  func note(_ line: String) {
    if !arguments[Common.quiet] { tell(line) }
  }

  /// Prints a line on standard error, behind all that was printed before it on standard output.
  private func tell(_ line: String) {
    // An error of standard output comes up again where it is written to next.
    try? output.flush()
    writeError(line + "\n")
  }

  /// Prints a warning on standard error; like an error it may quote names from anywhere.
  func warn(_ line: String) {
    note("\(terminal.error.style.yellow("warning:")) \(legible(line))")
  }

  /// Prints an error about a file on standard error, whole, and goes on.
  func complain(_ line: String) {
    tell("\(terminal.error.style.red("error:")) \(printable(line))")
  }

  func journal(_ access: Journal.Access) throws -> Journal {
    if arguments[Common.system] { return try SystemDatabase.journal(access, for: self) }
    let (path, isDefault) = try Session.databasePath(named: arguments[Common.database])
    let journal = try Journal(path: path, access, makesFolder: isDefault)
    if journal.isMissing, !isDefault { warn("There is no database '\(printable(path))' yet.") }
    if access == .read, isDefault, SystemDatabase.mayExist, try journal.isBlank() {
      note(
        "Your own database holds nothing. The system service keeps another in /var/lib/fenceline: add --system."
      )
    }
    return journal
  }

  /// The database that the service has, or would have.
  ///
  /// - Returns: Its path, and whether its folder may be made.
  /// - Throws: ``Failure`` where none can be named.
  func serviceDatabase() throws -> (path: String, makesFolder: Bool) {
    guard arguments[Common.system] else {
      let (path, isDefault) = try Session.databasePath(named: arguments[Common.database])
      return (path, isDefault)
    }
    try SystemDatabase.check(self)
    return (SystemDatabase.path, false)
  }

  /// The database to use.
  ///
  /// - Parameter named: What `--db` says.
  /// - Returns: Its path, and whether it is the one where nobody names another.
  /// - Throws: ``Failure`` where none can be named.
  static func databasePath(named: String?) throws -> (path: String, isDefault: Bool) {
    guard let path = named ?? System.environment("FENCELINE_DB") else { return (try defaultDatabase(), true) }
    guard !path.isEmpty, path != ":memory:" else {
      throw Failure(Status.usage, "The database '\(path)' is not a file. Name one with --db.")
    }
    return (path, false)
  }

  /// The database where nobody names one, by the XDG base directory specification.
  private static func defaultDatabase() throws -> String {
    if let state = System.environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      return state + "/fenceline/fenceline.db"
    }
    guard let home = System.environment("HOME"), home.hasPrefix("/") else {
      throw Failure(
        Status.settings, "There is no home folder for the database (HOME is not set). Name a file with --db.")
    }
    return home + "/.local/state/fenceline/fenceline.db"
  }
}
