import FencelineCommandLineKit
import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelinePositioning
import FencelineService
import FencelineTrackLogs

/// `fenceline replay`: evaluates logs.
enum ReplayCommand {
  private static let files = Positional<String>(
    "FILE", value: .file,
    help:
      "A log: NMEA 0183, GPX, gpsd JSON, OwnTracks, Google's location history or CSV, also in gzip; - is standard input.",
    repeatable: true)
  static let profile = Option<Profile>(
    "profile", value: .choice(name: "PROFILE"), help: "The profile of regions that name none.",
    defaultText: "balanced")
  static let maxSpeed = Option<Double>(
    "max-speed", value: .number(in: 0.1...100_000), valueName: "M/S",
    help:
      "The fastest that a device is believed to move; half again as fast as the fixes themselves say is believed too.",
    defaultText: "150")
  static let maxAccuracy = Option<Double>(
    "max-accuracy", value: .number(in: 1...1_000_000), valueName: "METRES",
    help: "The worst accuracy (68 % radius) of a fix that counts.", defaultText: "500")
  private static let speed = Option<Double?>(
    "speed", value: pace, help: "How much faster than it was recorded: 1 is as it was.", defaultText: "max")
  private static let notify = Flag(
    "notify", help: "Notify of what it brings about; else what would have been told is only recorded.")
  private static let dryRun = Flag("dry-run", help: "Print the crossings and record nothing.")

  private static let pace = ValueType<Double?>(name: "FACTOR", hint: .choices(["max", "1", "10"])) {
    text throws(ValueError) in
    if text == "max" { return nil }
    guard let factor = try? ValueType<Double>.number(in: 0.001...1_000_000).parse(text) else {
      throw ValueError("a speed is 'max' or a factor from 0.001 to 1000000, 1 being as it was recorded")
    }
    return factor
  }

  static let replay = Command(
    "replay", "Evaluate logs and print the crossings.",
    discussion: """
      Crossings are printed as they are confirmed and recorded as a run; replaying the same content with the same device and \
      settings replaces the earlier run. NMEA and gpsd logs are taken in their order, several files one after the other; GPX, \
      OwnTracks, Google's location history and CSV are put in time order first.
      With --json the crossings of files are printed at the end, in the order of their confirmation, unless --speed is given.
      """,
    examples: [
      .init("fenceline replay drive.nmea", "Evaluate a log."),
      .init("fenceline replay 2026-03-*.gpx --device bike", "Evaluate a month of tracks as one device's."),
      .init(
        "zcat drive.gz | fenceline replay - --dry-run --json", "Evaluate standard input and record nothing."),
    ],
    positionals: [files],
    options: [
      FixesCommand.device, profile, maxSpeed, maxAccuracy, FixesCommand.date, speed, notify, dryRun,
    ],
    run: Session.running { session in
      let arguments = session.arguments
      let paths = arguments[all: files]
      let pace = arguments[speed] ?? nil
      let request = Replay.Request(
        paths: paths, log: session.logOptions, profile: arguments[profile] ?? .balanced,
        filter: session.filterSettings,
        pace: pace,
        numbersSteps: session.isJSON && pace == nil && !paths.contains("-"), notifies: arguments[notify])
      guard !(arguments[notify] && arguments[dryRun]) else {
        throw UsageError("A dry run tells nobody anything. Leave '--notify' or '--dry-run' out.")
      }
      return try ReplayPrinter(session, request, isDry: arguments[dryRun]).replay()
    })
}

extension Session {
  /// What the user says about which fixes count.
  var filterSettings: FixFilter.Settings {
    var filter = FixFilter.Settings()
    if let speed = arguments[ReplayCommand.maxSpeed] { filter.maxSpeed = speed }
    if let accuracy = arguments[ReplayCommand.maxAccuracy] { filter.maxAccuracy = accuracy }
    return filter
  }

  /// Says on standard error which logs could not be read, or not to their end, and what is odd about others.
  func tellProblems(_ report: Replay.Report) {
    for error in report.unread + report.damaged { complain(error.sentence) }
    for warning in report.warnings { warn(warning) }
  }
}

/// Prints a replay as it goes.
private final class ReplayPrinter {
  private let session: Session
  private let request: Replay.Request
  private let isDry: Bool
  private let began = monotonicSeconds()
  private let progress: Progress
  private var titles: [String: String] = [:]
  private var line: EventLine
  private var run: Int64?
  /// Why standard output takes no more; the run goes on all the same, since it can be listed from the database.
  private var lost: OutputError?
  /// Crossings that wait for their place in the order.
  private var held: [(place: Int, crossing: Crossing, sequence: Int)] = []

  init(_ session: Session, _ request: Replay.Request, isDry: Bool) {
    self.session = session
    self.request = request
    self.isDry = isDry
    progress = Progress("fixes", session, from: began)
    line = EventLine(on: session.terminal.output)
  }

