/// Something to be published, with QoS 1.
package struct MQTTMessage: Hashable, Sendable {
  /// Where.
  package var topic: String
  /// What; empty and retained takes away what was retained.
  package var payload: [UInt8]
  /// Whether the broker keeps it for those who come later.
  package var isRetained: Bool
  /// Seconds after which nobody wants it any more; nil for never. Only MQTT 5 has that.
  package var expiry: UInt32?
  /// The media type; only MQTT 5 has that.
  package var contentType: String?
  /// More about it, in the order of the names; only MQTT 5 has that.
  package var properties: [String: String]

  /// A message.
  package init(
    _ topic: String, _ payload: [UInt8], isRetained: Bool = false, expiry: UInt32? = nil,
    contentType: String? = nil, properties: [String: String] = [:]
  ) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.expiry = expiry
    self.contentType = contentType
    self.properties = properties
  }

  /// A message of text.
  package init(_ topic: String, _ text: String, isRetained: Bool = false) {
    self.init(topic, Array(text.utf8), isRetained: isRetained)
  }
}

/// Something that was received.
package struct MQTTArrival: Hashable, Sendable {
  /// Where it was published.
  package var topic: String
  /// What; nil where it is longer than ``MQTTLink/maximumPayload``.
  package var payload: [UInt8]?
  /// Whether the broker has kept it from before.
  package var isRetained: Bool
}

/// What has become of a message that was published.
package enum PublishResult: Hashable, Sendable {
  /// The broker has it.
  case acknowledged
  /// The broker, or the protocol, does not take it; a sentence says why.
  case refused(String)
  /// It may have it or not; a sentence says why that is not known.
  case failed(String)
  /// The link was stopped.
  case stopped
}
