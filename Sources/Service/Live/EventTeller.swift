internal import FencelineCivilTime
internal import FencelineEventJournal
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineHTTPServing
internal import FencelineJSONText
internal import FencelineLiveSources
internal import FencelinePositioning
internal import FencelineSystemdLink

/// Hands on what has happened: to whoever watches, and to the log. Crossings and visits are told once they are committed; fixes and
/// signals as they come.
struct EventTeller {
  let hub: EventHub
  let log: ServiceLog

  /// Tells outcomes in their order.
  ///
  /// - Parameters:
  ///   - outcomes: What has happened.
  ///   - run: The live run.
  ///   - first: The sequence number of the first crossing among them.
  ///   - title: The title of a region.
  func outcomes(
    _ outcomes: [Outcome], run: Int64, from first: Int64, title: (String) -> String?
  ) {
    var sequence = first
    for outcome in outcomes {
      switch outcome {
      case .crossing(let crossing):
        let value = JSONValue.crossing(
          RecordedCrossing(run: run, sequence: sequence, title: title(crossing.region), crossing: crossing))
        hub.publish("crossing", id: "\(run)-\(sequence)", data: value.line)
        log.write(
          .notice, "\(crossing.device): \(crossing.kind.rawValue) \(crossing.region)", kind: .crossing,
          .device(crossing.device), .region(crossing.region), .event(crossing.kind.rawValue))
        sequence += 1
      case .visitBegan(let device, let region, let at):
        visit(device, region, title(region), began: at, ended: nil, nil)
      case .visitEnded(let device, let region, let at, let reason):
        visit(device, region, title(region), began: nil, ended: at, reason)
      }
    }
  }

  private func visit(
    _ device: String, _ region: String, _ title: String?, began: Timestamp?, ended: Timestamp?,
    _ reason: VisitEnd?
  ) {
    let value: JSONValue = [
      "device": .text(device), "region": .text(region), "title": title.map(JSONValue.text) ?? .null,
      "began": began.map { .text($0.description) } ?? .null,
      "ended": ended.map { .text($0.description) } ?? .null,
      "reason": reason.map { .text($0.rawValue) } ?? .null,
    ]
    hub.publish("visit", id: nil, data: value.line)
  }

  /// Tells a fix, to who asks for fixes.
  func fix(_ fix: Fix, _ verdict: FixFilter.Verdict) {
    guard hub.clients > 0 else { return }
    let reason: JSONValue =
      switch verdict {
      case .accepted: "accepted"
      case .rejected(let reason): .text(reason.rawValue)
      }
    let value: JSONValue = [
      "device": .text(fix.device), "time": .text(fix.time.description),
      "latitude": .number(fix.coordinate.latitude), "longitude": .number(fix.coordinate.longitude),
      "accuracy": fix.accuracy.map(JSONValue.number) ?? .null,
      "speed": fix.speed.map(JSONValue.number) ?? .null, "course": fix.course.map(JSONValue.number) ?? .null,
      "altitude": fix.altitude.map(JSONValue.number) ?? .null, "verdict": reason,
    ]
    hub.publish("fix", id: nil, data: value.line)
  }

  /// Tells a change of a receiver's state.
  func signal(_ signal: Signal, _ event: String?) {
    let value: JSONValue = [
      "source": .text(signal.source), "device": signal.device.map(JSONValue.text) ?? .null,
      "state": .text(signal.state.rawValue), "event": event.map(JSONValue.text) ?? .null,
      "detail": signal.detail.map(JSONValue.text) ?? .null, "at": .text(signal.at.utc.description),
    ]
    hub.publish("signal", id: nil, data: value.line)
    let name = signal.device.map { "\(signal.source), \($0)" } ?? signal.source
    let words = "\(name): \(event.map { "\($0), " } ?? "")\(signal.state.rawValue)"
    let sentence = signal.detail.map { "\(words). \($0)" } ?? words
    let level: ServiceLog.Level = signal.detail != nil ? .warning : event != nil ? .notice : .info
    if let device = signal.device {
      log.write(level, sentence, kind: .signal, .device(device), .event(event ?? signal.state.rawValue))
    } else {
      log.write(level, sentence, kind: .signal, .event(event ?? signal.state.rawValue))
    }
  }

  /// Tells a notification that is due: shown, held back, or not shown.
  func notification(_ notification: StoredNotification) {
    hub.publish(
      "notification", id: "n-\(notification.number)", data: JSONValue.notification(notification).line)
    // What it says is private.
    log.write(
      .notice, "\(notification.app): \(notification.identifier) \(notification.outcome)", kind: .notification,
      .event(notification.state.rawValue))
  }

  /// Tells that a request was given up.
  func requestEnded(_ app: String, _ identifier: String, _ reason: String) {
    let value: JSONValue = ["app": .text(app), "request": .text(identifier), "reason": .text(reason)]
    hub.publish("request", id: nil, data: value.line)
    log.write(.notice, "\(app): the request \(identifier) was given up: \(reason)", kind: .notification)
  }

  /// Tells of something that somebody should mend.
  func problem(_ sentence: String) {
    hub.publish("problem", id: nil, data: JSONValue.object([.init("problem", .text(sentence))]).line)
    log.write(.error, sentence, kind: .problem)
  }

  /// Tells that the journal can be written again.
  func journalWorksAgain() {
    hub.publish("problem", id: nil, data: JSONValue.object([.init("problem", .null)]).line)
    log.write(.notice, "The journal can be written again; nothing that was decided is lost.")
  }
}
