import FencelineCommandLineKit
import FencelineEventJournal
import FencelineRegionFiles
import FencelineTrackLogs

/// The command table and the exit statuses.
enum Fenceline {
  static let version = "0.1.0"

  static let root = Command(
    "fenceline", "Tells when a GPS receiver comes to a place and when it leaves.",
    discussion: """
      Regions are circles. A log of positions is evaluated against them with 'replay'; entries, exits and stays are decided with \
      hysteresis, recorded in a database, and listed with 'history' and 'visits'.
      """,
    examples: [
      .init("fenceline region add office 47.3769 8.5417 250m --dwell 10m", "Register a region."),
      .init("fenceline replay drive.nmea", "Evaluate a log and print the crossings."),
      .init("fenceline visits --run last", "List who was where for how long."),
    ],
    options: [Common.database, Common.json, Common.quiet],
    subcommands: [
      RegionCommands.region, FixesCommand.fixes, ReplayCommand.replay, RunsCommands.runs,
      HistoryCommands.history,
      HistoryCommands.visits, MapCommand.map,
    ])

  /// Parses the words, runs the command and says what went wrong.
  ///
  /// - Returns: The exit status.
  static func run(_ words: [String]) -> Int32 {
    let terminal = Terminal.current()
    let output = Output(to: terminal.output)
    do {
      let status = try Program(root, version: version).run(
        words, on: terminal, show: { try output.write($0) }, complain: writeError)
      try output.flush()
      return status
    } catch {
      let (status, message) = explain(error)
      if !message.isEmpty { writeError("\(terminal.error.style.red("error:")) \(printable(message))\n") }
      return status
    }
  }

  /// The exit status and the sentence for an error, by sysexits.h.
  private static func explain(_ error: any Error) -> (status: Int32, message: String) {
    switch error {
    case let error as Failure: (error.status, error.message)
    case let error as OutputError: (error.status, error.message)
    case let error as JournalError: (error.status, error.message)
    case let error as TrackLogError: (error.status, error.message)
    case let error as RegionFileError: (error.status, error.message)
    default: (Status.bug, "Something happened that should not: \(error). This is a bug in fenceline.")
    }
  }
}

/// Exit statuses.
enum Status {
  static let done: Int32 = 0
  /// Done, but some input was bad.
  static let partial: Int32 = 3
  static let usage: Int32 = 64
  static let unreadable: Int32 = 65
  static let bug: Int32 = 70
  static let cannotCreate: Int32 = 73
  static let inputOutput: Int32 = 74
  static let busy: Int32 = 75
  static let notPermitted: Int32 = 77
  static let settings: Int32 = 78
}

/// An error of a command: one sentence, and the status to end with.
struct Failure: Error {
  var status: Int32
  var message: String

  init(_ status: Int32, _ message: String) {
    self.status = status
    self.message = message
  }
}

extension JournalError {
  var status: Int32 {
    switch code {
    case .busy: Status.busy
    case .unreadable, .newer: Status.unreadable
    case .cannotCreate: Status.cannotCreate
    case .cannotWrite: Status.inputOutput
    case .notPermitted: Status.notPermitted
    case .fault: Status.bug
    }
  }
}

extension TrackLogError {
  var status: Int32 {
    switch code {
    case .cannotRead: Status.inputOutput
    case .notPermitted: Status.notPermitted
    default: Status.unreadable
    }
  }
}

extension RegionFileError {
  var status: Int32 {
    switch code {
    case .content: Status.unreadable
    case .cannotCreate: Status.cannotCreate
    case .cannotRead, .cannotWrite: Status.inputOutput
    case .notPermitted: Status.notPermitted
    }
  }
}
