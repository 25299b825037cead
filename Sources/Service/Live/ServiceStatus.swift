internal import FencelineCivilTime
internal import FencelineEventJournal
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineHTTPServing
internal import FencelineJSONText
internal import FencelineLiveSources
internal import FencelinePositioning
internal import Glibc

/// What the service is doing now, as one JSON object.
struct ServiceStatus {
  let version: String
  let database: String
  let began: Timestamp
  /// What is wrong with the settings.
  var faults: [String] = []
  /// Where positions come from.
  var origin = PositionOrigin.sources

  /// Where somebody has spoilt a whole table, a few say enough.
  private static let regionProblemsShown = 5
  /// Milliseconds for which fixes that were dropped are a problem and not history.
  private static let freshness: Int64 = 600_000

  func json(
    _ engine: Engine, _ mailbox: Mailbox, _ hub: EventHub, _ sources: [any LiveSource],
    _ channels: [RunningChannel], at now: Arrival
  ) -> JSONValue {
    let queue = mailbox.counts
    let rejected = Rejection.allCases.map { reason in
      JSONValue.Member(reason.rawValue, .integer(engine.summary.rejected[reason] ?? 0))
    }
    let kinds = Crossing.Kind.allCases.reversed().map { kind in
      JSONValue.Member(kind.rawValue, .integer(engine.kinds[kind] ?? 0))
    }
    return [
      "version": .text(version), "process": .integer(Int(getpid())), "since": .text(began.description),
      "now": .text(now.utc.description), "database": .text(database), "run": .integer(Int(engine.run)),
      "clockSynchronised": .boolean(engine.isClockSynchronised),
      "sources": .array(sources.map { source($0, engine) }),
      "devices": .array(engine.deviceNames.map { device($0, engine, now) }),
      "regions": .integer(engine.regionCount),
      "fixes": [
        "read": .integer(engine.summary.fixes), "accepted": .integer(engine.summary.accepted),
        "rejected": .object(rejected),
      ],
      "crossings": .object(kinds),
      "queues": [
        "fixes": [
          "waiting": .integer(queue.events + engine.backlog), "capacity": .integer(Mailbox.capacity),
          "dropped": .integer(queue.dropped),
        ],
        "watchers": ["clients": .integer(hub.clients), "dropped": .integer(hub.dropped)],
      ],
      "deliveries": deliveries(engine, channels, at: now),
      "journal": [
        "lastCommit": instant(engine.lastCommit), "problem": text(engine.journalProblem),
        "waiting": .integer(engine.backlog),
      ],
      "latency": [
        "decision": latency(engine.decisionLatency), "commit": latency(engine.commitLatency),
        "synchronise": latency(engine.synchroniseLatency),
      ],
      "memory": .integer(residentBytes),
      "problems": .array((problems(engine, at: now) + channels.compactMap(\.problem)).map(JSONValue.text)),
    ]
  }

  private func deliveries(_ engine: Engine, _ channels: [RunningChannel], at now: Arrival) -> JSONValue {
    let outbox = engine.recorder.outbox
    let counts = (try? engine.journal.deliveryCounts()) ?? [:]
    let rows = outbox.channels.map { channel -> JSONValue in
      let count = counts[channel.number] ?? .init()
      let rest = outbox.rest(of: channel.number, at: Moment(now)).map { Double($0 - now.boot) / 1000 }
      let running = channels.first { $0.stored.number == channel.number }
      return [
        "channel": .text(channel.name), "kind": .text(channel.kind), "enabled": .boolean(channel.isEnabled),
        "waiting": .integer(count.waiting), "failing": .integer(count.failing), "dead": .integer(count.dead),
        "lastDone": instant(count.lastDone), "lastFailure": text(count.lastFailure), "rests": number(rest),
        "problem": text(channel.problem ?? running?.problem),
      ]
    }
    let waiting = counts.values.reduce(0) { $0 + $1.waiting }
    let dead = counts.values.reduce(0) { $0 + $1.dead }
    return ["waiting": .integer(waiting), "dead": .integer(dead), "channels": .array(rows)]
  }

  /// In microseconds.
  private func latency(_ histogram: LatencyHistogram) -> JSONValue {
    func microseconds(_ nanoseconds: Int64?) -> JSONValue {
      nanoseconds.map { .number((Double($0) / 100).rounded() / 10) } ?? .null
    }
    return [
      "count": .integer(histogram.count), "p50": microseconds(histogram.quantile(0.5)),
      "p99": microseconds(histogram.quantile(0.99)), "max": microseconds(histogram.quantile(1)),
      "sum": microseconds(histogram.sum),
    ]
  }

