import FencelineCommandLineKit
import FencelineEventJournal
import FencelineNotifying
import FencelineRegionFiles
import FencelineTrackLogs

/// The command table and the exit statuses.
enum Fenceline {
  static let version = "0.1.0"
  /// The day of that version, for manual pages.
  static let date = "2026-11-30"

  static let program: Program = Program(root, version: version)

  static let root: Command = Command(
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
    topics: Topics.all, options: [Common.database, Common.system, Common.json, Common.quiet],
    subcommands: [
      ServeCommand.serve, StatusCommand.status, WatchCommand.watch, DoctorCommand.doctor,
      RegionCommands.region, HistoryCommand.history, VisitsCommand.visits, RunsCommands.runs,
      TrackCommands.track, MapCommand.map, ReplayCommand.replay, FixesCommand.fixes,
      NotifyCommands.notify, PendingCommands.pending, DeliveredCommands.delivered,
      RespondCommands.respond, RespondCommands.responses, CategoryCommands.category,
      PermissionCommands.permission, BadgeCommand.badge, FocusCommands.focus, ChannelCommands.channel,
      DeliveriesCommands.deliveries, SettingsCommands.settings,
      SimulateCommand.simulate,
      ShellCommands.completions, ShellCommands.man, ShellCommands.complete,
    ])

  /// Says that an argument is not UTF-8.
  ///
  /// - Returns: The exit status.
  static func refuse(_ argument: String) -> Int32 {
    let message =
      "The argument '\(argument)' is not UTF-8. Where it names a file, rename that, or give its content on standard input."
    writeError("\(Terminal.current().error.style.red("error:")) \(legible(message))\n")
    return Status.usage
  }

  /// Parses the words, runs the command and says what went wrong.
  ///
  /// - Returns: The exit status.
  static func run(_ words: [String]) -> Int32 {
    let terminal = Terminal.current()
    let output = Output(to: terminal.output)
    do {
      let status = try program.run(
        words, on: terminal, show: { try output.write($0) }, complain: writeError)
      try output.flush()
      return status
    } catch {
      let (status, message) = explain(error)
      if !message.isEmpty { writeError("\(terminal.error.style.red("error:")) \(message)\n") }
      return status
    }
  }

  /// The exit status and the sentence for an error, by sysexits.h.
  private static func explain(_ error: any Error) -> (status: Int32, message: String) {
    switch error {
    case let error as Failure: (error.status, legible(error.message))
    case let error as OutputError: (error.status, legible(error.message))
    case let error as NotificationError: (error.status, legible(error.description))
    case let error as JournalError: (error.status, legible(error.message))
    case let error as TrackLogError: (error.status, error.sentence)
    case let error as RegionFileError: (error.status, error.sentence)
    default:
      (Status.bug, legible("Something happened that should not: \(error). This is a bug in fenceline."))
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
  /// The service cannot be reached, or something that it needs is not right.
  static let unavailable: Int32 = 69
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
  /// The message as it is printed: whole where it may end in the command that converts the file.
  var sentence: String { code == .unrecognised ? printable(message) : legible(message) }

  var status: Int32 {
    switch code {
    case .cannotRead: Status.inputOutput
    case .notPermitted: Status.notPermitted
    default: Status.unreadable
    }
  }
}

extension RegionFileError {
  /// The message as it is printed: whole where it may end in the command that converts the file.
  var sentence: String { code == .content ? printable(message) : legible(message) }

  var status: Int32 {
    switch code {
    case .content: Status.unreadable
    case .cannotCreate: Status.cannotCreate
    case .cannotRead, .cannotWrite: Status.inputOutput
    case .notPermitted: Status.notPermitted
    }
  }
}
