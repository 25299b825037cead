import FencelineMQTTLink
import FencelineTestSupport
import Glibc
import Synchronization

/// A link and what it has told.
final class LinkLog: Sendable {
  private struct Content {
    var connections = 0
    var troubles: [MQTTError] = []
    var refusedTopics: [String] = []
    var arrivals: [MQTTArrival] = []
  }

  let link: MQTTLink

  /// Where a broker is.
  static func options(_ broker: MQTTBroker, _ clientID: String = "test") -> MQTTOptions {
    MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: clientID)
  }

  init(_ options: MQTTOptions) throws {
    let box = Box()
    link = try MQTTLink(options) { event in
      box.content.withLock { content in
        switch event {
        case .connected: content.connections += 1
        case .disconnected(let trouble): content.troubles.append(trouble)
        case .topicRefused(let sentence): content.refusedTopics.append(sentence)
        case .message(let arrival): content.arrivals.append(arrival)
        }
      }
    }
    self.box = box
  }

  private final class Box: Sendable { let content = Mutex(Content()) }
  private let box: Box

  deinit { link.stop() }

  var connections: Int { box.content.withLock { $0.connections } }
  var troubles: [MQTTError] { box.content.withLock { $0.troubles } }
  var refusedTopics: [String] { box.content.withLock { $0.refusedTopics } }
  var arrivals: [MQTTArrival] { box.content.withLock { $0.arrivals } }

  /// Whether something becomes so within half a minute.
  func waits(until condition: (LinkLog) -> Bool) -> Bool {
    for _ in 0..<3000 {
      if condition(self) { return true }
      usleep(10_000)
    }
    return false
  }

  /// Publishes, and gives what has become of each, in the order of the messages.
  func publish(_ messages: [MQTTMessage], within milliseconds: Int = 20_000) -> [PublishResult?] {
    var results = [PublishResult?](repeating: nil, count: messages.count)
    link.publish(messages, within: milliseconds) { results[$0] = $1 }
    return results
  }
}
