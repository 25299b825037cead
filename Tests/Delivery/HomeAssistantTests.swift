import FencelineCivilTime
import FencelineDelivery
import FencelineGeofencing
import FencelineJSONText
import FencelineMQTTLink
import FencelineTestSupport
import Synchronization
import Testing

@Suite("Home Assistant", .enabled(if: MQTTLink.isAvailable), .timeLimit(.minutes(5)))
struct HomeAssistantTests {
  /// How things stand, to be changed by the test.
  private final class World: Sendable {
    let state = Mutex(
      LiveState(
        identity: "1a2b3c",
        places: [
          .office,
          Parcel.Place(region: "Plaza #1", title: nil, latitude: 48, longitude: 11, radius: 500),
        ],
        positions: [
          LivePosition(
            device: "alice/phone", time: Timestamp(milliseconds: 1_700_000_000_000), latitude: 48.1,
            longitude: 11.5, accuracy: 7, altitude: 520)
        ], inside: ["office": ["alice/phone"], "Plaza #1": ["alice/phone"]]))
  }

  private func channel(_ broker: MQTTBroker, _ world: World, _ values: [String: [String]] = [:]) throws
    -> Channel
  {
    try Channel(
      broker, ["format": ["homeassistant"], "positions": ["0.1"]].merging(values) { $1 },
      state: { world.state.withLock { $0 } })
  }

  /// The retained documents of discovery, by their topics.
  private func documents(_ listener: MQTTListener) throws -> [String: JSONNode] {
    var documents: [String: JSONNode] = [:]
    for message in listener.messages where message.topic.hasSuffix("/config") {
      documents[message.topic] = message.text.isEmpty ? nil : try JSONNode(parsing: Array(message.text.utf8))
    }
    return documents
  }

