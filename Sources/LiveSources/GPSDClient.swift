import CFencelineGPS
import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTrackLogs
import Glibc

/// Follows a gpsd: connects, listens, notices when something falls silent, and begins again. It runs on the source's thread.
struct GPSDClient {
  /// Milliseconds in which gpsd must answer a request.
  private static let answerTime: Int64 = 5_000

  private let address: GPSDAddress
  private let thread: SourceThread
  let counts: SourceCounts
  let errors: GPSDErrors
  private let askAgain: Int64
  var voice: SourceVoice
  var receivers: GPSDReceivers
  var backoff = Backoff()
  /// When gpsd was asked and has said nothing since.
  private var askedAt: Int64?
  /// Whether what listens there has ever spoken as gpsd does.
  private var hasGreeted = false

  init(
    _ address: GPSDAddress, _ options: SourceOptions, thread: SourceThread, counts: SourceCounts,
    voice: SourceVoice
  ) {
    self.address = address
    self.thread = thread
    self.counts = counts
    self.voice = voice
    errors = GPSDErrors(confidence: options.gpsdConfidence)
    let silence = Int64(options.silence * 1000)
    askAgain = min(max(silence, 1_000), 10_000)
    // Links on this machine tell nothing of another one's receivers.
    let names = ReceiverNames(options.receivers, linkFolders: address.isLocal ? options.linkFolders : [])
    receivers = GPSDReceivers(
      names: names, soleName: options.hasCompany ? nil : options.device ?? Fix.defaultDevice,
      pathPrefix: options.pathsMayRepeat ? "\(address.place):" : "", silence: silence)
  }

  mutating func run() {
    voice.tell(.connecting)
    while !thread.isStopping {
      let trouble = follow()
      guard !thread.isStopping else { return }
      voice.tell(.connecting, trouble)
      guard thread.sleep(backoff.next()) else { return }
    }
  }

  // MARK: The connection

  /// Connects and listens until the connection is lost or the source is to end.
  ///
  /// - Returns: What went wrong.
  private mutating func follow() -> String {
    // libgps waits for minutes and does not say why it gives up. Whom this reaches, that reaches at once; and a gpsd that ends
    // with its last client keeps this one until the other is there.
    let probe: Int32
    do throws(OpeningFailure) {
      probe = try thread.blocking { () throws(OpeningFailure) in
        try NetworkSocket.connect(to: address.host, address.port)
      }
    } catch {
      return "Cannot reach gpsd at \(address.place): \(error.reason). \(advice(error))"
    }
    let (host, port) = (address.host, address.port)
    guard !thread.isStopping, let session = thread.blocking({ GPSDSession(host: host, port: port) }) else {
      close(probe)
      return "Cannot reach gpsd at \(address.place): it accepts no more clients. End some of them."
    }
    close(probe)
    askedAt = nil
    receivers.beginAnew(at: Arrival.now.boot)
    return listen(to: session)
  }

  private func advice(_ failure: OpeningFailure) -> String {
    if failure.code == ECONNREFUSED, address.isLocal {
      return "Start it with 'systemctl start gpsd.socket', or check the port."
    }
    return failure.code == 0
      ? "Check its name." : "Check that it runs there with '-G' and that no firewall is between."
  }

  private var stranger: String {
    "What listens at \(address.place) does not speak as gpsd does. Check the port: gpsd's is 2947."
  }

  private mutating func listen(to session: GPSDSession) -> String {
    ask(session)
    var nextQuestion = Arrival.now.boot + askAgain
    while true {
      let now = Arrival.now.boot
      var deadline = min(nextQuestion, now + 60_000)
      if let askedAt { deadline = min(deadline, askedAt + Self.answerTime) }
      for receiver in receivers.all where receiver.isPresent {
        if let check = receiver.watch.nextCheck { deadline = min(deadline, check) }
      }
      switch thread.wait(for: session.descriptor, Int(deadline - now)) {
      case .stop: return ""
      case .ready:
        guard drain(session) else {
          return hasGreeted
            ? "gpsd at \(address.place) has ended the connection. It is tried again."
            : stranger
        }
      case .timeOut: break
      }
      let later = Arrival.now
      checkReceivers(later)
      if let askedAt, later.boot - askedAt >= Self.answerTime {
        return hasGreeted
          ? "gpsd at \(address.place) does not answer any more. Check the network between."
          : stranger
      }
      if later.boot >= nextQuestion {
        nextQuestion = later.boot + askAgain
        if receivers.needAttention { ask(session) }
      }
    }
  }

