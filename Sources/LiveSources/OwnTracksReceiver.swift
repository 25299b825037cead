import FencelineCivilTime
import FencelineJSONText
import FencelineMQTTLink
import FencelinePositioning
import FencelineTrackLogs

/// Makes events of what OwnTracks publishes.
struct OwnTracksReceiver {
  private struct Device {
    let name: String
    var watch: ReceiverWatch
    /// The newest time that it gave.
    var newest: Timestamp?
    var last: Fix?
    var isEncrypted = false
  }

  private let place: String
  private let topics: [String]
  private let acceptsWaypoints: Bool
  private let names: TopicNames
  private let given: ReceiverNames
  private let patience: Int64
  private let counts: SourceCounts
  private var voice: SourceVoice
  /// By their topics.
  private var devices: [String: Device] = [:]
  /// Since when somebody could have published a position, where nobody has; by the monotonic clock.
  private var idleSince: Int64?
  /// Messages so far, and those of them that are not among ``counts`` and no positions either.
  private var heard = 0
  private var wills = 0
  private var waypoints = 0
  /// Whether it was told that what was published is no position.
  private var hasToldOfOthers = false

  /// More topics than this are taken for a mistake, or for malice.
  private static let mostDevices = 10_000

  init(
    place: String, topics: [String], acceptsWaypoints: Bool, _ options: SourceOptions, patience: Double,
    counts: SourceCounts, voice: SourceVoice
  ) {
    self.place = place
    self.topics = topics
    self.acceptsWaypoints = acceptsWaypoints
    names = TopicNames(topics)
    given = ReceiverNames(options.receivers, linkFolders: [])
    self.patience = Int64(patience * 1000)
    self.counts = counts
    self.voice = voice
  }

  /// The way to the broker is being opened.
  mutating func begin() { voice.tell(.connecting) }

  /// Takes what the link tells.
  mutating func take(_ event: MQTTLink.Event, _ now: Arrival) {
    switch event {
    case .connected:
      for topic in devices.keys { devices[topic]?.watch = ReceiverWatch(silence: patience, at: now.boot) }
      guard devices.isEmpty else { return voice.tell(.silent, nil) }
      // That nobody has published yet is nothing to mend.
      idleSince = now.boot
      hasToldOfOthers = false
      voice.tell(.noReceiver)
    case .disconnected(let trouble):
      idleSince = nil
      voice.tell(.connecting, trouble.message)
    case .topicRefused(let sentence):
      idleSince = nil
      voice.tell(.noReceiver, sentence)
    case .message(let message): take(message, now)
    }
  }

  private mutating func take(_ message: MQTTArrival, _ now: Arrival) {
    // That takes away what was retained.
    guard message.payload?.isEmpty != true else { return }
    heard += 1
    guard let payload = message.payload else { return counts.leaveOut(.overlongMessage) }
    let (topic, isForWaypoints) = OwnTracksReceiver.base(message.topic)
    guard let report = try? JSONNode(parsing: payload), !report.members.isEmpty else {
      return counts.leaveOut(.damagedLine)
    }
    guard var device = device(topic, now) else { return counts.leaveOut(.nameless) }
    switch report["_type"]?.text {
    // The broker says it for a phone that it has lost.
    case "lwt": wills += 1
    case "encrypted": takeEncrypted(&device, topic, now)
    case "waypoint" where acceptsWaypoints: takeWaypoints([report], device.name, now)
    case "waypoints" where acceptsWaypoints:
      takeWaypoints(report["waypoints"]?.elements ?? [], device.name, now)
    default:
      guard !isForWaypoints else { return counts.leaveOut(.otherRecord) }
      takeLocation(report, &device, topic, isRetained: message.isRetained, now)
    }
    // A topic that has never told where something is is none of a device's.
    if device.last != nil || device.isEncrypted { devices[topic] = device }
  }

  /// The topic of the device, where one is that of its way-points.
  private static func base(_ topic: String) -> (topic: String, isForWaypoints: Bool) {
    for ending in ["/waypoint", "/waypoints"] where topic.hasSuffix(ending) {
      return (String(topic.dropLast(ending.count)), true)
    }
    return (topic, false)
  }

  // MARK: Positions

