internal import FencelineCivilTime
internal import FencelineDecisions
package import FencelineEventJournal
package import FencelineGeofencing
package import FencelinePositioning
package import FencelineTrackLogs
internal import Glibc

/// Evaluates logs against regions and records the result as a run.
///
/// Logs that are streams (NMEA, gpsd JSON) are evaluated as they are read, in the order of the files; logs that hold a whole
/// track (GPX, OwnTracks, Google's, CSV) are put in time order first, neighbouring ones together.
package struct Replay: ~Copyable {
  /// What to evaluate, and how.
  package struct Request: Sendable {
    /// The files, `-` for standard input.
    package var paths: [String]
    /// What the user says about the logs.
    package var log: LogOptions
    /// The profile of regions that name none.
    package var profile: Profile
    /// Which fixes count.
    package var filter: FixFilter.Settings
    /// How much faster than it was recorded; nil for as fast as possible.
    package var pace: Double?
    /// Whether each step says its place, for who lists crossings in their order afterwards; that takes memory.
    package var numbersSteps: Bool
    /// Whether people are told of what it brings about, as if it came live.
    package var notifies: Bool

    /// A replay of files.
    package init(
      paths: [String], log: LogOptions, profile: Profile, filter: FixFilter.Settings,
      pace: Double? = nil, numbersSteps: Bool = true, notifies: Bool = false
    ) {
      self.paths = paths
      self.log = log
      self.profile = profile
      self.filter = filter
      self.pace = pace
      self.numbersSteps = numbersSteps
      self.notifies = notifies
    }

    var settings: RunSettings {
      RunSettings(device: log.device, profile: profile.rawValue, filter: filter, startDate: log.startDate)
    }
  }

  /// What a fix has brought about.
  package struct Step {
    /// The outcomes, in order.
    package var outcomes: [Outcome]
    /// The sequence number of the first crossing among them.
    package var sequence: Int
    /// The number, from 0, of the first accepted fix of the device that had this one's time; 0 where steps are not numbered.
    package var place: Int
  }

  /// What a replay has come to.
  package struct Report: Sendable {
    /// What went in and what came out.
    package var summary = RunSummary()
    /// Crossings by kind.
    package var kinds: [Crossing.Kind: Int] = [:]
    /// What the logs left out, by reason.
    package var omissions: [LogOmission: Int] = [:]
    /// Sentences about logs as a whole, each with its file.
    package var warnings: [String] = []
    /// Logs that could not be read at all.
    package var unread: [TrackLogError] = []
    /// Logs that could not be read to their end.
    package var damaged: [TrackLogError] = []
    /// The files that could be read; standard input by this name.
    package var sources: [String] = []
    /// The formats that were found, in the order of the files.
    package var formats: [LogFormat] = []
    /// The run that was recorded, and the one whose place it took.
    package var run: Int64?
    package var replaced: Int64?
  }

  private let request: Request
  private let recorder: ReplayRecorder?
  private let step: (Step) throws -> Void
  private let progress: (Int, Double?) -> Void
  private let accepted: (Fix, TrackStart) -> Void
  private var pipeline: Pipeline
  private var report = Report()
  private var order = ReplayOrder()
  /// The digests of the files that were read.
  private var digests: [String] = []
  private var pacer: Pacer?
  /// Fixes of whole tracks that wait to be put in order with those of the next file.
  private var whole = WholeTracks()
  private var trackOffset: Int32 = 0
  /// Files that are evaluated, and those that are read and wait.
  private var doneFiles = 0
  private var waitingFiles = 0
  private var outcomes: [Outcome] = []

  /// Prepares a replay.
  ///
  /// - Parameters:
  ///   - request: What to evaluate.
  ///   - regions: What to evaluate it against; disabled ones do not count.
  ///   - journal: Where the run is recorded, open for writing; nil records nothing.
  ///   - centre: How the notification centre behaves.
  ///   - progress: Told now and then how many fixes were read and which fraction of the files.
  ///   - accepted: Gets each fix that counts, before its outcomes.
  ///   - step: Gets the outcomes of each fix that brings any about.
  /// - Throws: `JournalError`.
  package init(
    _ request: Request, regions: [StoredRegion], journal: Journal?, centre: CentreSettings = .init(),
    progress: @escaping (Int, Double?) -> Void,
    accepted: @escaping (Fix, TrackStart) -> Void = { _, _ in },
    step: @escaping (Step) throws -> Void
  ) throws(JournalError) {
    self.request = request
    self.progress = progress
    self.accepted = accepted
    self.step = step
    pacer = request.pace.map(Pacer.init)
    pipeline = Pipeline(
      regions: RegionSet(regions.lazy.map(\.region), defaultProfile: request.profile), filter: request.filter)
    recorder = try journal.map { journal throws(JournalError) in
      try ReplayRecorder(
        journal, regions: regions, settings: request.settings, centre: centre,
        shownAt: request.notifies ? .now : nil)
    }
  }

  /// The number of the run; nil where none is recorded.
  package var run: Int64? { recorder?.run }

  /// Reads all files and records the run; one that cannot be read is reported and the others go on.
  ///
  /// - Returns: What it has come to; nothing is recorded where no file could be read.
  /// - Throws: `JournalError`, or what `step` throws; nothing is left in the journal then.
  package consuming func evaluate() throws -> Report {
    do {
      for path in request.paths {
        let waiting = whole.count
        do {
          try read(path)
        } catch let error as TrackLogError {
          // What was read before a log turned out to be none that may be read does not count.
          whole.shorten(to: waiting)
          report.unread.append(error)
        }
      }
      try evaluateWhole()
      guard report.unread.count < request.paths.count, report.summary.fixes > 0 else {
        recorder?.abandon()
        return report
      }
      report.run = recorder?.run
      report.replaced = try recorder?.publish(
        source: report.sources.joined(separator: ", "), digest: digests.joined(separator: ","),
        summary: report.summary)
      return report
    } catch {
      recorder?.abandon()
      throw error
    }
  }

  /// - Throws: `TrackLogError` where it is none that may be read, or what evaluating it throws.
  private mutating func read(_ path: String) throws {
    let reader = try TrackLogReader(path: path, options: request.log)
    if !reader.format.holdsWholeTrack { try evaluateWhole() }
    report.formats.append(reader.format)
    // Only GPX has tracks of its own; the files of other formats go on from one another.
    if reader.format == .gpx, report.formats.count > 1 { trackOffset += 1 }
    var lastTrack: Int32 = 0
    let ahead = ReadAhead(reader)
    var piece = ReadAhead.Piece()
    repeat {
      try ahead.next(&piece)
      if reader.format.holdsWholeTrack {
        // Tracks are numbered in the order of the log.
        if let last = piece.fixes.last { lastTrack = last.track }
        piece.shiftTracks(by: trackOffset)
        whole.append(piece.fixes)
      } else {
        piece.shiftTracks(by: trackOffset)
        for place in piece.fixes.indices { try process(piece.fixes[place]) }
      }
      tell(piece.progress, of: reader.format)
    } while piece.goesOn
    if reader.format == .gpx { trackOffset += lastTrack + 1 }
    if reader.format.holdsWholeTrack { waitingFiles += 1 } else { doneFiles += 1 }
    for (reason, count) in reader.tally.omissions { report.omissions[reason, default: 0] += count }
    report.warnings += reader.warnings.map { path == "-" ? $0 : "'\(path)': \($0)" }
    if let ending = reader.ending { report.damaged.append(ending) }
    report.sources.append(path == "-" ? "standard input" : path)
    digests.append(reader.digest?.map(hexadecimal).joined() ?? "")
  }

  private mutating func evaluateWhole() throws {
    guard whole.count > 0 || waitingFiles > 0 else { return }
    let all = whole.count
    var done = 0
    for piece in whole.takeInTimeOrder() {
      for start in stride(from: 0, to: piece.count, by: 4096) {
        tell(Double(done + start) / Double(all))
        for place in start..<min(start + 4096, piece.count) { try process(piece[place]) }
      }
      done += piece.count
    }
    tell(1)
    doneFiles += waitingFiles
    waitingFiles = 0
  }

  /// Tells how much of a file is read; of one that holds a whole track that is half of the work.
  private func tell(_ progress: (consumed: Int64, size: Int64?), of format: LogFormat) {
    guard let size = progress.size else { return self.progress(report.summary.fixes + whole.count, nil) }
    let part = size > 0 ? Double(progress.consumed) / Double(size) : 1
    let share = format.holdsWholeTrack ? 0.5 : 1
    let done = Double(doneFiles) + Double(waitingFiles) / 2 + share * part
    self.progress(report.summary.fixes + whole.count, done / Double(request.paths.count))
  }

  /// Tells which part of the files that wait is evaluated.
  private func tell(_ part: Double) {
    let done = Double(doneFiles) + Double(waitingFiles) * (1 + part) / 2
    progress(report.summary.fixes, done / Double(request.paths.count))
  }

  private mutating func process(_ fix: Fix) throws {
    report.summary.fixes += 1
    outcomes.removeAll(keepingCapacity: true)
    pacer?.wait(until: fix.time)
    switch pipeline.process(fix, into: &outcomes) {
    case .rejected(let reason):
      report.summary.rejected[reason, default: 0] += 1
      return
    case .accepted(let start):
      report.summary.accepted += 1
      report.summary.firstFix = min(report.summary.firstFix ?? fix.time, fix.time)
      report.summary.lastFix = max(report.summary.lastFix ?? fix.time, fix.time)
      if request.numbersSteps { order.accept(fix) }
      accepted(fix, start)
    }
    guard !outcomes.isEmpty else { return }
    for case .crossing(let crossing) in outcomes { report.kinds[crossing.kind, default: 0] += 1 }
    let counted = report.summary.crossings
    report.summary.crossings = report.kinds.values.reduce(0, +)
    try recorder?.record(outcomes)
    try step(
      Step(outcomes: outcomes, sequence: counted + 1, place: request.numbersSteps ? order.place(of: fix) : 0))
  }
}

/// Lets time pass as it did when the log was recorded, only faster or slower.
private struct Pacer {
  /// Seconds of the log that are waited for at once.
  static let longestPause = 600.0

  let pace: Double
  private var first: (log: Timestamp, clock: Double)?

  init(pace: Double) {
    self.pace = pace
  }

  mutating func wait(until time: Timestamp) {
    let now = monotonicSeconds()
    guard let first, time >= first.log else {
      first = (time, now)
      return
    }
    let seconds = first.clock + time.seconds(since: first.log) / pace - now
    guard seconds > 0 else { return }
    // One wild time, or a night without fixes, does not stop the replay for long.
    guard seconds <= Pacer.longestPause / pace else {
      self.first = (time, now)
      return
    }
    var pause = timespec(
      tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1_000_000_000))
    // A signal that does not end the process only interrupts the pause.
    var rest = timespec()
    while unsafe nanosleep(&pause, &rest) != 0, errno == EINTR { pause = rest }
  }
}

/// Seconds of a clock that never jumps.
package func monotonicSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}

private func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}

@available(*, unavailable)
extension Replay: Sendable {}
