import FencelineCivilTime
import FencelineJSONText

/// The status of the service as Prometheus reads it: figures in seconds, metres and bytes; no positions.
///
/// - Source: Prometheus, "Exposition formats", text format 0.0.4; "Metric and label naming".
struct StatusMetrics {
  private var text = ""

  static func text(_ status: JSONNode) -> String {
    var metrics = StatusMetrics()
    metrics.service(status)
    metrics.sources(status)
    metrics.devices(status)
    metrics.counts(status)
    metrics.queues(status)
    metrics.latencies(status)
    return metrics.text
  }

  private typealias Sample = (labels: [String: String], value: Double)

  private mutating func service(_ status: JSONNode) {
    add("build_info", "Version of the running service.", [(["version": status.text("version") ?? ""], 1)])
    gauge(
      "start_time_seconds", "When the service started, in seconds since 1970.",
      status.time("since").map(Self.seconds))
    gauge(
      "clock_synchronised", "Whether the system's clock is synchronised.",
      status.truth("clockSynchronised").map { $0 ? 1 : 0 })
    gauge("problems", "Problems that the service knows of.", Double(status.list("problems").count))
    gauge("resident_memory_bytes", "Memory that the service holds.", status.number("memory"))
    gauge("regions", "Regions that are evaluated.", status.number("regions"))
  }

  private mutating func sources(_ status: JSONNode) {
    var states: [Sample] = []
    var omissions: [Sample] = []
    for source in status.list("sources") {
      let name = source.text("name") ?? ""
      states.append((["source": name, "state": source.text("state") ?? ""], 1))
      for (kind, count) in source.counts("counts") {
        omissions.append((["source": name, "kind": kind], Double(count)))
      }
    }
    add("source_state", "State of a source; 1 for the state that it is in.", states)
    add("source_left_out_total", "What came from a source and gave no fix, by kind.", omissions, "counter")
  }

  private mutating func devices(_ status: JSONNode) {
    var states: [Sample] = []
    var inside: [Sample] = []
    var figures: [[Sample]] = [[], [], [], []]
    for device in status.list("devices") {
      let name = device.text("device") ?? ""
      states.append((["device": name, "state": device.text("state") ?? ""], 1))
      for region in device.list("inside") {
        inside.append((["device": name, "region": region.text("region") ?? ""], 1))
      }
      let values = [
        device.number("age"), device.time("fix", "time").map(Self.seconds), device.number("fix", "accuracy"),
        device.number("fix", "speed"),
      ]
      for (place, value) in values.enumerated() {
        if let value { figures[place].append((["device": name], value)) }
      }
    }
    add("device_state", "State of a device; 1 for the state that it is in.", states)
    add("device_fix_age_seconds", "Time since the last fix arrived.", figures[0])
    add("device_fix_time_seconds", "Time of the last fix, in seconds since 1970.", figures[1])
    add("device_fix_accuracy_meters", "Radius that holds the position with 68 %.", figures[2])
    add("device_speed_meters_per_second", "Speed of the last fix.", figures[3])
    add("device_inside", "1 for each region that a device is inside.", inside)
  }

  private mutating func counts(_ status: JSONNode) {
    counter("fixes_read_total", "Fixes that the sources gave.", status.number("fixes", "read"))
    counter("fixes_accepted_total", "Fixes that were evaluated.", status.number("fixes", "accepted"))
    let rejected = status.counts("fixes", "rejected").map { (["reason": $0.name], Double($0.count)) }
    add("fixes_rejected_total", "Fixes that were not evaluated, by reason.", rejected, "counter")
    let crossings = status.counts("crossings").map { (["kind": $0.name], Double($0.count)) }
    add("crossings_total", "Crossings, by kind.", crossings, "counter")
  }

