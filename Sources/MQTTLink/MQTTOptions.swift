/// Where a broker is, and who connects with it.
package struct MQTTOptions: Sendable {
  /// The version of the protocol.
  package enum Version: String, Hashable, Sendable, CaseIterable {
    /// MQTT 5: refusals have a reason, messages expire and have properties.
    case five = "5"
    /// MQTT 3.1.1: a message that the broker does not want is acknowledged nevertheless.
    case threeOneOne = "3.1.1"
  }

  /// How the connection is encrypted. The broker's certificate is always checked, and its host's name with it.
  package struct Encryption: Hashable, Sendable {
    /// The file with the certificates of the authorities that are trusted; nil for those of the system.
    package var authorities: String?
    /// The files with the own certificate and its key, where the broker wants one.
    package var certificate: String?
    package var key: String?

    /// An encryption.
    package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
      self.authorities = authorities
      self.certificate = certificate
      self.key = key
    }
  }

  /// The broker.
  package var host: String
  package var port: Int
  /// How the connection is encrypted; nil where it is not.
  package var encryption: Encryption?
  /// The version of the protocol.
  package var version: Version
  /// By which the broker knows the client again; a second one of the same name would throw the first one out.
  package var clientID: String
  /// Whom the broker lets in.
  package var user: String?
  /// Reads the password, anew for each connection.
  package var password: @Sendable () throws(MQTTError) -> String?
  /// Seconds of silence after which each side asks whether the other one is still there, 5 to 65,535.
  package var keepAlive = 60
  /// For how many seconds the broker keeps subscriptions and messages of a client that is away; 0 for not at all.
  package var sessionExpiry = 0
  /// What is subscribed to, with QoS 1.
  package var topics: [String] = []
  /// What is published as soon as there is a connection.
  package var birth: MQTTMessage?
  /// What the broker publishes once the client is gone.
  package var will: MQTTMessage?
  /// Milliseconds within which the broker has to answer.
  package var patience = 10_000

  /// A broker that is reached without encryption.
  package init(
    host: String, port: Int, version: Version = .five, clientID: String,
    password: @escaping @Sendable () throws(MQTTError) -> String? = { () throws(MQTTError) in nil }
  ) {
    self.host = host
    self.port = port
    self.version = version
    self.clientID = clientID
    self.password = password
  }

  /// The place as people write it: `localhost:1883`.
  package var place: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
