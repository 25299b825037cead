internal import FencelineCivilTime
internal import FencelineDecisions
internal import FencelineDelivery
internal import FencelineEventJournal
internal import FencelineGeofencing
internal import FencelineHTTPServing
internal import FencelineLiveSources
internal import FencelinePositioning
internal import FencelineSystemdLink

/// The one that decides: takes what waits in the mailbox, lets the pipeline judge it, commits, then tells.
///
/// It is used by one thread. A turn is one transaction, so that no edit of another process comes between a decision and its record;
/// no crossing or visit is told before it is committed, and where a commit fails the same batch waits and nothing more is taken in.
final class Engine {
  let journal: Journal
  let recorder: LiveRecorder
  private let mailbox: Mailbox
  let teller: EventTeller
  var pipeline: Pipeline
  private var profile: Profile
  /// What the next turn sets in its place.
  private var newProfile: Profile?
  /// Seconds that positions are kept; nil is for ever, 0 not at all.
  private(set) var trackRetention: Double?

  /// Taken from the mailbox, and not decided yet.
  private var waiting: [SourceEvent] = []
  /// Whether all that has come until now is decided, or about to be.
  private var isUpToDate = false
  /// Decided, and not committed yet.
  private var decided: LiveBatch?
  /// Committed, and not known to survive a power cut yet.
  private var committed: (batch: LiveBatch, sequence: Int64)?
  var toldRegionProblems: Set<String> = []
  private(set) var isClockSynchronised = SystemClock.isSynchronised ?? false
  private var nextClockCheck: Int64 = 0
  var nextSweep: Int64 = 0
  private var nextTry: Int64 = 0

  var signals = SignalBoard()
  /// What is wrong with the journal, in one sentence.
  private(set) var journalProblem: String?
  private(set) var lastCommit: Timestamp?
  /// What has become of the journal's file, in one sentence; nil where it is in its place.
  var fileProblem: String?
  /// How many fixes of more devices than ``mostDevices`` were left out.
  var strangers = 0
  /// Crossings by kind since the service began.
  private(set) var kinds: [Crossing.Kind: Int] = [:]
  /// From the read of a fix to its decision, what its record took, and what it took until crossings survive a power cut.
  var decisionLatency = LatencyHistogram()
  private(set) var commitLatency = LatencyHistogram()
  private(set) var synchroniseLatency = LatencyHistogram()
  /// Set where settings were changed, for who runs the engine; also in the beginning, since they may have been while it was made.
  var settingsHaveChanged = true
  /// Asks a foreground client how a notification is shown; false where there is none.
  var askForeground: (StoredNotification) -> Bool = { _ in false }
  /// Takes that question back.
  var withdrawQuestion: (Int64) -> Void = { _ in }
  /// Takes regions that a device has published.
  var regionsReported: (ReportedRegions) -> Void = { _ in }
  /// Told what somebody has done with a notification.
  var answered: (ChannelContext.Answer) -> Void = { _ in }
  /// Told how the program of a response has ended.
  var commandEnded: (Int64, String) -> Void = { _, _ in }
  /// The names of the sources that are used; what others have left in the mailbox does not count. nil where all do.
  var sourceNames: Set<String>?
  /// How many events were dropped, and when the last of them was.
  private(set) var dropped: (count: Int, last: Int64) = (0, 0)

  /// Events in one transaction: a backlog is worked off in pieces, so that edits and questions do not wait.
  private static let turn = 256
  /// More devices than that come from something that is no gpsd: each costs memory for good.
  static let mostDevices = 1_000
  /// Milliseconds between two looks for edits, between tries of a commit that fails, and between sweeps of old positions.
  static let lookEvery: Int64 = 250
  private static let tryEvery: Int64 = 1_000
  static let sweepEvery: Int64 = 3_600_000

  init(
    _ journal: Journal, _ recorder: LiveRecorder, _ mailbox: Mailbox, _ teller: EventTeller,
    _ configuration: Configuration, at now: Arrival
  ) throws(JournalError) {
    self.journal = journal
    self.recorder = recorder
    self.mailbox = mailbox
    self.teller = teller
    profile = configuration.profile
    trackRetention = configuration.trackRetention
    pipeline = try recorder.pipeline(
      profile: configuration.profile, filter: configuration.filter, at: Moment(now))
    recorder.storesPositions = configuration.trackRetention != 0
  }

  /// How many fixes wait anywhere for their decision or their record.
  var backlog: Int { waiting.count + (decided?.fixes ?? 0) }

  /// Milliseconds until the engine wants to be called even if nothing comes.
  func patience(at now: Arrival) -> Int32 {
    if isStuck { return Int32(clamping: max(0, nextTry - now.boot)) }
    // What was left in the mailbox does not wake anybody again.
    if !waiting.isEmpty || mailbox.counts.all > 0 || recorder.notifications.isBehind
      || recorder.outbox.hasOutcomes
    {
      return 0
    }
    var until = now.boot + Engine.lookEvery
    if let due = pipeline.nextDue { until = min(until, max(due, now.boot)) }
    if let due = nextNotification(at: Moment(now)) {
      let wait = due <= now.utc ? 0 : due.seconds(since: now.utc) * 1000
      until = min(until, now.boot + Int64(min(wait.rounded(.up), Double(Engine.lookEvery))))
    }
    return Int32(clamping: max(0, until - now.boot))
  }

  var isStuck: Bool { decided != nil || committed != nil || journalProblem != nil }

  /// Whether everything that has come is decided, committed and told.
  var isIdle: Bool {
    waiting.isEmpty && decided == nil && committed == nil && mailbox.counts.all == 0
      && !recorder.outbox.hasOutcomes
  }

