import Foundation
import Testing

/// A temporary folder with a database of its own, in which the program runs; it goes with the test.
final class Scratch {
  let folder: URL

  /// An empty folder.
  init() throws {
    folder = try FileManager.default.makeTemporaryFolder("test")
  }

  /// A folder and a database that holds the regions of `Data/regions.geojson`.
  static func withRegions() throws -> Scratch {
    let scratch = try Scratch()
    let run = try scratch.fenceline("region", "import", "--quiet", Project.data("regions.geojson"))
    try #require(run.status == 0, "\(run.error)")
    return scratch
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The database that the program uses where a test names no other.
  var database: String { path("fenceline.db") }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  // MARK: Running

  /// The variables of every run: nothing of the user's own but where programs and libraries are.
  func environment(_ more: [String: String] = [:]) -> [String: String] {
    var variables = [
      "HOME": folder.path, "XDG_STATE_HOME": path("state"), "FENCELINE_DB": database, "TZ": "UTC",
      "TERM": "dumb", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh", "SWIFT_BACKTRACE": "enable=no",
      "FENCELINE": Project.program, "DATA": Project.folder.appending(path: "Data").path,
    ]
    for (name, value) in ProcessInfo.processInfo.environment
    where ["PATH", "LD_LIBRARY_PATH", "LLVM_PROFILE_FILE"].contains(name) {
      variables[name] = value
    }
    return variables.merging(more) { $1 }
  }

  /// Runs the program to its end.
  func fenceline(
    _ arguments: String..., with variables: [String: String] = [:], measures: Bool = false
  ) throws -> ProgramRun {
    try RunningProgram(
      [Project.program] + arguments, environment: environment(variables), in: folder, measures: measures
    ).result()
  }

  /// Starts the program.
  func start(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram([Project.program] + arguments, environment: environment(), in: folder)
  }

  /// Runs a script of the shell, in which `$FENCELINE` is the program, `$DATA` the sample logs and `$1`… the arguments.
  func shell(_ script: String, _ arguments: String..., with variables: [String: String] = [:]) throws
    -> ProgramRun
  {
    try RunningProgram(
      ["/bin/sh", "-c", script, "sh"] + arguments, environment: environment(variables), in: folder
    ).result()
  }

  // MARK: Files

  /// Writes a file.
  ///
  /// - Returns: Its path.
  @discardableResult
  func write(_ name: String, _ content: String) throws -> String {
    try write(name, Data(content.utf8))
  }

  /// Writes a file.
  ///
  /// - Returns: Its path.
  @discardableResult
  func write(_ name: String, _ content: Data) throws -> String {
    try content.write(to: folder.appending(path: name))
    return path(name)
  }

  /// The content of a file.
  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }

  /// The names in the folder, in order.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  // MARK: The database

  /// What the sqlite3 program says to some SQL, a line for each row.
  func sql(_ statements: String, in database: String? = nil) throws -> [String] {
    let run = try RunningProgram(
      ["/usr/bin/env", "sqlite3", database ?? self.database, statements], environment: environment(),
      in: folder
    ).result()
    try #require(run.status == 0, "\(run.error)")
    return run.lines
  }

  /// Everything that can be seen of the database through the program: regions, runs, crossings and visits.
  func contents() throws -> String {
    var text = ""
    for words in [["region", "list"], ["runs"], ["history"], ["visits"]] {
      let run = try RunningProgram(
        [Project.program] + words + ["--json"], environment: environment(), in: folder
      ).result()
      try #require(run.status == 0, "\(run.error)")
      text += run.output
    }
    return text
  }

  /// Checks that the database is sound and that nothing half-written lies about.
  func checkSoundness(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(try sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == ["ok"], sourceLocation: location)
    let debris = try names.filter { name in
      ["-wal", "-shm", "-journal", ".part"].contains { name.hasSuffix($0) }
    }
    #expect(debris == [], sourceLocation: location)
  }
}
