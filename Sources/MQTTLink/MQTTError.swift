/// Why there is no connection with a broker.
package struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble.
  package enum Code: Hashable, Sendable {
    /// This program was built without MQTT.
    case unavailable
    /// What connects is set up wrongly.
    case options
    /// It cannot be reached, or does not answer.
    case unreachable
    /// Its certificate is not to be trusted, or ours is not by it.
    case untrusted
    /// It does not let this client in.
    case refused
    /// The connection was lost.
    case lost
    /// The system refuses a thread or a descriptor.
    case resources
  }

  /// The kind of trouble.
  package var code: Code
  /// What was being done, with what, and what to do.
  package var message: String

  /// Something is wrong.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }

  /// What is said where libmosquitto was left out.
  static let unavailable = MQTTError(
    .unavailable,
    "This program was built without MQTT. Install libmosquitto-dev and build it without '--disable-default-traits'."
  )
}
