package import FencelineMQTTLink
import Synchronization

/// Phones and trackers that publish their positions as OwnTracks does, by a broker of MQTT: one device for each topic.
///
/// With a session that lasts, the broker keeps what is published while this is away. A message counts as received as soon as it is here: what a service that dies
/// at that moment has not written down is lost.
package final class OwnTracksSource: LiveSource {
  package let name: String

  private let link = Mutex<MQTTLink?>(nil)
  private let broker: MQTTOptions
  private let thread = SourceThread()
  private let tallies = SourceCounts()
  private let receiver = Mutex<OwnTracksReceiver?>(nil)
  private let topics: [String]
  private let acceptsWaypoints: Bool
  private let options: SourceOptions
  private let patience: Double

  /// A source that is yet to be started.
  ///
  /// - Parameters:
  ///   - options: How the broker is reached; where the session is not to last for so long, it lasts for a week.
  ///   - topics: What is subscribed to: `owntracks/+/+`.
  ///   - acceptsWaypoints: Whether way-points are handed over; their topics are subscribed to as well then.
  ///   - sourceOptions: What the user says about live sources.
  package convenience init(
    options: MQTTOptions, topics: [String], acceptsWaypoints: Bool, options sourceOptions: SourceOptions
  ) {
    // The app says where it is every half an hour when nothing happens.
    self.init(options, topics, acceptsWaypoints, sourceOptions, patience: 3900)
  }

  /// The same, for tests that cannot wait for so long: a device without a word is not silent for so many seconds at least.
  init(
    _ broker: MQTTOptions, _ topics: [String], _ acceptsWaypoints: Bool, _ options: SourceOptions,
    patience: Double
  ) {
    self.topics = topics
    self.acceptsWaypoints = acceptsWaypoints
    self.options = options
    self.patience = max(patience, options.silence)
    var broker = broker
    broker.sessionExpiry = max(broker.sessionExpiry, 604_800)
    broker.birth = nil
    broker.will = nil
    broker.topics = topics
    if acceptsWaypoints {
      // What ends with '#' has them already.
      for topic in topics where !topic.hasSuffix("#") {
        broker.topics += [topic + "/waypoint", topic + "/waypoints"]
      }
    }
    self.broker = broker
    name = "owntracks \(broker.place)"
  }

  package var counts: [(name: String, count: Int)] { tallies.all }

  package func start(_ deliver: @escaping @Sendable (SourceEvent) -> Void) throws(LiveSourceError) {
    let voice = SourceVoice(name, thread, deliver)
    receiver.withLock { receiver in
      receiver = OwnTracksReceiver(
        place: broker.place, topics: topics, acceptsWaypoints: acceptsWaypoints, options, patience: patience,
        counts: tallies, voice: voice)
    }
    receiver.withLock { $0?.begin() }
    try thread.start { [self] in
      // A device becomes silent by saying nothing, which nobody tells.
      while thread.sleep(Int(receiver.withLock { $0?.untilNextCheck(at: .now) } ?? 60_000)) {
        receiver.withLock { $0?.check(at: .now) }
      }
    }
    do throws(MQTTError) {
      let made = try MQTTLink(broker) { [self] event in
        receiver.withLock { $0?.take(event, .now) }
      }
      link.withLock { $0 = made }
    } catch {
      thread.stop()
      throw LiveSourceError(.resources, error.message)
    }
  }

  package func stop() {
    thread.stop()
    let link = link.withLock { link in
      defer { link = nil }
      return link
    }
    link?.stop()
  }
}
