internal import CFencelineLinux
internal import FencelineCivilTime
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
  private let path: String
  private let environment: (String) -> String?
  private let flags: [String: String]
  private let log: ServiceLog
  private let lock: InstanceLock
  private let journal: Journal
  private let recorder: LiveRecorder
  private let engine: Engine
  private let mailbox = Mailbox()
  private let hub = EventHub()
  private let status: ServiceStatus
  private var configuration: Configuration
  private var sources: [any LiveSource] = []
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
    path: String, makesFolder: Bool, version: String, environment: @escaping (String) -> String?,
    flags: [String: String], log: ServiceLog
  ) throws {
    // The journal makes the file, so that its true name is known.
    let journal = try Journal(path: path, .write, makesFolder: makesFolder)
    let trueName = LiveService.trueName(of: path)
    lock = try InstanceLock(of: trueName)
    configuration = try Configuration(stored: journal.settings(), environment: environment, flags: flags)
    self.path = trueName
    self.environment = environment
    self.flags = flags
    self.log = log
    self.journal = journal
    status = ServiceStatus(version: version, database: trueName, began: Arrival.now.utc)
    recorder = try LiveRecorder(
      journal, source: configuration.sources.joined(separator: ", "), settings: configuration.runSettings)
    if recorder.wasCutOff {
      log.write(.notice, "The service before this one was cut off; its journal is sound.")
    }
    engine = try Engine(journal, recorder, mailbox, EventTeller(hub: hub, log: log), configuration)
    sources = try LiveService.sources(configuration)
  }

  /// The socket on which the service of a journal answers.
  ///
  /// - Parameter journal: The database, by any name.
  /// - Returns: The socket's path.
  package static func socket(of journal: String) -> String { trueName(of: journal) + "-socket" }

  private static func trueName(of path: String) -> String {
    guard let name = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(name) }
    return unsafe String(cString: name)
  }

  private static func sources(_ configuration: Configuration) throws(LiveSourceError) -> [any LiveSource] {
    var options = SourceOptions()
    options.gpsdConfidence = configuration.gpsdConfidence
    options.silence = configuration.silence
    options.device = configuration.device
    options.receivers = configuration.receivers.map { ($0.name, $0.pattern) }
    var addresses: [SourceAddress] = []
    for text in configuration.sources { addresses.append(try SourceAddress(parsing: text)) }
    return SourceAddress.sources(addresses, options: options)
  }

  /// Serves until SIGTERM or SIGINT.
  ///
  /// - Throws: `JournalError` where the end cannot be recorded, `HTTPServerError`, `LiveSourceError`.
  package func run() throws {
    var ending = sigset_t()
    for number in [SIGTERM, SIGINT] { unsafe sigaddset(&ending, number) }
    // Every thread that is started from here on leaves these signals to the descriptor.
    unsafe pthread_sigmask(SIG_BLOCK, &ending, nil)
    let signals = unsafe signalfd(-1, &ending, Int32(SFD_CLOEXEC))
    defer { close(signals) }
    let server = try HTTPServer(unixSocket: path + "-socket") { [mailbox, hub] request in
      LiveService.answer(request, mailbox, hub)
    }
    defer { server.stop() }
    try startSources()
    log.write(.info, "Serving '\(path)', run \(recorder.run), \(engine.regionCount) regions.")
    ServiceManager.notifyReady(status: summary)
    try journal.setBusyTimeout(LiveService.shortWait)
    serve(until: signals)
    ServiceManager.notifyStopping()
    try journal.setBusyTimeout(Int32(LiveService.lastPatience))
    for source in sources { source.stop() }
    // What the sources have delivered is decided and committed before the end.
    let patience = Arrival.now.boot + LiveService.lastPatience
    while mailbox.counts.waiting > 0 || engine.backlog > 0, Arrival.now.boot < patience {
      for question in engine.work(at: .now) { answer(question) }
    }
    hub.close()
    try recorder.end()
    log.write(.info, "The service has ended; nothing is lost.")
  }

  /// Milliseconds to wait for another process's lock before it is tried again a second later: who asks for the status waits as well.
  private static let shortWait: Int32 = 500
  /// Milliseconds that the end waits for a journal that cannot be written.
  private static let lastPatience: Int64 = 5_000

  private func startSources() throws(LiveSourceError) {
    for source in sources {
      try source.start { [mailbox] event in mailbox.post(.event(event)) }
    }
  }

  private func serve(until signals: Int32) {
    let beat = ServiceManager.watchdogInterval.map { Int64($0 * 1000 / 3) }
    var nextBeat: Int64 = 0
    var nextStatus: Int64 = 0
    while true {
      let now = Arrival.now
      for question in engine.work(at: now) { answer(question) }
      if engine.settingsHaveChanged { reconfigure() }
      if let beat, now.boot >= nextBeat {
        ServiceManager.notifyWatchdog()
        nextBeat = now.boot + beat
      }
      if now.boot >= nextStatus {
        showStatus()
        nextStatus = now.boot + 1_000
      }
      var wanted = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      unsafe poll(&wanted, 2, engine.patience(at: .now))
      if wanted[0].revents != 0 { return }
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
        return .plain("The service is busy with its journal and does not answer; try again.", status: 503)
      }
      return .json(text)
    case "/api/v1/events":
      var names: Set<String> = ["crossing", "visit", "signal", "problem"]
      if request.query["fixes"] == "1" { names.insert("fix") }
      return .events(hub, names: names, after: request.headers["last-event-id"])
    default:
      return .plain("There is no such page. There are /api/v1/status and /api/v1/events.", status: 404)
    }
  }

  private func answer(_ question: Question) {
    question.answer(status.json(engine, mailbox, hub, sources, at: .now).line)
  }

  /// Reads the settings again and does what has changed.
  private func reconfigure() {
    engine.settingsHaveChanged = false
    do {
      let new = try Configuration(stored: journal.settings(), environment: environment, flags: flags)
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
