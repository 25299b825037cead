internal import CFencelineLinux
internal import FencelineCivilTime
internal import FencelineDelivery
internal import FencelineEventJournal
internal import FencelineHTTPServing
internal import FencelineJSONText
internal import FencelineLiveSources
internal import FencelinePositioning
package import FencelineSystemdLink
internal import Glibc

/// The service: sources, engine, journal, and the face that shows what it does.
///
/// The thread that calls ``run()`` is the engine's; each source and the HTTP server have their own.
package final class LiveService {
  let path: String
  let environment: @Sendable (String) -> String?
  private let flags: [String: String]
  let log: ServiceLog
  private let lock: InstanceLock
  let journal: Journal
  private let recorder: LiveRecorder
  let engine: Engine
  let mailbox = Mailbox()
  let commands = CommandRunner()
  /// Responses whose programs run, and how those have ended that are not recorded yet.
  var runningCommands: Set<Int64> = []
  var endedCommands: [Int64: String] = [:]
  /// The channels that are in use, by their rows; which edition of the outbox's they are, and when to try again to set one up.
  var running: [Int64: RunningChannel] = [:]
  var channelEdition: Int64 = 0
  var nextSetUp: Int64 = .max
  /// Up to when channels know where each device is.
  var toldPositions: [String: Timestamp] = [:]
  /// Answers to notifications that the journal did not take.
  var lateAnswers: [ChannelContext.Answer] = []
  /// Regions that devices have published and that wait for the journal.
  var reports: [ReportedRegions] = []
  private let hub = EventHub()
  private let desk: PresentationDesk
  private let alarm = WallClockAlarm()
  private let zoneWatch = ZoneWatch()
  private(set) var status: ServiceStatus
  private(set) var configuration: Configuration
  private var sources: [any LiveSource] = []
  /// Sources that channels are too, by the channels' rows.
  var feeds: [Int64: (channel: StoredChannel, source: any LiveSource)] = [:]
  private var shownStatus = ""

  /// Prepares the service: takes the lock, opens the journal and takes up where the last one stood.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - makesFolder: Whether its folder is made where it is missing.
  ///   - version: The program's.
  ///   - environment: Looks a variable up.
  ///   - flags: Settings that the command line gives, by key.
  ///   - log: Where the service tells what it does.
  /// - Throws: `JournalError`, `ConfigurationError` or `LiveSourceError`.
  package init(
    path: String, makesFolder: Bool, version: String, environment: @escaping @Sendable (String) -> String?,
    flags: [String: String], log: ServiceLog
  ) throws {
    // The journal makes the file, so that its true name is known.
    let journal = try Journal(path: path, .write, makesFolder: makesFolder)
    let trueName = Journal.trueName(of: path)
    lock = try InstanceLock(of: trueName)
    let faults: [String]
    (configuration, faults) = try LiveService.configuration(journal, environment, flags)
    self.path = trueName
    self.environment = environment
    self.flags = flags
    self.log = log
    self.journal = journal
    status = ServiceStatus(version: version, database: trueName, began: Arrival.now.utc, faults: faults)
    recorder = try LiveRecorder(
      journal, source: configuration.sources.joined(separator: ", "), settings: configuration.runSettings,
      centre: configuration.centre)
    if recorder.wasCutOff {
      log.write(.notice, "The service before this one was cut off; its journal is sound.")
    }
    if SystemClock.isSynchronised == true { try recorder.endExpiredVisits(at: Arrival.now.utc) }
    engine = try Engine(
      journal, recorder, mailbox, EventTeller(hub: hub, log: log), configuration, at: .now)
    sources = try LiveService.sources(configuration)
    desk = PresentationDesk(
      answered: { [mailbox] number, ways in mailbox.post(.presentation(number, ways)) },
      abandoned: { [mailbox] number in mailbox.post(.presentation(number, nil)) })
    engine.ask(desk)
    engine.commandEnded = { [unowned self] in commandEnded($0, $1) }
    engine.answered = { [unowned self] in take($0) }
    engine.regionsReported = { [unowned self] in take($0) }
    recorder.outbox.policy = configuration.retry
  }

  /// The settings that hold; one of the database's that is none leaves the default in its place, and is told.
  private static func configuration(
    _ journal: Journal, _ environment: (String) -> String?, _ flags: [String: String]
  ) throws -> (Configuration, faults: [String]) {
    let (configuration, entries) = Configuration.resolve(
      stored: try journal.settings(), environment: environment, flags: flags)
    var faults: [String] = []
    for entry in entries {
      guard let fault = entry.fault else { continue }
      guard entry.origin == .database else { throw ConfigurationError(message: fault) }
      faults.append("\(fault) The default holds.")
    }
    return (configuration, faults)
  }

  /// The socket on which the service of a journal answers.
  ///
  /// - Parameter journal: The database, by any name.
  /// - Returns: The socket's path.
  package static func socket(of journal: String) -> String { Journal.trueName(of: journal) + "-socket" }

  /// What the user says about live sources.
  static func sourceOptions(_ configuration: Configuration) -> SourceOptions {
    var options = SourceOptions()
    options.gpsdConfidence = configuration.gpsdConfidence
    options.silence = configuration.silence
    options.device = configuration.device
    options.receivers = configuration.receivers.map { ($0.name, $0.pattern) }
    return options
  }

  private static func sources(_ configuration: Configuration) throws(LiveSourceError) -> [any LiveSource] {
    let options = sourceOptions(configuration)
    var addresses: [SourceAddress] = []
    for text in configuration.sources { addresses.append(try SourceAddress(parsing: text)) }
    return SourceAddress.sources(addresses, options: options)
  }

  /// Serves until SIGTERM, SIGINT or SIGHUP; a second one ends it without waiting for the journal.
  ///
  /// - Returns: Whether everything that has come was recorded.
  /// - Throws: `JournalError` where the end cannot be recorded, `HTTPServerError`, `LiveSourceError`.
  package func run() throws -> Bool {
    var ending = sigset_t()
    for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&ending, number) }
    // Every thread that is started from here on leaves these signals to the descriptor.
    unsafe pthread_sigmask(SIG_BLOCK, &ending, nil)
    let signals = unsafe signalfd(-1, &ending, Int32(SFD_CLOEXEC))
    defer { close(signals) }
    let server = try HTTPServer(unixSocket: path + "-socket") { [mailbox, hub, desk] request in
      desk.answer(request) ?? LiveService.answer(request, mailbox, hub)
    }
    defer { server.stop() }
    try startSources()
    log.write(.info, "Serving '\(path)', run \(recorder.run), \(engine.regionCount) regions.")
    ServiceManager.notifyReady(status: summary)
    try journal.setBusyTimeout(LiveService.shortWait)
    serve(until: signals)
    ServiceManager.notifyStopping()
    var first = signalfd_siginfo()
    _ = unsafe Glibc.read(signals, &first, MemoryLayout<signalfd_siginfo>.size)
    for source in sources { source.stop() }
    for feed in feeds.values { feed.source.stop() }
    stopChannels()
    for question in engine.work(at: .now) { answer(question) }
    // What the sources have delivered is decided and committed before the end.
    let patience = Arrival.now.boot + LiveService.lastPatience
    var second = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
    while !engine.isIdle, Arrival.now.boot < patience, second.revents == 0 {
      for question in engine.work(at: .now) { answer(question) }
      if !engine.isIdle { unsafe poll(&second, 1, min(100, engine.patience(at: .now))) }
    }
    commands.stop()
    mailbox.close()
    hub.close()
    server.stop()
    let isComplete = engine.isIdle
    if !isComplete {
      let problem = engine.journalProblem ?? "The journal was too slow."
      log.write(.error, "What came last could not be recorded. \(problem)", kind: .problem)
    }
    try recorder.end()
    if isComplete { log.write(.info, "The service has ended; nothing is lost.") }
    return isComplete
  }

  /// Milliseconds to wait for another process's lock before it is tried again a second later: who asks for the status waits as well.
  private static let shortWait: Int32 = 100
  /// How many may watch, so that others find a place for their questions.
  private static let mostWatchers = 48
  /// Milliseconds that the end waits for a journal that cannot be written.
  private static let lastPatience: Int64 = 5_000

  /// Milliseconds between two looks for files that no notification needs any more.
  private static let collectEvery: Int64 = 3_600_000

  private static let pipe = "standard input"

  private func startSources() throws(LiveSourceError) {
    nameSources()
    for source in sources { try start(source) }
  }

  /// Says which sources count.
  func nameSources() {
    engine.sourceNames = Set((sources + feeds.values.map(\.source)).map(\.name))
  }

  func start(_ source: any LiveSource) throws(LiveSourceError) {
    // Whoever writes to a pipe can wait; a receiver cannot.
    let canWait = source.name == LiveService.pipe
    try source.start { [mailbox] event in
      if canWait { mailbox.waitForRoom() }
      mailbox.post(.event(event))
    }
  }

  private func serve(until signals: Int32) {
    let beat = ServiceManager.watchdogInterval.map { Int64($0 * 1000 / 3) }
    var nextBeat: Int64 = 0
    var nextStatus: Int64 = 0
    var nextCollection: Int64 = 0
    while true {
      let now = Arrival.now
      for question in engine.work(at: now) { answer(question) }
      if engine.settingsHaveChanged { reconfigure() }
      deliver(at: now)
      if let beat, now.boot >= nextBeat {
        ServiceManager.notifyWatchdog()
        nextBeat = now.boot + beat
      }
      if now.boot >= nextStatus {
        showStatus()
        tellOrigin()
        runCommands()
        takeLateAnswers()
        takeReports()
        informChannels()
        nextStatus = now.boot + 1_000
      }
      if now.boot >= nextCollection {
        collectAttachments()
        nextCollection = now.boot + LiveService.collectEvery
      }
      var wanted = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      alarm?.set(to: engine.nextNotification(at: .now))
      for descriptor in [alarm?.descriptor, zoneWatch?.descriptor] {
        wanted.append(pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0))
      }
      let patience = min(engine.patience(at: .now), deliveryPatience(at: .now))
      unsafe poll(&wanted, nfds_t(wanted.count), patience)
      if wanted[0].revents != 0 { return }
      if wanted[2].revents != 0, alarm?.take().contains(.clockWasSet) == true { engine.clockWasSet() }
      if wanted[3].revents != 0, zoneWatch?.take() == true { takeZone() }
    }
  }

  /// Answers on the server's thread; what only the engine knows is asked of it.
  private static func answer(_ request: HTTPRequest, _ mailbox: Mailbox, _ hub: EventHub) -> HTTPAnswer {
    guard request.method == "GET" else { return .plain("Only GET is answered here.", status: 405) }
    switch request.path {
    case "/api/v1/status":
      let question = Question()
      mailbox.post(.question(question))
      guard let text = question.wait(3_000) else {
        return .plain("The service is busy with its journal, or ends; try again.", status: 503)
      }
      return .json(text)
    case "/api/v1/events":
      var names: Set<String> = ["crossing", "visit", "signal", "problem", "notification", "request"]
      if request.query["fixes"] == "1" { names.insert("fix") }
      guard hub.clients < LiveService.mostWatchers else {
        return .plain("Too many watch already. End one of them.", status: 503)
      }
      return .events(hub, names: names, after: request.headers["last-event-id"])
    default:
      return .plain(
        "There is no such page. There are /api/v1/status, /api/v1/events and /api/v1/presentation.",
        status: 404)
    }
  }

  private func answer(_ question: Question) {
    question.answer(
      status.json(
        engine, mailbox, hub, sources + feeds.values.map(\.source), Array(running.values), at: .now
      ).line)
  }

  /// Reads the settings again and does what has changed.
  private func reconfigure() {
    engine.settingsHaveChanged = false
    do {
      let (new, faults) = try LiveService.configuration(journal, environment, flags)
      for fault in faults where !status.faults.contains(fault) { log.write(.error, fault, kind: .problem) }
      status.faults = faults
      guard new != configuration else { return }
      let old = configuration
      let fresh = new.needsOtherSources(than: old) ? try LiveService.sources(new) : nil
      configuration = new
      engine.configure(new)
      if let fresh {
        for source in sources {
          source.stop()
          engine.forget(source: source.name)
        }
        sources = fresh
        try startSources()
        renewFeeds()
      }
      try recorder.describe(source: new.sources.joined(separator: ", "), settings: new.runSettings)
      log.write(.info, "The settings were changed.")
    } catch {
      log.write(.error, "The settings that were changed cannot be used: \(error)")
    }
  }

  /// Tells systemd in a line what the service does, where that has changed.
  private func showStatus() {
    let text = summary
    guard text != shownStatus else { return }
    shownStatus = text
    ServiceManager.notifyStatus(text)
  }

  /// Says where positions come from where no source of their own gives them, whenever that has changed.
  private func tellOrigin() {
    let outbox = engine.recorder.outbox
    // Nothing is known of channels before the journal was looked at.
    guard outbox.edition > 0 else { return }
    let origin = PositionOrigin(hasSources: !sources.isEmpty, outbox.channels)
    guard origin != status.origin else { return }
    status.origin = origin
    guard let sentence = origin.sentence else { return }
    if origin == .nowhere { engine.teller.problem(sentence) } else { log.write(.info, sentence) }
  }

  private var summary: String {
    let devices = engine.devices.sorted { $0.key < $1.key }.map {
      "\($0.key) \($0.value.state?.rawValue ?? "?")"
    }
    let sources = engine.sources.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.state.rawValue)" }
    let receivers = devices.isEmpty ? sources : devices
    return (receivers + ["\(engine.regionCount) regions"]).joined(separator: ", ")
  }
}

@available(*, unavailable)
extension LiveService: Sendable {}
