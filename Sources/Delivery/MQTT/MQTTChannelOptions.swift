package import FencelineMQTTLink

/// What a channel of the kind `mqtt` is set up with, read and checked.
struct MQTTChannelOptions: Sendable {
  /// How events are written.
  enum Format: String, Hashable, Sendable, CaseIterable {
    case json
    case ownTracks = "owntracks"
    case homeAssistant = "homeassistant"
  }

  /// What all topics of the channel begin with.
  var prefix: String
  var ownTracksPrefix: String
  var discoveryPrefix: String
  var formats: Set<Format>
  /// Milliseconds between two positions of a device; nil where none are published.
  var positionInterval: Int64?
  var retains: Bool
  /// Milliseconds for a batch.
  var timeLimit: Int
  /// The program's version.
  var version: String

  init(_ setup: ChannelSetup, _ context: ChannelContext) throws(ChannelError) {
    prefix = try MQTTChannelOptions.prefix(setup, "topic", "fenceline")
    ownTracksPrefix = try MQTTChannelOptions.prefix(setup, "owntracks-prefix", "owntracks/fenceline")
    discoveryPrefix = try MQTTChannelOptions.prefix(setup, "discovery-prefix", "homeassistant")
    var formats: Set<Format> = []
    for name in setup[all: "format"] {
      guard let format = Format(rawValue: name) else {
        throw ChannelError(
          "Channel '\(setup.name)' cannot write events as '\(name)'. Use json, owntracks or homeassistant.")
      }
      formats.insert(format)
    }
    self.formats = formats.isEmpty ? [.json] : formats
    let usual: Double? = self.formats.contains(.homeAssistant) ? 30 : nil
    positionInterval = (setup.number("positions").flatMap { $0.isNaN ? nil : $0 } ?? usual).map {
      Int64(min(max($0, 0.1), 86_400) * 1000)
    }
    retains = setup.isSet("retain")
    timeLimit = MQTTOptions.limit(setup)
    version = context.version
  }

  private static func prefix(_ setup: ChannelSetup, _ name: String, _ usual: String) throws(ChannelError)
    -> String
  {
    let prefix = setup[name] ?? usual
    if let problem = TopicName.problem(ofPrefix: prefix) {
      throw ChannelError(
        "Channel '\(setup.name)' cannot publish below '\(prefix)': \(problem). Change --\(name).")
    }
    return prefix
  }

  /// What says whether the channel is there.
  var statusTopic: String { "\(prefix)/status" }
  /// What stands between the kind and the name in Home Assistant's topics of discovery.
  var node: String { TopicName.objectID(prefix) }
}

extension MQTTOptions {
  /// How the broker of a channel is reached.
  ///
  /// - Parameters:
  ///   - setup: The channel's.
  ///   - context: The program.
  ///   - role: What the client's name ends with, where the channel has more than one.
  /// - Throws: ``ChannelError``.
  package init(_ setup: ChannelSetup, _ context: ChannelContext, role: String = "") throws(ChannelError) {
    let (host, port, isEncrypted) = try MQTTOptions.address(setup["broker"] ?? "", setup.name)
    let seal = setup.seal.prefix(8)
    // The broker keeps what comes meanwhile under this name, whatever the channel is called by then.
    let usualID = "fenceline-\(seal.isEmpty ? setup.name : String(seal))"
    self.init(
      host: host, port: port, clientID: (setup["client-id"] ?? usualID) + role,
      password: { () throws(MQTTError) in
        do throws(ChannelError) { return try setup.secret("password", context) } catch {
          throw MQTTError(.options, error.message)
        }
      })
    if let name = setup["protocol"] {
      guard let version = Version(rawValue: name) else {
        throw ChannelError("Channel '\(setup.name)' cannot speak MQTT '\(name)'. Use 5 or 3.1.1.")
      }
      self.version = version
    }
    user = setup["user"]
    // What cannot be had is said now.
    if try setup.secret("password", context) != nil, user == nil, version == .threeOneOne {
      throw ChannelError(
        "Channel '\(setup.name)' has a password and no user, which MQTT 3.1.1 has not. Add --user.")
    }
    encryption = try MQTTOptions.encryption(setup, isEncrypted)
    patience = MQTTOptions.limit(setup) / 2
  }

  /// Milliseconds that one attempt may take.
  fileprivate static func limit(_ setup: ChannelSetup) -> Int {
    let seconds = setup.number("timeout") ?? 20
    return seconds.isNaN ? 20_000 : Int(min(max(seconds, 0.1), 3600) * 1000)
  }

  private static func encryption(_ setup: ChannelSetup, _ isEncrypted: Bool) throws(ChannelError)
    -> Encryption?
  {
    let encryption = Encryption(
      authorities: setup["ca-file"], certificate: setup["certificate"], key: setup["key-file"])
    guard isEncrypted else {
      for name in ["ca-file", "certificate", "key-file"] where setup.isSet(name) {
        throw ChannelError(
          "Channel '\(setup.name)' has --\(name), and its broker '\(setup["broker"] ?? "")' is not encrypted. Write it as 'mqtts://…'."
        )
      }
      return nil
    }
    for path in [encryption.authorities, encryption.certificate, encryption.key] {
      if let path { _ = try ChannelSetup.read(path, for: setup.name) }
    }
    guard (encryption.certificate == nil) == (encryption.key == nil) else {
      throw ChannelError("Channel '\(setup.name)' needs both --certificate and --key-file, or neither.")
    }
    return encryption
  }

  /// The parts of `mqtt://host[:port]` or `mqtts://host[:port]`; an IPv6 address stands in brackets.
  private static func address(_ text: String, _ channel: String) throws(ChannelError) -> (
    host: String, port: Int, isEncrypted: Bool
  ) {
    func wrong(_ reason: String) -> ChannelError {
      ChannelError("Channel '\(channel)' cannot use the broker '\(text)': \(reason)")
    }
    let schemes = ["mqtt://", "mqtts://"]
    guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) else {
      throw wrong("it is no address of one. Write it as 'mqtt://HOST', 'mqtt://HOST:PORT' or 'mqtts://HOST'.")
    }
    var rest = text.dropFirst(scheme.count)
    guard !rest.contains("@") else {
      // It may hold a password.
      throw ChannelError(
        "Channel '\(channel)' has a user in the address of its broker. Give --user, and --password-file.")
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    let host: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else {
        throw wrong("a ']' is missing. Write it as 'mqtt://[::1]'.")
      }
      host = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      host = rest.prefix { $0 != ":" }
      rest = rest.dropFirst(host.count)
    }
    guard !host.isEmpty, !host.contains(where: { "/?#".contains($0) || $0.isWhitespace }) else {
      throw wrong("it names no host. Write it as 'mqtt://HOST', and topics by --topic.")
    }
    let isEncrypted = scheme == "mqtts://"
    guard !rest.isEmpty else { return (String(host), isEncrypted ? 8883 : 1883, isEncrypted) }
    guard rest.first == ":", let port = Int(rest.dropFirst()), (1...65_535).contains(port) else {
      throw wrong("'\(rest.dropFirst())' is no port. A port is a number from 1 to 65535.")
    }
    return (String(host), port, isEncrypted)
  }
}