  @Test func devicesAndRegionsAreFound() throws {
    let broker = try MQTTBroker()
    let world = World()
    let first = try broker.listen(to: "#")
    let channel = try channel(broker, world)
    #expect(first.waits { $0.messages.contains { $0.topic == "fenceline/alice%2Fphone/position" } })
    #expect(first.waits { $0.messages.count { $0.topic.hasSuffix("/config") } >= 4 })
    // Somebody who comes later has everything as well.
    let listener = try broker.listen(to: "#")
    #expect(listener.waits { $0.messages.count >= 11 })
    #expect(listener.messages.allSatisfy { $0.isRetained })
    let documents = try documents(listener)
    #expect(documents.count == 4)
    var identifiers: Set<String> = []
    for (topic, document) in documents {
      let levels = topic.split(separator: "/")
      #expect(levels.count == 5 && levels[0] == "homeassistant" && levels[2] == "fenceline")
      // Home Assistant takes nothing else in a topic of discovery.
      #expect(levels[3].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) })
      #expect(document["availability_topic"]?.text == "fenceline/status")
      #expect(document["origin"]?["name"]?.text == "Fenceline")
      #expect(document["origin"]?["sw_version"]?.text == "1.2.3")
      #expect(document["device"]?["identifiers"]?.elements?.isEmpty == false)
      identifiers.insert(try #require(document["unique_id"]?.text))
      let stateTopic = try #require(document["state_topic"]?.text)
      let attributesTopic = document["json_attributes_topic"]?.text ?? ""
      switch levels[1] {
      case "device_tracker":
        #expect(document["source_type"]?.text == "gps" && document["payload_not_home"]?.text == "not_home")
        #expect(listener.texts(on: stateTopic) == ["The Office"])
        let attributes = try #require(listener.texts(on: attributesTopic).first)
        let position = try JSONNode(parsing: Array(attributes.utf8))
        #expect(position["latitude"]?.number == 48.1 && position["longitude"]?.number == 11.5)
        #expect(position["gps_accuracy"]?.number == 7)
      case "event":
        #expect(document["event_types"]?.elements?.compactMap(\.text) == ["entry", "exit", "dwell"])
        #expect(channel.carry([.crossing(number: 5, device: "alice/phone")]) == [.done])
        #expect(first.waits { !$0.texts(on: stateTopic).isEmpty })
        let event = try JSONNode(parsing: Array(first.texts(on: stateTopic)[0].utf8))
        #expect(event["event_type"]?.text == "entry" && event["region"]?.text == "office")
      case "binary_sensor":
        #expect(document["payload_on"]?.text == "ON" && document["payload_off"]?.text == "OFF")
        #expect(listener.texts(on: stateTopic) == ["ON"])
        let attributes = try #require(listener.texts(on: attributesTopic).first)
        let inside = try JSONNode(parsing: Array(attributes.utf8))
        #expect(inside["devices"]?.elements?.first?.text == "alice/phone")
      default: Issue.record("\(topic)")
      }
    }
    #expect(identifiers.count == 4)
    #expect(channel.warnings.all.isEmpty)
  }

  @Test func aRegionThatGoesIsRemovedAndACrossingChangesTheState() throws {
    let broker = try MQTTBroker()
    let world = World()
    let listener = try broker.listen(to: "#")
    let channel = try channel(broker, world)
    #expect(listener.waits { $0.texts(on: "fenceline/region/office/state") == ["ON"] })
    world.state.withLock { state in
      state.places = [.office]
      state.inside = [:]
    }
    #expect(channel.carry([.crossing(number: 1, device: "alice/phone", kind: .exit)]) == [.done])
    #expect(listener.waits { $0.texts(on: "fenceline/region/office/state") == ["ON", "OFF"] })
    #expect(listener.waits { $0.texts(on: "fenceline/alice%2Fphone/state").last == "not_home" })
    #expect(listener.waits { (try? documents($0).count) == 3 })
    let later = try broker.listen(to: "#")
    #expect(later.waits { $0.messages.count >= 8 })
    #expect(!later.messages.contains { $0.topic.contains("Plaza") })
  }

  @Test func whatWentWhileTheServiceWasAwayIsRemoved() throws {
    let broker = try MQTTBroker()
    let world = World()
    let listener = try broker.listen(to: "#")
    var first: Channel? = try channel(broker, world)
    #expect(listener.waits { (try? documents($0).count) == 4 })
    first?.carrier.stop()
    first = nil
    world.state.withLock { $0.places = [] }
    let second = try channel(broker, world)
    #expect(listener.waits { (try? documents($0).count) == 2 })
    second.carrier.stop()
  }

  @Test func whatAnotherServiceHasPublishedStays() throws {
    let broker = try MQTTBroker()
    let other = World()
    other.state.withLock { state in
      state.identity = "4d5e6f"
      state.places = [Parcel.Place(region: "mooring", title: nil, latitude: 47, longitude: 8, radius: 50)]
      (state.positions, state.inside) = ([], [:])
    }
    let listener = try broker.listen(to: "#")
    let theirs = try channel(broker, other)
    #expect(listener.waits { (try? documents($0).count) == 1 })
    let world = World()
    let ours = try channel(broker, world)
    #expect(listener.waits { (try? documents($0).count) == 5 })
    #expect(listener.waits { _ in ours.warnings.all.contains { $0.contains("mooring") } })
    // What is published after that comes behind whatever it would have taken away.
    world.state.withLock {
      $0.places.append(Parcel.Place(region: "quay", title: nil, latitude: 47, longitude: 8, radius: 50))
    }
    #expect(ours.carry([.crossing(number: 1, device: "alice/phone")]) == [.done])
    #expect(listener.waits { (try? documents($0).keys.contains { $0.contains("quay") }) == true })
    #expect(try documents(listener).count == 6)
    ours.carrier.stop()
    theirs.carrier.stop()
  }

  @Test func aHomeAssistantThatIsStartedAndABrokerThatHasForgottenGetEverythingAgain() throws {
    let broker = try MQTTBroker()
    let listener = try broker.listen(to: "homeassistant/#", "fenceline/#")
    let channel = try channel(broker, World())
    func count() -> Int { listener.messages.count { $0.topic.hasSuffix("/config") } }
    #expect(listener.waits { _ in count() == 4 })
    try broker.publish("-t", "homeassistant/status", "-m", "online", "-q", "1")
    #expect(listener.waits { _ in count() == 8 })
    // A broker that is killed has written nothing down.
    broker.kill()
    try broker.start()
    let after = try broker.listen(to: "#")
    #expect(after.waits { $0.messages.count { $0.topic.hasSuffix("/config") } >= 4 })
    #expect(after.waits { $0.texts(on: "fenceline/status").last == "online" })
    #expect(after.waits { !$0.texts(on: "fenceline/alice%2Fphone/position").isEmpty })
    channel.carrier.stop()
  }

  @Test func positionsAreNotPublishedMoreOftenThanAskedFor() throws {
    let broker = try MQTTBroker()
    let listener = try broker.listen(to: "fenceline/+/position")
    let channel = try Channel(broker, ["positions": ["3600"]])
    func note(_ second: Int64) {
      channel.carrier.note(
        LivePosition(
          device: "van", time: Timestamp(milliseconds: second * 1000), latitude: 1, longitude: Double(second))
      )
    }
    note(1)
    #expect(listener.waits { $0.messages.count == 1 })
    for second in Int64(2)...50 { note(second) }
    channel.carrier.note(
      LivePosition(device: "car", time: Timestamp(milliseconds: 0), latitude: 2, longitude: 2))
    #expect(listener.waits { $0.messages.count == 2 })
    #expect(listener.messages.map(\.topic) == ["fenceline/van/position", "fenceline/car/position"])
  }
}
