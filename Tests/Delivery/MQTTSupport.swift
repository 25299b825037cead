import FencelineCivilTime
import FencelineDelivery
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineMQTTLink
import FencelineTestSupport
import Glibc
import Synchronization

/// A channel of MQTT, which stops with the test.
final class Channel {
  let carrier: any Carrier
  let warnings = Warnings()

  /// What it has told the log.
  final class Warnings: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  init(
    port: Int, _ values: [String: [String]] = [:], state: @escaping @Sendable () -> LiveState? = { nil }
  ) throws {
    let setup = ChannelSetup(
      name: "home", values: ["broker": ["mqtt://127.0.0.1:\(port)"]].merging(values) { $1 })
    carrier = try ChannelKind.mqtt.make(
      setup, ChannelContext(version: "1.2.3", state: state, warn: { [warnings] in warnings.add($0) }))
    try carrier.start()
  }

  convenience init(
    _ broker: MQTTBroker, _ values: [String: [String]] = [:],
    state: @escaping @Sendable () -> LiveState? = { nil }
  ) throws {
    try self.init(port: broker.port, values, state: state)
  }

  deinit { carrier.stop() }

  /// Carries parcels, as many at once as it takes, and gives the outcomes in their order; nil for what was not reported.
  func carry(_ parcels: [Parcel]) -> [CarryOutcome?] {
    var outcomes = [CarryOutcome?](repeating: nil, count: parcels.count)
    for start in stride(from: 0, to: parcels.count, by: carrier.most) {
      let batch = Array(parcels[start..<min(start + carrier.most, parcels.count)])
      carrier.carry(batch) { parcel, outcome in
        if let place = parcels.firstIndex(where: { $0.key == parcel.key }) { outcomes[place] = outcome }
      }
    }
    return outcomes
  }
}

extension Parcel {
  /// A crossing of the office's perimeter, so many seconds after some time.
  static func crossing(number: Int, device: String, kind: Crossing.Kind = .entry) -> Parcel {
    let at = Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 1000)
    let crossing = Crossing(
      device: device, region: "office", kind: kind, at: at, confirmedAt: at, earliest: at, latest: at,
      cause: .observed, notify: true, coordinate: Coordinate(latitude: 48.1, longitude: 11.5))
    return Parcel(
      number: Int64(number), key: "key-\(number)", device: device, at: at,
      json: ["device": .text(device), "region": "office", "kind": .text(kind.rawValue)],
      title: "\(device) entered",
      body: "", crossing: crossing, run: 1, sequence: Int64(number), place: .office)
  }
}

extension Parcel.Place {
  static let office = Parcel.Place(
    region: "office", title: "The Office", latitude: 48.1, longitude: 11.5, radius: 100, tags: ["work"])
}

/// Somebody who reads the events below `fenceline/`, with QoS 0, so that whatever was sent to it is read, also when the broker has gone.
final class Reader: Sendable {
  private let listener: MQTTListener

  init(_ listener: MQTTListener) { self.listener = listener }

  /// The keys of the events, in their order.
  var keys: [String] {
    listener.messages.compactMap { message in (try? JSONNode(parsing: Array(message.text.utf8)))?["key"]?.text
    }
  }

  /// Whether what is published reaches it, who had so many keys before.
  func isSubscribed(_ broker: MQTTBroker, after count: Int = 0) -> Bool {
    try? broker.publish("-t", "fenceline/probe/event", "-q", "1", "-m", #"{"key":"key--1"}"#)
    return keys.count > count
  }

  /// Whether something becomes so within a minute.
  func waits(until condition: (Reader) -> Bool) -> Bool {
    for _ in 0..<6000 {
      if condition(self) { return true }
      usleep(10_000)
    }
    return false
  }
}

/// Takes connections and says nothing.
final class SilentBroker: Sendable {
  let port: Int
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard unsafe Loopback.call(descriptor, 0, { unsafe bind($0, $1, $2) }) == 0, listen(descriptor, 8) == 0
    else {
      throw SystemTrouble("listen")
    }
    port = Loopback.port(of: descriptor)
  }

  deinit { close(descriptor) }

  /// Takes so many clients, waiting until they come.
  func waitForClients(_ count: Int) {
    for _ in 0..<count {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&request, 1, 60_000)
      // It stays open until the test ends.
      _ = accept(descriptor, nil, nil)
    }
  }
}