  private mutating func takeLocation(
    _ report: JSONNode, _ device: inout Device, _ topic: String, isRetained: Bool, _ now: Arrival
  ) {
    guard let fix = counts.fix(in: report, device: device.name) else { return }
    // Brokers give what they have kept again, and repeat what was not acknowledged.
    let isKnown = isRetained ? device.newest.map { fix.time <= $0 } ?? false : fix == device.last
    guard !isKnown else { return counts.leaveOutRepeated() }
    device.newest = max(device.newest ?? fix.time, fix.time)
    device.last = fix
    device.isEncrypted = false
    // What was kept says nothing of how the device is now, unless it is young.
    if !isRetained || now.utc.milliseconds - fix.time.milliseconds < patience {
      let hasChanged = device.watch.takeFix(mode: fix.altitude == nil ? 2 : 3, at: now.boot)
      if hasChanged, let state = device.watch.state { voice.tell(device.name, state, receiver: topic, now) }
    } else if device.watch.state == nil, device.watch.check(at: now.boot + patience) {
      voice.tell(
        device.name, .silent, "The last that '\(topic)' has said is old. Open the app there.",
        receiver: topic, now)
    }
    voice.tell(fix, now)
  }

  private mutating func takeEncrypted(_ device: inout Device, _ topic: String, _ now: Arrival) {
    counts.leaveOut(.encrypted)
    device.watch.hear(at: now.boot)
    guard !device.isEncrypted else { return }
    device.isEncrypted = true
    voice.tell(
      device.name, .noFix,
      "What '\(topic)' publishes is encrypted and cannot be read. Take the encryption key out of the app's settings, and let the broker encrypt.",
      receiver: topic, now)
  }

  /// The device of a topic; nil where that names none.
  private func device(_ topic: String, _ now: Arrival) -> Device? {
    if let device = devices[topic] { return device }
    guard devices.count < OwnTracksReceiver.mostDevices, let name = given[topic] ?? names[topic] else {
      return nil
    }
    return Device(name: name, watch: ReceiverWatch(silence: patience, at: now.boot))
  }

  // MARK: Silence

  /// Milliseconds until some device may have become silent, at most a minute.
  func untilNextCheck(at now: Arrival) -> Int64 {
    let next = devices.values.reduce(now.boot + min(patience, 60_000)) { min($0, $1.watch.nextCheck ?? $0) }
    return max(10, next - now.boot)
  }

  /// Looks whether a device has become silent, or none has ever spoken.
  mutating func check(at now: Arrival) {
    if devices.isEmpty, let idleSince, now.boot - idleSince >= patience { tellOfNoPosition() }
    for (topic, device) in devices.sorted(by: { $0.key < $1.key }) {
      var device = device
      guard device.watch.check(at: now.boot), let state = device.watch.state else { continue }
      devices[topic] = device
      let minutes = (now.boot - device.watch.heardAt) / 60_000
      voice.tell(
        device.name, state,
        "Nothing has come from '\(topic)' for \(minutes) min. Check the app and its network.",
        receiver: topic, now)
    }
  }

  /// Says that nobody has published a position, and what there was instead. That is told once: more of the same is no news.
  private mutating func tellOfNoPosition() {
    let list = topics.map { "'\($0)'" }.joined(separator: " and ")
    guard heard > 0 else {
      return voice.tell(
        .noReceiver, "Nothing was published on \(list) at \(place) yet. Check the topic in the app.")
    }
    guard !hasToldOfOthers else { return }
    hasToldOfOthers = true
    let others = [("way-points", waypoints), ("notices of lost connections", wills)].filter { $0.1 > 0 }
    let all = (counts.all.map { ($0.name, $0.count) } + others).map { "\($0.0) \($0.1)" }
    let messages = heard == 1 ? "1 message has" : "\(heard) messages have"
    voice.tell(
      .noReceiver,
      "\(messages) come on \(list) at \(place), and no position (\(all.joined(separator: ", "))). Check the topic, and what publishes there."
    )
  }

  // MARK: Way-points

  /// - Source: owntracks.org/booklet/tech/json, types `waypoint` and `waypoints`; owntracks.org/booklet/features/waypoints.
  private mutating func takeWaypoints(_ waypoints: [JSONNode], _ name: String, _ now: Arrival) {
    self.waypoints += 1
    var watched: [JSONValue] = []
    var unwatched: [String] = []
    for waypoint in waypoints where waypoint["uuid"]?.text?.isEmpty != false {
      // Without a radius the app does not watch it; without a place it was taken away.
      if let radius = waypoint["rad"], !radius.isNull, radius.number != 0, waypoint["lat"]?.number != nil,
        waypoint["lon"]?.number != nil
      {
        watched.append(JSONValue(waypoint))
      } else if let words = waypoint["desc"]?.text, !words.isEmpty {
        unwatched.append(words)
      }
    }
    guard !watched.isEmpty || !unwatched.isEmpty else { return }
    let document: JSONValue = ["_type": "waypoints", "waypoints": .array(watched)]
    voice.tell(
      ReportedRegions(
        source: voice.source, device: name, document: watched.isEmpty ? nil : Array(document.line.utf8),
        unwatched: unwatched, at: now))
  }
}