  private func source(_ source: any LiveSource, _ engine: Engine) -> JSONValue {
    let view = engine.sources[source.name]
    let counts = source.counts.map { JSONValue.Member($0.name, .integer($0.count)) }
    return [
      "name": .text(source.name), "state": .text(view?.state.rawValue ?? "connecting"),
      "since": instant(view?.since), "detail": text(view?.detail), "counts": .object(counts),
    ]
  }

  private func device(_ name: String, _ engine: Engine, _ now: Arrival) -> JSONValue {
    let view = engine.devices[name]
    let places = engine.places(of: name)
    let fix = engine.lastFix(of: name)
    let inside = (places?.inside ?? []).map { region, since -> JSONValue in
      ["region": .text(region.id), "title": text(region.title), "since": .text(since.description)]
    }
    let nearest = (places?.nearest ?? []).map { region, distance -> JSONValue in
      [
        "region": .text(region.id), "title": text(region.title),
        "distance": .number((distance * 10).rounded() / 10),
      ]
    }
    let age: JSONValue =
      if let arrival = view?.last?.arrival {
        .number(Double(max(0, now.boot - arrival.boot)) / 1000)
      } else if let fix {
        // Of before the service began: by the clocks, as well as they agree.
        .number(max(0, now.utc.seconds(since: fix.time)))
      } else {
        .null
      }
    return [
      "device": .text(name), "source": text(view.flatMap { $0.source.isEmpty ? nil : $0.source }),
      "receiver": text(view?.receiver), "state": text(view?.state?.rawValue),
      "stateSince": instant(view?.stateSince), "fix": fix.map(json) ?? .null, "age": age,
      "inside": .array(inside), "nearest": .array(nearest),
    ]
  }

  private func json(_ fix: Fix) -> JSONValue {
    [
      "time": .text(fix.time.description), "latitude": .number(fix.coordinate.latitude),
      "longitude": .number(fix.coordinate.longitude), "accuracy": number(fix.accuracy),
      "speed": number(fix.speed), "course": number(fix.course), "altitude": number(fix.altitude),
    ]
  }

  /// One sentence for each thing that somebody should mend.
  private func problems(_ engine: Engine, at now: Arrival) -> [String] {
    var problems: [String] = []
    if let problem = engine.journalProblem { problems.append(problem) }
    if let problem = engine.fileProblem { problems.append(problem) }
    problems += engine.regionProblems.prefix(ServiceStatus.regionProblemsShown)
    let others = engine.regionProblems.count - ServiceStatus.regionProblemsShown
    if others > 0 { problems.append("\(others) more regions cannot be used.") }
    if engine.strangers > 0 {
      problems.append(
        "\(engine.strangers) fixes of more than \(Engine.mostDevices) devices were left out. Is the source what it should be?"
      )
    }
    if origin == .nowhere, let sentence = origin.sentence { problems.append(sentence) }
    for (_, view) in engine.sources.sorted(by: { $0.key < $1.key }) {
      if let detail = view.detail { problems.append(detail) }
    }
    for (name, view) in engine.devices.sorted(by: { $0.key < $1.key }) {
      if let detail = view.detail, !problems.contains(detail) { problems.append(detail) }
      if let offset = view.clockOffset, let problem = clockProblem(of: name, seconds: offset) {
        problems.append(problem)
      }
    }
    if engine.dropped.count > 0, now.boot - engine.dropped.last < ServiceStatus.freshness {
      problems.append(
        "\(engine.dropped.count) fixes were dropped, the oldest first: they came faster than the journal could be written."
      )
    }
    return problems + faults
  }

  private func text(_ value: String?) -> JSONValue { value.map(JSONValue.text) ?? .null }
  private func number(_ value: Double?) -> JSONValue { value.map(JSONValue.number) ?? .null }
  private func instant(_ value: Timestamp?) -> JSONValue { value.map { .text($0.description) } ?? .null }
}

/// The memory that the process holds, in bytes, by proc(5): the second number of `statm`, in pages.
private var residentBytes: Int {
  guard let file = unsafe fopen("/proc/self/statm", "re") else { return 0 }
  defer { unsafe fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 128)
  let count = unsafe fread(&bytes, 1, bytes.count, file)
  let fields = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}
