#if MQTT
  internal import CFencelineMosquitto

  /// The broker's reasons, in words.
  ///
  /// - Source: MQTT Version 5.0, 2.4 Reason Code; MQTT Version 3.1.1, 3.2.2.3 Connect Return code.
  enum ReasonText {
    /// Why the broker does not let the client in.
    static func refusal(_ reason: Int32, _ options: MQTTOptions) -> MQTTError {
      let place = options.place
      let user = options.user.map { "'\($0)'" } ?? "a client without a user's name"
      switch reason {
      case 4, 0x86:
        return MQTTError(
          .refused,
          "The broker at \(place) does not let \(user) in: name or password is wrong. Check the channel's user and password."
        )
      case 5, 0x87:
        return MQTTError(
          .refused,
          "The broker at \(place) does not let \(user) in. Set user and password, or check its rules.")
      case 2, 0x85:
        return MQTTError(
          .refused,
          "The broker at \(place) does not take the client's name '\(options.clientID)'. Choose another one.")
      case 1, 0x84:
        return MQTTError(
          .refused,
          "The broker at \(place) does not speak MQTT \(options.version.rawValue). Try '--protocol \(options.version == .five ? "3.1.1" : "5")'."
        )
      default:
        return MQTTError(.refused, "The broker at \(place) refuses the connection: \(words(reason)).")
      }
    }

    /// Why the broker has ended the connection.
    static func farewell(_ reason: Int32, _ options: MQTTOptions) -> MQTTError {
      reason == Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue)
        ? MQTTError(
          .lost,
          "The broker at \(options.place) has ended the connection: another client has the name '\(options.clientID)' too. Give each its own."
        )
        : MQTTError(.lost, "The broker at \(options.place) has ended the connection: \(words(reason)).")
    }

    /// Why a topic cannot be subscribed to.
    static func refusal(ofTopic topic: String, _ reason: Int32, _ options: MQTTOptions) -> String {
      "The broker at \(options.place) does not let this client subscribe to '\(topic)': \(words(reason)). Check its rules."
    }

    /// What a message's acknowledgement means.
    static func result(ofPublishing message: MQTTMessage, reason: Int32) -> PublishResult {
      guard reason >= 0x80 else { return .acknowledged }
      let text = "The broker does not take the message: \(words(reason))."
      switch mqtt5_return_codes(UInt32(reason)) {
      // These are about how much it has at the moment, or about its rules, not about the message.
      case MQTT_RC_QUOTA_EXCEEDED, MQTT_RC_PACKET_ID_IN_USE, MQTT_RC_NOT_AUTHORIZED: return .failed(text)
      default: return .refused(text)
      }
    }

    /// What it means that a message cannot be published.
    static func result(ofPublishing message: MQTTMessage, failure: Int32) -> PublishResult {
      switch mosq_err_t(failure) {
      case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE:
        return .refused("The message is too long for the broker: \(message.payload.count) bytes.")
      case MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_INVAL:
        return .refused("MQTT does not allow the topic of the message. Choose another prefix.")
      case MOSQ_ERR_QOS_NOT_SUPPORTED:
        return .failed(
          "The broker does not acknowledge messages (its highest QoS is 0). Use another broker.")
      default: return .failed("The message cannot be handed to the broker: the connection is lost.")
      }
    }

    private static func words(_ reason: Int32) -> String {
      let text = unsafe mosquitto_reason_string(reason).map { unsafe String(cString: $0) } ?? "reason"
      return "\(text.prefix(1).lowercased() + text.dropFirst()) (\(reason))"
    }
  }
#endif
