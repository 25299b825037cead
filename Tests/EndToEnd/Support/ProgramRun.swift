import Foundation

/// What a program that has ended has left.
struct ProgramRun: Sendable {
  /// The exit status; 128 and the signal's number where a signal has ended it, as shells say it.
  var status: Int32
  /// What it wrote to its two streams.
  var output: String
  var error: String
  /// How long it ran, in seconds.
  var seconds: Double
  /// The most memory that it held at once, in bytes; nil where that was not measured.
  var peakMemory: Int?

  /// The lines on standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }
  /// The lines on standard error.
  var messages: [String] { error.split(separator: "\n").map(String.init) }
  /// The lines on standard error that tell of an error.
  var errors: [String] { messages.filter { $0.hasPrefix("error: ") } }
}

/// A program that has been started. Its streams go to files, so that it never waits for a reader.
final class RunningProgram {
  /// Why a program gives no result.
  struct Overdue: Error, CustomStringConvertible {
    var description: String
  }

  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)
  private let folder: URL
  private let began = Date()
  private let command: String

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The program's path and its arguments.
  ///   - environment: All of its variables.
  ///   - home: The folder in which it works.
  ///   - measures: Whether its memory is measured; a signal then reaches the one that measures.
  /// - Throws: What the system says where it cannot be started.
  init(_ words: [String], environment: [String: String], in home: URL, measures: Bool = false) throws {
    folder = try FileManager.default.makeTemporaryFolder("run")
    command = words.joined(separator: " ")
    let measuring = ["/usr/bin/time", "-q", "-f", "%M", "-o", folder.appending(path: "memory").path]
    // Whoever runs the tests may ignore or block signals, and programs would inherit that.
    let all = ["/usr/bin/env", "--default-signal"] + (measures ? measuring : []) + words
    process.executableURL = URL(filePath: all[0])
    process.arguments = Array(all.dropFirst())
    process.environment = environment
    process.currentDirectoryURL = home
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try stream("output")
    process.standardError = try stream("error")
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  deinit {
    if process.isRunning { signal(SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  private func stream(_ name: String) throws -> FileHandle {
    let file = folder.appending(path: name)
    try Data().write(to: file)
    return try FileHandle(forWritingTo: file)
  }

  /// What has been written so far to `output` or `error`.
  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }

  /// Sends a signal.
  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Waits until something has been written to one of its streams, for ten seconds at most.
  ///
  /// - Returns: Whether it has.
  func writes(_ wanted: String, to stream: String = "output") throws -> Bool {
    for _ in 0..<1000 {
      if try text(stream).contains(wanted) { return true }
      usleep(10_000)
    }
    return false
  }

  /// Waits for the end, but not longer than so many seconds.
  ///
  /// - Returns: Whether it has ended.
  func ends(within seconds: Double) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while true {
      if ended.wait(timeout: .now() + 0.01) == .success {
        ended.signal()
        return true
      }
      if endedUnnoticed() { return true }
      if Date() >= deadline { return false }
    }
  }

  /// The exit status where the program has ended and Foundation does not know it yet.
  private var unnoticedStatus: Int32?

  /// Asks the kernel. Foundation waits until nobody holds the program's end of a socket any more, and programs that were started
  /// at the same moment have inherited it.
  private func endedUnnoticed() -> Bool {
    var information = unsafe siginfo_t()
    guard
      unsafe waitid(P_PID, id_t(process.processIdentifier), &information, WEXITED | WNOHANG | WNOWAIT) == 0,
      unsafe information.si_signo == SIGCHLD
    else { return false }
    let status = unsafe information._sifields._sigchld.si_status
    unnoticedStatus = unsafe Int(information.si_code) == CLD_EXITED ? status : status + 128
    return true
  }

  /// Waits for the end; a program that takes longer than so many seconds is told to end, then killed.
  ///
  /// - Throws: ``Overdue``.
  func result(within limit: Double = 120) throws -> ProgramRun {
    guard ends(within: limit) else {
      signal(SIGTERM)
      if !ends(within: 5) { signal(SIGKILL) }
      throw Overdue(description: "still running after \(limit) s: \(command)\n\(try text("error"))")
    }
    let memory = try? text("memory").split(separator: "\n").last.flatMap { Int($0) }
    return ProgramRun(
      status: status, output: try text("output"),
      error: try text("error"), seconds: -began.timeIntervalSinceNow, peakMemory: memory.map { $0 * 1024 })
  }
}

extension RunningProgram {
  /// The exit status of a program that has ended.
  private var status: Int32 {
    // While Foundation takes it for running, its status may not be asked for.
    if let unnoticedStatus, process.isRunning { return unnoticedStatus }
    return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
  }
}

extension FileManager {
  /// Makes an empty folder that no one else has.
  func makeTemporaryFolder(_ name: String) throws -> URL {
    let folder = temporaryDirectory.appending(path: "fenceline-\(name)-\(UUID().uuidString)")
    try createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }
}
