internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineMQTTLink

/// Events and positions as messages.
struct EventMessages: Sendable {
  /// Seconds for which a broker keeps an event for somebody who is away: a week.
  private static let expiry: UInt32 = 604_800

  private let options: MQTTChannelOptions

  init(_ options: MQTTChannelOptions) { self.options = options }

  /// What is published of an event, in every format that was asked for.
  func messages(for parcel: Parcel) -> [MQTTMessage] {
    var messages: [MQTTMessage] = []
    if options.formats.contains(.json) { messages.append(json(parcel)) }
    if options.formats.contains(.ownTracks), let transition = transition(parcel) {
      messages.append(transition)
    }
    if options.formats.contains(.homeAssistant), let event = homeAssistantEvent(parcel) {
      messages.append(event)
    }
    return messages
  }

  /// What is published of a position, for those who come later as well.
  func messages(for position: LivePosition) -> [MQTTMessage] {
    var messages: [MQTTMessage] = []
    if options.formats != [.ownTracks] {
      messages.append(
        message("\(topic(position.device))/position", EventMessages.json(position), isRetained: true))
    }
    if options.formats.contains(.ownTracks) {
      messages.append(message(ownTracksTopic(position.device), location(position), isRetained: true))
    }
    return messages
  }

  /// What all topics of a device begin with.
  func topic(_ device: String) -> String {
    device.isEmpty ? options.prefix : "\(options.prefix)/\(TopicName.level(device))"
  }

  private func message(_ topic: String, _ json: JSONValue, isRetained: Bool) -> MQTTMessage {
    MQTTMessage(topic, Array(json.line.utf8), isRetained: isRetained, contentType: "application/json")
  }

  private func event(_ topic: String, _ json: JSONValue, _ parcel: Parcel, isRetained: Bool) -> MQTTMessage {
    var event = message(topic, json, isRetained: isRetained)
    event.expiry = EventMessages.expiry
    event.properties = ["key": parcel.key, "type": parcel.type]
    return event
  }

  // MARK: Formats

  private func json(_ parcel: Parcel) -> MQTTMessage {
    event("\(topic(parcel.device))/event", parcel.keyed, parcel, isRetained: options.retains)
  }

  /// - Source: owntracks.org/booklet/tech/json, type `transition`.
  private func transition(_ parcel: Parcel) -> MQTTMessage? {
    guard let crossing = parcel.crossing, parcel.notification == nil, crossing.kind != .dwell else {
      return nil
    }
    let json: JSONValue = [
      "_type": "transition", "event": crossing.kind == .entry ? "enter" : "leave",
      "desc": .text(parcel.place?.title ?? crossing.region), "rid": .text(crossing.region),
      "tid": .text(trackerID(crossing.device)), "tst": seconds(crossing.at.split(by: 1000).whole),
      // The second that an exported way-point of this region has as that of its creation.
      "wtst": .integer(1_000_000_000 + Int(TopicName.hash(crossing.region) % 600_000_000)),
      "lat": .number(crossing.coordinate.latitude), "lon": .number(crossing.coordinate.longitude), "t": "c",
    ]
    return event("\(ownTracksTopic(crossing.device))/event", json, parcel, isRetained: options.retains)
  }

  /// - Source: owntracks.org/booklet/tech/json, type `location`.
  private func location(_ position: LivePosition) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("_type", "location"), .init("tid", .text(trackerID(position.device))),
      .init("tst", seconds(position.time.split(by: 1000).whole)), .init("lat", .number(position.latitude)),
      .init("lon", .number(position.longitude)),
    ]
    // The app knows whole metres, kilometres an hour and degrees.
    let rest: [(String, Double?)] = [
      ("acc", position.accuracy), ("alt", position.altitude), ("vel", position.speed.map { $0 * 3.6 }),
      ("cog", position.course),
    ]
    for (name, value) in rest {
      if let value, value.magnitude < 1e9 { members.append(.init(name, .integer(Int(value.rounded())))) }
    }
    return .object(members)
  }

  private func seconds(_ whole: Int64) -> JSONValue { .integer(Int(whole)) }

  private func ownTracksTopic(_ device: String) -> String {
    "\(options.ownTracksPrefix)/\(TopicName.level(device.isEmpty ? "default" : device))"
  }

  /// The two characters that maps show.
  private func trackerID(_ device: String) -> String { String(device.suffix(2)) }

  /// - Source: home-assistant.io/integrations/event.mqtt.
  private func homeAssistantEvent(_ parcel: Parcel) -> MQTTMessage? {
    guard let crossing = parcel.crossing, parcel.notification == nil else { return nil }
    let json: JSONValue = [
      "event_type": .text(crossing.kind.rawValue), "region": .text(crossing.region),
      "title": .text(parcel.place?.title ?? crossing.region), "at": .text(crossing.at.description),
      "key": .text(parcel.key),
    ]
    // Home Assistant takes what was retained for nothing new.
    return event("\(topic(crossing.device))/crossing", json, parcel, isRetained: false)
  }

  /// A position; Home Assistant knows the accuracy by its second name.
  static func json(_ position: LivePosition) -> JSONValue {
    let accuracy: JSONValue = position.accuracy.map { .number($0) } ?? .null
    var members: [JSONValue.Member] = [
      .init("device", .text(position.device)), .init("time", .text(position.time.description)),
      .init("latitude", .number(position.latitude)), .init("longitude", .number(position.longitude)),
      .init("accuracy", accuracy),
    ]
    if let accuracy = position.accuracy { members.append(.init("gps_accuracy", .number(accuracy))) }
    for (name, value) in [
      ("altitude", position.altitude), ("speed", position.speed), ("course", position.course),
    ] as [(String, Double?)] {
      members.append(.init(name, value.map { .number($0) } ?? .null))
    }
    return .object(members)
  }
}