  /// Does what there is to do.
  ///
  /// - Returns: Questions that were found in the mailbox, to be answered by who runs the engine.
  func work(at now: Arrival) -> [Question] {
    var questions: [Question] = []
    // While the journal cannot be written, fixes stay in the mailbox, where they are bounded.
    if isStuck || !waiting.isEmpty {
      questions = mailbox.takeQuestions()
      isUpToDate = false
    } else {
      for item in mailbox.take(Engine.turn) {
        switch item {
        case .event(.signal(let signal)) where sourceNames?.contains(signal.source) == false: break
        case .event(.regions(let report)): regionsReported(report)
        case .event(let event): waiting.append(event)
        case .question(let question): questions.append(question)
        case .presentation(let number, let ways): takeAnswer(number, ways)
        case .commandEnded(let response, let outcome): commandEnded(response, outcome)
        case .carried(let outcome): recorder.outbox.take(outcome)
        case .courierIsFree: break
        case .answered(let answer): answered(answer)
        }
      }
      isUpToDate = mailbox.counts.events == 0
    }
    let lost = mailbox.counts.dropped
    if lost != dropped.count { dropped = (lost, now.boot) }
    if now.boot >= nextClockCheck {
      isClockSynchronised = SystemClock.isSynchronised ?? false
      recorder.notifications.mayPrune = isClockSynchronised
      recorder.outbox.mayPrune = isClockSynchronised
      nextClockCheck = now.boot + 1_000
      lookAtFile()
    }
    if !isStuck || now.boot >= nextTry {
      do {
        try makeTurn(now)
        tellRegionProblems()
        if journalProblem != nil { teller.journalWorksAgain() }
        journalProblem = nil
      } catch {
        nextTry = now.boot + Engine.tryEvery
        if journalProblem != error.message { teller.problem(error.message) }
        journalProblem = error.message
      }
    }
    return questions
  }

  private func makeTurn(_ now: Arrival) throws(JournalError) {
    if let batch = decided {
      let sequence = try recorder.commitAgain(batch, at: Moment(now))
      decided = nil
      committed = (batch, sequence)
    }
    try tell(now)
    let due = isUpToDate && pipeline.nextDue.map { $0 <= now.boot } ?? false
    let isNoticed = try recorder.hasForeignCommits()
    let notifies =
      try recorder.notifications.hasWork(at: Moment(now)) || recorder.outbox.hasWork(at: Moment(now))
    if isNoticed || !waiting.isEmpty || due || newProfile != nil || notifies {
      try decide(now, notifies: notifies)
    }
    try sweep(now)
  }

  /// One transaction: what was edited, then fixes, then what time has brought about, then what people are told of it.
  private func decide(_ now: Arrival, notifies: Bool) throws(JournalError) {
    let edits = try recorder.begin(at: Moment(now))
    var batch = LiveBatch()
    var outcomes: [Outcome] = []
    if let newProfile {
      do { try change(newProfile, &outcomes) } catch {
        recorder.abandon()
        throw error
      }
    }
    batch.take(outcomes)
    if let edits {
      batch.take(edits, by: &pipeline)
      if edits.settings { settingsHaveChanged = true }
    }
    for event in waiting {
      switch event {
      case .fix(let fix, let arrival): take(fix, arrival, &batch, &outcomes)
      case .completed(let fix): if signals.complete(fix) { batch.completed.append(fix) }
      case .signal(let signal): take(signal, &batch)
      case .regions: break
      }
    }
    waiting.removeAll(keepingCapacity: true)
    // Time brings nothing about as long as a fix that has come may say otherwise.
    while isUpToDate, let device = pipeline.deviceWithSomethingDue(at: now.boot) {
      outcomes.removeAll(keepingCapacity: true)
      pipeline.advance(device, to: now.boot, into: &outcomes)
      batch.take(outcomes)
      batch.remember(device, pipeline)
    }
    guard !batch.isEmpty || notifies else {
      recorder.abandon()
      return
    }
    decided = batch
    let began = Arrival.now
    let sequence = try recorder.commit(batch, at: Moment(now))
    commitLatency.add(since: began)
    decided = nil
    committed = (batch, sequence)
    try tell(now)
  }

  /// Gives regions that name no profile another one; what is known of them stays.
  private func change(_ profile: Profile, _ outcomes: inout [Outcome]) throws(JournalError) {
    pipeline.setDefaultProfile(profile)
    pipeline.put(try recorder.entries(), version: recorder.seen, into: &outcomes)
    self.profile = profile
    newProfile = nil
  }

  /// Tells what was committed, once it survives a power cut.
  private func tell(_ now: Arrival) throws(JournalError) {
    guard committed != nil || recorder.notifications.hasEvents else { return }
    let (batch, sequence) = committed ?? (LiveBatch(), 0)
    if batch.holdsCrossings || recorder.notifications.hasEvents {
      let began = Arrival.now
      try recorder.synchronise()
      synchroniseLatency.add(since: began)
    }
    committed = nil
    lastCommit = now.utc
    for case .crossing(let crossing) in batch.outcomes { kinds[crossing.kind, default: 0] += 1 }
    teller.outcomes(batch.outcomes, run: recorder.run, from: sequence) { recorder.region($0)?.title }
    tellNotifications()
  }

  /// Goes on with other settings.
  func configure(_ configuration: Configuration) {
    pipeline.filter = configuration.filter
    trackRetention = configuration.trackRetention
    recorder.storesPositions = configuration.trackRetention != 0
    nextSweep = 0
    newProfile = configuration.profile == profile ? nil : configuration.profile
    recorder.outbox.policy = configuration.retry
    configureCentre(configuration)
  }

  /// Forgets a source that is not used any more.
  func forget(source: String) { signals.forget(source: source) }
}

@available(*, unavailable)
extension Engine: Sendable {}