  func replay() throws -> Int32 {
    let journal = try session.journal(isDry ? .read : .write)
    let regions = try journal.regions(inOrder: false)
    var hasSome = false
    for region in regions where region.region.isEnabled {
      hasSome = true
      if let title = region.region.title { titles[region.region.id] = title }
      line.expect(region.region.id)
    }
    if !hasSome {
      session.warn(
        "There is no region to cross. Add one with 'fenceline region add', or some with 'fenceline region import'."
      )
    }
    let replay = try Replay(
      request, regions: regions, journal: isDry ? nil : journal,
      centre: try session.centreSettings(of: journal),
      progress: { self.progress.show($0, $1) }
    ) { step in
      try self.tell(step)
    }
    run = replay.run
    if !isDry { Interruption.announcesThatNothingWasRecorded(erasesLine: session.terminal.error.canRedraw) }
    defer { Interruption.isOver() }
    let report: Replay.Report
    do { report = try replay.evaluate() } catch {
      progress.clear()
      throw error
    }
    Interruption.isOver()
    progress.clear()
    held.sort { ($0.place, $0.crossing.at, $0.sequence) < ($1.place, $1.crossing.at, $1.sequence) }
    try keepingOn {
      for entry in held { try session.output.writeLine(json(entry.crossing, entry.sequence)) }
      try session.output.flush()
    }
    if let lost, lost.isBrokenPipe { throw lost }
    let status = summarise(report, journal)
    guard let lost else { return status }
    guard let run = report.run else { throw lost }
    throw Failure(
      lost.status,
      "\(lost.message) The run is recorded all the same: 'fenceline history --run \(run)' lists it.")
  }

  /// Prints what a step has brought about.
  private func tell(_ step: Replay.Step) throws {
    guard lost == nil else { return }
    try keepingOn { try print(step) }
  }

  /// Prints; that nobody can read it, for whatever reason, does not keep the run from being recorded.
  private func keepingOn(_ body: () throws -> Void) throws {
    do { try body() } catch let error as OutputError where !isDry { lost = error }
  }

  private func print(_ step: Replay.Step) throws {
    var sequence = step.sequence
    for case .crossing(let crossing) in step.outcomes {
      if !session.isJSON {
        progress.clear()
        try session.output.writeLine(line.text(crossing, title: titles[crossing.region]))
      } else if request.numbersSteps {
        held.append((step.place, crossing, sequence))
      } else {
        try session.output.writeLine(json(crossing, sequence))
      }
      sequence += 1
    }
    // Who pipes a receiver through wants to see it live.
    if request.pace != nil || request.paths.contains("-") { try session.output.flush() }
  }

  private func json(_ crossing: Crossing, _ sequence: Int) -> String {
    JSONValue.crossing(crossing, run: run, sequence: Int64(sequence)).line
  }

  private func summarise(_ report: Replay.Report, _ journal: Journal) -> Int32 {
    session.tellProblems(report)
    guard report.unread.count < request.paths.count else {
      return report.unread.first?.status ?? Status.unreadable
    }
    let summary = report.summary
    let rejected = Rejection.allCases.compactMap { reason in
      summary.rejected[reason].map { "\(grouped($0)) \(reason.rawValue)" }
    }
    session.note(
      "\(counted(summary.fixes, "fix", "fixes")) read, "
        + ([grouped(summary.accepted) + " accepted"] + rejected).joined(separator: ", "))
    session.tell(report.omissions.map { ($0.key.name, $0.value) })
    session.note(Crossing.Kind.summary(report.kinds))
    let elapsed = monotonicSeconds() - began
    let rate = elapsed > 0 ? ", \(grouped(Int(Double(summary.fixes) / elapsed))) fixes a second" : ""
    session.note("\(elapsed.fixed(2)) s\(rate); times in \(LocalTime.zone)")
    if summary.fixes == 0 {
      session.warn("There is no fix in it; nothing was recorded. 'fenceline fixes' says what was left out.")
    }
    if let run = report.run {
      let replaced = report.replaced.map { ", in place of run \($0)" } ?? ""
      session.note("recorded as run \(run)\(replaced) in \(printable(journal.path))")
    }
    if let advice = advice(summary) {
      session.note("\(session.terminal.error.style.yellow("advice:")) \(advice)")
    }
    return report.unread.isEmpty && report.damaged.isEmpty ? Status.done : Status.partial
  }

  /// What to try where most fixes were rejected for one reason.
  private func advice(_ summary: RunSummary) -> String? {
    guard summary.fixes > 0, let (reason, count) = summary.rejected.max(by: { $0.value < $1.value }),
      2 * count > summary.fixes
    else { return nil }
    let usual = FixFilter.Settings()
    return switch reason {
    case .jump:
      "most fixes are too far apart for \(request.filter.maxSpeed.trimmed(1)) m/s. "
        + (request.filter.maxSpeed == usual.maxSpeed
          ? "An aircraft? Try --max-speed 400." : "Try a higher --max-speed.")
    case .coarse:
      "most fixes are less accurate than \(request.filter.maxAccuracy.trimmed(0)) m. "
        + (request.filter.maxAccuracy == usual.maxAccuracy
          ? "Try --max-accuracy 5000." : "Try a higher --max-accuracy.")
    case .duplicate: "most fixes have the time of the one before. Does the log hold more than one receiver?"
    case .late: "most fixes are earlier than the one before. Are several logs mixed in one file?"
    case .future: "most fixes are ahead of the clock."
    case .invalid: "most fixes are at no place on Earth, or at latitude 0, longitude 0."
    }
  }
}

extension Crossing.Kind {
  var tint: Style.Tint {
    switch self {
    case .entry: .green
    case .exit: .yellow
    case .dwell: .cyan
    }
  }

  /// `13 crossings: 6 entries, 5 exits, 2 dwells`.
  static func summary(_ counts: [Crossing.Kind: Int]) -> String {
    let kinds = [Crossing.Kind.entry, .exit, .dwell].map { counted(counts[$0] ?? 0, $0.rawValue, $0.plural) }
    return "\(counted(counts.values.reduce(0, +), "crossing")): \(kinds.joined(separator: ", "))"
  }

  var plural: String {
    switch self {
    case .entry: "entries"
    case .exit: "exits"
    case .dwell: "dwells"
    }
  }
}

extension String {
  /// A device's name in listings: none for the one that has been given none.
  var shownName: String? { self == Fix.defaultDevice ? nil : self }
}
