internal import FencelineJSONText

/// What Home Assistant learns by discovery: a tracker and an event entity for each device, a sensor for each region.
///
/// - Source: home-assistant.io/integrations/mqtt, MQTT Discovery; device_tracker.mqtt, binary_sensor.mqtt and event.mqtt there.
struct Discovery {
  private let options: MQTTChannelOptions
  private let messages: EventMessages
  /// The journal's.
  private let identity: String

  init(_ options: MQTTChannelOptions, identity: String) {
    self.options = options
    self.identity = identity
    messages = EventMessages(options)
  }

  /// Everything that the broker should keep, by topics.
  func topics(_ state: LiveState) -> [String: [UInt8]] {
    var topics: [String: [UInt8]] = [:]
    func put(_ topic: String, _ text: String) { topics[topic] = Array(text.utf8) }
    let devices = Set(state.positions.map(\.device)).union(state.inside.values.joined())
    for device in devices {
      put(config("device_tracker", device), tracker(device).line)
      put(config("event", device), event(device).line)
      put("\(messages.topic(device))/state", stateText(device, state))
    }
    for place in state.places {
      let inside = state.inside[place.region] ?? []
      put(config("binary_sensor", place.region), sensor(place).line)
      put("\(topic(place))/state", inside.isEmpty ? "OFF" : "ON")
      put("\(topic(place))/attributes", attributes(place, inside).line)
    }
    return topics
  }

  /// Whether a document was written for the same journal.
  func isOwn(_ document: [UInt8]) -> Bool {
    let identifiers = (try? JSONNode(parsing: document))?["device"]?["identifiers"]?.elements ?? []
    return identifiers.contains {
      $0.text == "fenceline_\(identity)" || $0.text?.hasPrefix("\(identity)_") == true
    }
  }

  private func config(_ kind: String, _ name: String) -> String {
    "\(options.discoveryPrefix)/\(kind)/\(options.node)/\(TopicName.objectID(name))/config"
  }

  private func topic(_ place: Parcel.Place) -> String {
    "\(options.prefix)/region/\(TopicName.level(place.region))"
  }

  /// The smallest region that the device is in, by what people call it.
  private func stateText(_ device: String, _ state: LiveState) -> String {
    let places = state.places.filter { state.inside[$0.region]?.contains(device) == true }
    guard let place = places.min(by: { ($0.radius, $0.region) < ($1.radius, $1.region) }) else {
      return "not_home"
    }
    let name = place.title ?? place.region
    // Home Assistant's own words for its home zone, and for nothing known.
    return ["home", "none"].contains(name.lowercased())
      ? name.lowercased() == "home" ? "home" : place.region : name
  }

  private func attributes(_ place: Parcel.Place, _ inside: Set<String>) -> JSONValue {
    [
      "region": .text(place.region), "devices": .array(inside.sorted().map { .text($0) }),
      "radius": .number(place.radius), "tags": .array(place.tags.map { .text($0) }),
    ]
  }

  // MARK: Documents

  private func tracker(_ device: String) -> JSONValue {
    // Without a name of its own, the entity has that of its device.
    entity(
      "tracker", device, name: nil, owner: block(of: device),
      [
        .init("state_topic", .text("\(messages.topic(device))/state")),
        .init("json_attributes_topic", .text("\(messages.topic(device))/position")),
        .init("payload_home", "home"), .init("payload_not_home", "not_home"), .init("source_type", "gps"),
      ])
  }

  private func event(_ device: String) -> JSONValue {
    entity(
      "event", device, name: "Crossing", owner: block(of: device),
      [
        .init("state_topic", .text("\(messages.topic(device))/crossing")),
        .init("event_types", ["entry", "exit", "dwell"]), .init("icon", "mdi:map-marker-radius"),
      ])
  }

  private func sensor(_ place: Parcel.Place) -> JSONValue {
    entity(
      "region", place.region, name: place.title ?? place.region, owner: ownBlock,
      [
        .init("state_topic", .text("\(topic(place))/state")),
        .init("json_attributes_topic", .text("\(topic(place))/attributes")), .init("payload_on", "ON"),
        .init("payload_off", "OFF"), .init("device_class", "occupancy"),
      ])
  }

  private func entity(
    _ kind: String, _ name: String, name shown: String?, owner: JSONValue, _ members: [JSONValue.Member]
  ) -> JSONValue {
    let unique = "\(options.node)_\(kind)_\(TopicName.objectID(name))"
    let frame: [JSONValue.Member] = [
      .init("name", shown.map { .text($0) } ?? .null), .init("unique_id", .text(unique)),
      .init("availability_topic", .text(options.statusTopic)),
      .init("payload_available", "online"), .init("payload_not_available", "offline"), .init("qos", 1),
      .init("device", owner), .init("origin", ["name": "Fenceline", "sw_version": .text(options.version)]),
    ]
    return .object(frame + members)
  }

  private func block(of device: String) -> JSONValue {
    [
      // The second tells whose it is.
      "identifiers": .array(
        [options.node, identity].map { .text("\($0)_\(TopicName.objectID(device))") }),
      "name": .text(device),
      "manufacturer": "Fenceline", "model": "Device", "via_device": .text(options.node),
    ]
  }

  /// The service itself, which the regions belong to.
  private var ownBlock: JSONValue {
    [
      "identifiers": .array([.text(options.node), .text("fenceline_\(identity)")]), "name": "Fenceline",
      "manufacturer": "Fenceline",
      "model": "Geofences", "sw_version": .text(options.version),
    ]
  }
}