  private mutating func ask(_ session: GPSDSession) {
    // Where it cannot be sent, the connection's end is read next.
    if session.watch(address.device), askedAt == nil { askedAt = Arrival.now.boot }
  }

  /// Reads all that has come; false where the connection is lost.
  private mutating func drain(_ session: GPSDSession) -> Bool {
    while !thread.isStopping {
      // Before libgps takes its time over the line.
      let now = Arrival.now
      switch session.read() {
      case .nothing: return true
      case .end: return false
      case .report:
        askedAt = nil
        takeReport(session, now)
      case .message:
        guard let message = GPSDMessage(parsing: session.line) else {
          counts.leaveOut(.damagedLine)
          continue
        }
        askedAt = nil
        take(message, session, now)
      }
    }
    return true
  }

  // MARK: What it says

  private mutating func take(_ message: GPSDMessage, _ session: GPSDSession, _ now: Arrival) {
    switch message {
    case .version: hasGreeted = true
    case .devices(let paths):
      let wanted = paths.filter { address.device == nil || $0 == address.device }
      let gone = receivers.take(list: wanted, at: now.boot)
      if wanted.isEmpty {
        if !voice.hasNoReceiver { voice.tell(.noReceiver, noReceiver(among: paths)) }
      } else {
        for index in gone { tellGone(index, now) }
      }
    case .activated(let path):
      if address.device == nil || path == address.device { _ = receivers.find(path, at: now.boot) }
    case .deactivated(let path):
      guard let index = receivers.remove(path) else { break }
      if receivers.present.isEmpty {
        voice.tell(.noReceiver, "gpsd at \(address.place) has let its receiver \(path) go. Plug it in again.")
      } else {
        tellGone(index, now)
      }
    case .other:
      if let index = receivers.all.firstIndex(where: { session.isFrom($0.key) }) {
        receivers[index].watch.hear(at: now.boot)
      }
    }
  }

  private func noReceiver(among paths: [String]) -> String {
    guard let device = address.device else {
      let lost = receivers.all.isEmpty ? ". Plug one in" : " any more. Plug it in again"
      return "gpsd at \(address.place) has no receiver\(lost), or add it with 'gpsdctl add PATH'."
    }
    let others = paths.isEmpty ? "and no other" : "but \(paths.joined(separator: ", "))"
    return "gpsd at \(address.place) has no receiver '\(device)', \(others). Check the path."
  }

  private mutating func tellGone(_ index: Int, _ at: Arrival) {
    let name = receivers.name(of: index, at: at.boot)
    let path = receivers[index].path
    voice.tell(
      name, .noReceiver, "gpsd at \(address.place) has let the receiver \(path) go. Plug it in again.",
      receiver: path, at)
  }

  private mutating func checkReceivers(_ now: Arrival) {
    for index in receivers.all.indices where receivers[index].isPresent {
      if receivers[index].watch.check(at: now.boot) { tellState(of: index, now) }
    }
  }

  mutating func tellState(of index: Int, _ at: Arrival) {
    let name = receivers.name(of: index, at: at.boot)
    let receiver = receivers[index]
    guard let state = receiver.watch.state else { return }
    var detail: String?
    if state == .silent {
      detail =
        "Nothing has come from \(receiver.path) for \((at.boot - receiver.watch.heardAt) / 1000) s. "
        + "Check its cable and its power."
    } else if let taken = receiver.taken {
      detail =
        "Two receivers match the name '\(taken.name)': \(taken.by) and \(receiver.path). "
        + "Give each its own pattern with 'fenceline settings set receiver.NAME PATTERN'."
    }
    voice.tell(name, state, detail, receiver: receiver.path, at)
  }
}
