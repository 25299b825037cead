#if MQTT
  internal import CFencelineMosquitto
  internal import Synchronization

  /// What libmosquitto's callbacks have learnt.
  final class CallbackBox: Sendable {
    struct Content: Sendable {
      /// The broker's answer to the client that wants to be let in; 0 is yes.
      var answer: Int32?
      /// Why the broker has ended the connection, where it says so.
      var farewell: Int32?
      /// Messages that it has acknowledged, each with a reason.
      var acknowledged: [(number: Int32, reason: Int32)] = []
      /// Subscriptions that it has answered, each with a reason.
      var subscribed: [(number: Int32, reason: Int32)] = []
      var arrivals: [MQTTArrival] = []
    }

    private let content = Mutex(Content())
    /// The last errors, for what libmosquitto says in its log alone.
    private let log = Mutex<[String]>([])

    /// Takes everything out.
    func take() -> Content {
      content.withLock { content in
        defer { content = Content() }
        return content
      }
    }

    /// Says to a client what to call.
    static func register(with client: OpaquePointer) {
      unsafe mosquitto_connect_v5_callback_set(client) { _, context, reason, _, _ in
        unsafe CallbackBox.of(context)?.content.withLock { $0.answer = reason }
      }
      unsafe mosquitto_disconnect_v5_callback_set(client) { _, context, reason, _ in
        unsafe CallbackBox.of(context)?.content.withLock { content in
          // What follows from what the broker has said is told after that.
          if content.farewell ?? 0 < 0x80 { content.farewell = reason }
        }
      }
      unsafe mosquitto_publish_v5_callback_set(client) { _, context, number, reason, _ in
        unsafe CallbackBox.of(context)?.content.withLock { $0.acknowledged.append((number, reason)) }
      }
      unsafe mosquitto_subscribe_v5_callback_set(client) { _, context, number, count, reasons, _ in
        guard let reasons = unsafe reasons, count > 0 else { return }
        let reason = unsafe reasons[0]
        unsafe CallbackBox.of(context)?.content.withLock { $0.subscribed.append((number, reason)) }
      }
      unsafe mosquitto_message_v5_callback_set(client) { _, context, message, _ in
        guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
        let count = unsafe Int(message.payloadlen)
        var payload: [UInt8]? = []
        if count > MQTTLink.maximumPayload {
          payload = nil
        } else if let bytes = unsafe message.payload {
          payload = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        let arrival = unsafe MQTTArrival(
          topic: String(cString: topic), payload: payload, isRetained: message.retain)
        unsafe CallbackBox.of(context)?.content.withLock { $0.arrivals.append(arrival) }
      }
      unsafe mosquitto_log_callback_set(client) { _, context, level, text in
        guard let text = unsafe text, level & (MOSQ_LOG_ERR | MOSQ_LOG_WARNING) != 0 else {
          return
        }
        let line = unsafe String(cString: text)
        unsafe CallbackBox.of(context)?.log.withLock { log in
          log = log.suffix(7) + [line]
        }
      }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CallbackBox? {
      unsafe context.map { unsafe Unmanaged<CallbackBox>.fromOpaque($0).takeUnretainedValue() }
    }

    /// What is wrong with the encryption, from what libmosquitto and OpenSSL have written of it; nil where they have written nothing.
    func encryptionTrouble(_ options: MQTTOptions) -> (code: MQTTError.Code, reason: String)? {
      let lines = log.withLock { $0 }
      func says(_ words: String...) -> Bool {
        lines.contains { line in words.contains { line.contains($0) } }
      }
      let encryption = options.encryption
      if says("host name verification failed") {
        return (
          .untrusted, "its certificate is for another host. Write the host as the certificate names it."
        )
      }
      if says("certificate verify failed") {
        let authority =
          encryption?.authorities.map { "the authority in '\($0)'" } ?? "an authority that this system trusts"
        return (
          .untrusted,
          "its certificate has not been made by \(authority), or is out of date. Name its authority with '--ca-file'."
        )
      }
      if says("Unable to load CA certificates") {
        return (
          .untrusted,
          "'\(encryption?.authorities ?? "")' holds no certificate of an authority. Name another file."
        )
      }
      if says("Unable to load client certificate", "Unable to load client key", "are inconsistent") {
        return (
          .untrusted,
          "the certificate '\(encryption?.certificate ?? "")' and its key '\(encryption?.key ?? "")' cannot be used together. Name a certificate and its key."
        )
      }
      if says("wrong version number", "packet length too long", "unexpected eof") {
        return (
          .untrusted,
          "it does not encrypt there, or not at the moment. Write 'mqtt://', or name another port."
        )
      }
      if says("alert certificate required", "alert handshake failure") {
        return (
          .untrusted,
          "it wants a certificate from its clients. Name one with '--certificate' and '--key-file'."
        )
      }
      if says("alert unknown ca", "alert bad certificate") {
        return (
          .untrusted,
          "it does not trust the certificate '\(encryption?.certificate ?? "")'. Name another one."
        )
      }
      return nil
    }
  }
#endif