  private mutating func queues(_ status: JSONNode) {
    gauge("fixes_waiting", "Fixes that wait to be evaluated.", status.number("queues", "fixes", "waiting"))
    gauge("fixes_waiting_limit", "How many fixes may wait.", status.number("queues", "fixes", "capacity"))
    counter(
      "fixes_dropped_total", "Fixes that were dropped because too many waited.",
      status.number("queues", "fixes", "dropped"))
    gauge("watchers", "Clients that follow the events.", status.number("queues", "watchers", "clients"))
    counter(
      "watcher_events_dropped_total", "Events that were dropped for slow clients.",
      status.number("queues", "watchers", "dropped"))
    gauge("deliveries_waiting", "Events that wait for their channel.", status.number("deliveries", "waiting"))
    gauge("deliveries_dead", "Events that were given up.", status.number("deliveries", "dead"))
    let channels = status.list("deliveries", "channels")
    func each(_ name: String) -> [Sample] {
      channels.compactMap { channel in
        channel.number(name).map { (["channel": channel.text("channel") ?? ""], $0) }
      }
    }
    add("channel_waiting", "Events that wait, by channel.", each("waiting"))
    add("channel_failing", "Events of these that have failed before.", each("failing"))
    add("channel_dead", "Events that were given up, by channel.", each("dead"))
    gauge("journal_waiting", "Effects that wait to be written.", status.number("journal", "waiting"))
    gauge(
      "journal_commit_time_seconds", "When the journal was written last, in seconds since 1970.",
      status.time("journal", "lastCommit").map(Self.seconds))
  }

  private mutating func latencies(_ status: JSONNode) {
    summary("fix_decision_seconds", "From the read of a fix to its decision.", status, "decision")
    summary("journal_commit_seconds", "What the record of decisions took.", status, "commit")
    summary(
      "journal_synchronise_seconds", "What it took until crossings survive a power cut.", status,
      "synchronise")
  }

  /// Adds how long something took since the service began: figures in microseconds, given in seconds.
  private mutating func summary(_ name: String, _ help: String, _ status: JSONNode, _ step: String) {
    guard let count = status.number("latency", step, "count"), let sum = status.number("latency", step, "sum")
    else { return }
    text += "# HELP fenceline_\(name) \(help)\n# TYPE fenceline_\(name) summary\n"
    for (quantile, member) in [("0.5", "p50"), ("0.99", "p99"), ("1", "max")] {
      guard let value = status.number("latency", step, member) else { continue }
      text += "fenceline_\(name){quantile=\"\(quantile)\"} \(Self.seconds(microseconds: value))\n"
    }
    text += "fenceline_\(name)_sum \(Self.seconds(microseconds: sum))\n"
    text += "fenceline_\(name)_count \(JSONValue.number(count).line)\n"
  }

  /// They come with one digit, so that the quotient of whole numbers has no stray ones.
  private static func seconds(microseconds: Double) -> String {
    JSONValue.number((microseconds * 10).rounded() / 1e7).line
  }

  private static func seconds(_ time: Timestamp) -> Double { Double(time.milliseconds) / 1000 }

  private mutating func gauge(_ name: String, _ help: String, _ value: Double?) {
    add(name, help, value.map { [([:], $0)] } ?? [])
  }

  private mutating func counter(_ name: String, _ help: String, _ value: Double?) {
    add(name, help, value.map { [([:], $0)] } ?? [], "counter")
  }

  /// Adds a metric, unless it has no values. Labels that are equal would make the whole text invalid, so the first one counts.
  private mutating func add(
    _ name: String, _ help: String, _ samples: [Sample], _ type: String = "gauge"
  ) {
    guard !samples.isEmpty else { return }
    text += "# HELP fenceline_\(name) \(help)\n# TYPE fenceline_\(name) \(type)\n"
    var seen: Set<[String: String]> = []
    for (labels, value) in samples where seen.insert(labels).inserted {
      let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
      let braces = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
      text += "fenceline_\(name)\(braces) \(JSONValue.number(value).line)\n"
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
