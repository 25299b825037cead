import FencelineTestSupport
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

  private let process: ChildProcess
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
    process = try ChildProcess(
      (measures ? measuring : []) + words, environment: environment, in: home.path,
      output: folder.appending(path: "output").path, error: folder.appending(path: "error").path)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// What has been written so far to `output` or `error`.
  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }

  /// Sends a signal.
  func signal(_ number: Int32) { process.signal(number) }

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
  func ends(within seconds: Double) -> Bool { process.status(within: seconds) != nil }

  /// Waits for the end; a program that takes longer than so many seconds is told to end.
  ///
  /// - Throws: ``Overdue``.
  func result(within limit: Double = 120) throws -> ProgramRun {
    guard let status = process.status(within: limit) else {
      signal(SIGTERM)
      _ = ends(within: 5)
      throw Overdue(description: "still running after \(limit) s: \(command)\n\(try text("error"))")
    }
    let memory = try? text("memory").split(separator: "\n").last.flatMap { Int($0) }
    return ProgramRun(
      status: status, output: try text("output"),
      error: try text("error"), seconds: -began.timeIntervalSinceNow, peakMemory: memory.map { $0 * 1024 })
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
