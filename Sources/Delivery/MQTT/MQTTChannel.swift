package import FencelineMQTTLink

extension ChannelKind {
  /// Events to a broker of MQTT.
  package static let mqtt = ChannelKind(
    "mqtt", "Publish events to a broker of MQTT, for Home Assistant and OwnTracks as well.",
    audience: .machines,
    targets: [
      ChannelOption(
        "broker", .text("URL"),
        "The broker: mqtts://HOST[:PORT], or mqtt://HOST[:PORT] without encryption.")
    ],
    options: [
      ChannelOption(
        "format", .choice(MQTTChannelOptions.Format.allCases.map(\.rawValue)),
        "How events are written: json unless said otherwise.", repeatable: true),
      ChannelOption("topic", .text("PREFIX"), "What topics begin with; 'fenceline' unless said otherwise."),
      ChannelOption(
        "owntracks-prefix", .text("PREFIX"),
        "What topics for OwnTracks begin with; 'owntracks/fenceline' unless said otherwise."),
      ChannelOption(
        "discovery-prefix", .text("PREFIX"),
        "Where Home Assistant looks for devices; 'homeassistant' unless said otherwise."),
      ChannelOption(
        "positions", .duration,
        "Publish where each device is, at most that often; 30 s for Home Assistant, not at all otherwise."),
      ChannelOption("retain", .flag, "Let the broker keep the last event of each device."),
      ChannelOption(
        "protocol", .choice(MQTTOptions.Version.allCases.map(\.rawValue)),
        "The version of MQTT; 5 unless said otherwise."),
      ChannelOption(
        "client-id", .text("NAME"),
        "What the broker knows this client by; digits of the channel's own unless given."),
      ChannelOption("user", .text("NAME"), "Whom the broker lets in."),
    ] + ChannelOption.secret("password", "the user's password") + [
      ChannelOption(
        "ca-file", .file,
        "The certificates of the authorities that may vouch for the broker; those of the system unless given."
      ),
      ChannelOption("certificate", .file, "This client's certificate, where the broker wants one."),
      ChannelOption("key-file", .file, "The key of the certificate, without a pass phrase."),
      ChannelOption(
        "timeout", .duration, "How long the broker may take for its answer; 20 s unless said otherwise."),
      ChannelOption(
        "receive", .text("TOPIC"),
        "Take the positions that OwnTracks publishes there, such as 'owntracks/+/+', as those of devices.",
        repeatable: true),
      ChannelOption(
        "accept-waypoints", .flag, "Take the way-points of those that publish positions as regions."),
    ],
    examples: [
      (
        "fenceline channel add mqtt home mqtt://localhost --format homeassistant",
        "Show devices and regions in Home Assistant."
      ),
      (
        "fenceline channel add mqtt fleet mqtts://broker --user me --password-file pw",
        "Publish events as JSON below 'fenceline/'."
      ),
      (
        "fenceline channel add mqtt phones mqtt://localhost --receive 'owntracks/+/+'",
        "Take positions from the OwnTracks app."
      ),
    ]
  ) { (setup, context) throws(ChannelError) in
    guard MQTTLink.isAvailable else { throw mqttIsMissing(setup) }
    if let input = try ownTracksInput(setup, context) {
      let output = try MQTTChannelOptions(setup, context)
      let isOwn = input.topics.contains { TopicName.matches($0, "\(output.ownTracksPrefix)/device") }
      guard !isOwn || !output.formats.contains(.ownTracks) || output.positionInterval == nil else {
        throw ChannelError(
          "Channel '\(setup.name)' would receive what it publishes below '\(output.ownTracksPrefix)'. Change --receive or --owntracks-prefix."
        )
      }
    }
    return try MQTTCarrier(setup, context)
  }

  /// What a channel receives, where it does, by a client of its own: its name ends with `-in`, and the broker keeps what comes while it is away.
  ///
  /// - Parameters:
  ///   - setup: The channel's.
  ///   - context: The program.
  /// - Returns: How the broker is reached, what is subscribed to, and whether way-points become regions; nil where it receives nothing.
  /// - Throws: ``ChannelError``.
  package static func ownTracksInput(_ setup: ChannelSetup, _ context: ChannelContext) throws(ChannelError)
    -> (
      options: MQTTOptions, topics: [String], acceptsWaypoints: Bool
    )?
  {
    let topics = setup[all: "receive"]
    guard !topics.isEmpty else {
      guard !setup.isSet("accept-waypoints") else {
        throw ChannelError("Channel '\(setup.name)' accepts way-points and receives nothing. Add --receive.")
      }
      return nil
    }
    guard MQTTLink.isAvailable else { throw mqttIsMissing(setup) }
    for topic in topics {
      guard let problem = TopicName.problem(ofFilter: topic) else { continue }
      throw ChannelError("Channel '\(setup.name)' cannot receive '\(topic)': \(problem). Change --receive.")
    }
    return (try MQTTOptions(setup, context, role: "-in"), topics, setup.isSet("accept-waypoints"))
  }

  private static func mqttIsMissing(_ setup: ChannelSetup) -> ChannelError {
    ChannelError(
      "Channel '\(setup.name)' cannot be used: this program was built without MQTT. Install libmosquitto-dev and build it without '--disable-default-traits'."
    )
  }
}
