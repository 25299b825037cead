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
  private let counts: SourceCounts
  private let errors: GPSDErrors
  private let askAgain: Int64
  private var voice: SourceVoice
  private var receivers: GPSDReceivers
  private var backoff = Backoff()
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

  private mutating func tellState(of index: Int, _ at: Arrival) {
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

  // MARK: Reports

  private mutating func takeReport(_ session: GPSDSession, _ now: Arrival) {
    backoff.reset()
    let known = receivers.all.firstIndex { $0.isPresent && session.isFrom($0.key) }
    let index = known ?? receivers.find(session.device ?? "gpsd", at: now.boot)
    let fix = session.fix
    let time = time(of: fix)
    let place = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
    guard fix.mode >= 2 else {
      // A receiver that has had its fix of this instant goes on saying other things of it.
      guard time == nil || time != receivers[index].lastTime else { return counts.leaveOutRepeated() }
      counts.leaveOut(.noFix)
      if receivers[index].watch.takeNoFix(at: now.boot) { tellState(of: index, now) }
      return
    }
    guard place.latitude.isFinite, place.longitude.isFinite else {
      return counts.leaveOut(.unreadablePosition)
    }
    guard place.isValid else { return counts.leaveOut(.offTheEarth) }
    var report = Fix(
      device: "", time: time ?? now.utc, coordinate: place,
      accuracy: errors.accuracy(eph: fix.eph, epx: fix.epx, epy: fix.epy),
      altitude: fix.altMSL.isFinite ? fix.altMSL : nil,
      speed: fix.speed.isFinite && fix.speed >= 0 ? fix.speed : nil,
      course: courseInDegrees(fix.track), source: .tpv)
    guard !isRepeated(time, place, receivers[index], now) else {
      receivers[index].watch.hear(at: now.boot)
      counts.leaveOutRepeated()
      guard var told = receivers[index].lastFix, told.complete(from: report) else { return }
      receivers[index].lastFix = told
      return voice.tell(completed: told)
    }
    let isRenamed = receivers[index].name == nil
    let hasChanged = receivers[index].watch.takeFix(mode: Int(fix.mode), at: now.boot)
    report.device = receivers.name(of: index, at: now.boot)
    if hasChanged || isRenamed { tellState(of: index, now) }
    receivers[index].lastTime = time
    receivers[index].lastFix = report
    receivers[index].lastFixAt = now.boot
    voice.tell(report, now)
  }

  /// Whether a report speaks of an instant that has had its fix: gpsd sends several, the later ones more complete. The first one counts,
  /// so that nothing waits for the others.
  private func isRepeated(
    _ time: Timestamp?, _ place: Coordinate, _ last: GPSDReceivers.Receiver, _ now: Arrival
  ) -> Bool {
    if let time, let lastTime = last.lastTime { return time == lastTime }
    return last.lastFix?.coordinate == place && now.boot - last.lastFixAt < 300
  }

  /// The time that the receiver gives; nil where gpsd does not know the date yet.
  private func time(of fix: gps_fix_t) -> Timestamp? {
    guard fix.time.tv_sec != 0 else { return nil }
    let (seconds, overflow) = Int64(fix.time.tv_sec).multipliedReportingOverflow(by: 1000)
    guard !overflow else { return nil }
    let time = Timestamp(milliseconds: seconds + (Int64(fix.time.tv_nsec) + 500_000) / 1_000_000)
    return time >= .earliest && time <= .latest ? time : nil
  }
}
