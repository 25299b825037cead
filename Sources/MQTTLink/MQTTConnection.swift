#if MQTT
  internal import CFencelineMosquitto
  internal import Glibc

  /// One attempt at a connection with a broker, and that connection. It belongs to one thread; libmosquitto's callbacks run there too, and
  /// only put what they have learnt into a box.
  ///
  /// Whatever comes after a loss is another one, so that nothing is sent by itself again that was given up.
  @safe final class MQTTConnection {
    private let client: OpaquePointer
    private let box = CallbackBox()
    private let options: MQTTOptions

    /// Once for the program, and for as long as it runs.
    private static let beginning: Int32 = mosquitto_lib_init()

    /// Sets one up; ``connect()`` reaches for the broker.
    init(_ options: MQTTOptions) throws(MQTTError) {
      _ = MQTTConnection.beginning
      let isClean = options.sessionExpiry == 0
      let context = unsafe Unmanaged.passUnretained(box).toOpaque()
      guard let client = unsafe mosquitto_new(options.clientID, isClean, context) else {
        throw MQTTError(
          .options, "The client's name '\(options.clientID)' cannot be used for MQTT. Choose another one.")
      }
      unsafe self.client = client
      self.options = options
      unsafe CallbackBox.register(with: client)
      let version = options.version == .five ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
      unsafe mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version)
      unsafe mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
      // A broker that is far away would keep 20 at a time waiting; one of MQTT 5 says itself how many it takes.
      unsafe mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, 200)
      if let encryption = options.encryption { try encrypt(encryption) }
      let password = try options.password()
      if options.user != nil || password != nil {
        try check(unsafe mosquitto_username_pw_set(client, options.user, password), "the user's name")
      }
      if let will = options.will {
        let result = unsafe mosquitto_will_set(
          client, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained)
        try check(result, "the topic '\(will.topic)'")
      }
    }

    // The box must outlast what calls back into it.
    deinit { unsafe mosquitto_destroy(client) }

    private func encrypt(_ encryption: MQTTOptions.Encryption) throws(MQTTError) {
      for path in [encryption.authorities, encryption.certificate, encryption.key] {
        guard let path, unsafe access(path, R_OK) != 0 else { continue }
        throw MQTTError(
          .untrusted,
          "Cannot read '\(path)' for the broker at \(options.place): \(MQTTConnection.systemText(errno)). Name a file that the service may read."
        )
      }
      // Without a file, the system's authorities count as well.
      if encryption.authorities == nil { unsafe mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
      try check(
        unsafe mosquitto_tls_set(
          client, encryption.authorities, encryption.authorities == nil ? "/etc/ssl/certs" : nil,
          encryption.certificate, encryption.key,
          // A key with a pass phrase would ask for it on the terminal.
          { _, _, _, _ in 0 }), "the certificate and its key")
    }

    private func check(_ result: Int32, _ what: String) throws(MQTTError) {
      guard result != MOSQ_ERR_SUCCESS.rawValue else { return }
      throw MQTTError(.options, "MQTT cannot use \(what) for the broker at \(options.place). Change it.")
    }

    /// Reaches for the broker. That may take minutes where nobody answers.
    ///
    /// - Returns: What has gone wrong; nil where nothing has.
    func connect() -> MQTTError? {
      var properties: OpaquePointer?
      defer { unsafe mosquitto_property_free_all(&properties) }
      if options.version == .five {
        unsafe mosquitto_property_add_int32(
          &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), UInt32(4 * MQTTLink.maximumPayload))
        if options.sessionExpiry > 0 {
          unsafe mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue),
            UInt32(clamping: options.sessionExpiry))
        }
      }
      let result = unsafe mosquitto_connect_bind_v5(
        client, options.host, Int32(options.port), Int32(options.keepAlive), nil, properties)
      return result == MOSQ_ERR_SUCCESS.rawValue ? nil : trouble(result, systemError: errno)
    }

    /// What has come since this was last asked.
    func news() -> CallbackBox.Content {
      let news = box.take()
      if news.answer == 0 { isIn = true }
      return news
    }

    /// Whether the broker has let the client in.
    private(set) var isIn = false

    /// Its socket; -1 where there is none.
    var descriptor: Int32 { unsafe mosquitto_socket(client) }
    /// Lets the system confirm at once what comes next. A broker that gathers small packets would keep acknowledgements back until then, and the
    /// system takes 40 ms where nothing else is to be sent.
    func hurry() {
      var isQuick: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &isQuick, size)
    }

    /// Whether it waits until it can write.
    var wantsToWrite: Bool { unsafe mosquitto_want_write(client) }

    private var isGreeted = false

    /// Whether the first thing that it says is an answer of MQTT, which libmosquitto then reads. It ends the whole program where that has a
    /// property that it does not know, so that somebody who speaks something else must not come so far.
    private var isGreetedWell: Bool {
      guard !isGreeted, options.version == .five, options.encryption == nil else { return true }
      var bytes = [UInt8](repeating: 0, count: 4096)
      // It mostly comes in one piece.
      for _ in 0..<100 {
        let count = unsafe recv(
          descriptor, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
        // The end, or an error: libmosquitto says what that means.
        guard count > 0 else { return true }
        if let isSound = ConnectAnswer.isSound(bytes[..<count]) {
          isGreeted = isSound
          return isSound
        }
        usleep(10_000)
      }
      return false
    }

    /// Reads, writes and looks after the keep-alive, without waiting.
    ///
    /// - Parameters:
    ///   - mayRead: Whether there is something to be read, or the encryption is being agreed on.
    ///   - mayWrite: Whether something can be written.
    /// - Returns: Why the connection is lost; nil where it is not.
    func work(mayRead: Bool, mayWrite: Bool) -> MQTTError? {
      var result = MOSQ_ERR_SUCCESS.rawValue
      if mayRead, !isGreetedWell { return trouble(MOSQ_ERR_PROTOCOL.rawValue, systemError: 0) }
      errno = 0
      if mayRead { result = unsafe mosquitto_loop_read(client, 1) }
      if mayWrite, result == MOSQ_ERR_SUCCESS.rawValue { result = unsafe mosquitto_loop_write(client, 1) }
      let systemError = errno
      if result == MOSQ_ERR_SUCCESS.rawValue { result = unsafe mosquitto_loop_misc(client) }
      guard result == MOSQ_ERR_SUCCESS.rawValue else { return trouble(result, systemError: systemError) }
      return nil
    }

    /// Publishes a message.
    ///
    /// - Returns: The number by which it is acknowledged; or why it cannot be published, by libmosquitto.
    func publish(_ message: MQTTMessage) -> (number: Int32, failure: Int32?) {
      var properties: OpaquePointer?
      defer { unsafe mosquitto_property_free_all(&properties) }
      if options.version == .five {
        if let expiry = message.expiry {
          unsafe mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
        }
        if let type = message.contentType {
          unsafe mosquitto_property_add_string(&properties, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type)
        }
        for (name, value) in message.properties.sorted(by: { $0.key < $1.key }) {
          unsafe mosquitto_property_add_string_pair(
            &properties, Int32(MQTT_PROP_USER_PROPERTY.rawValue), name, value)
        }
      }
      var number: Int32 = 0
      let result = unsafe mosquitto_publish_v5(
        client, &number, message.topic, Int32(message.payload.count), message.payload, 1, message.isRetained,
        properties)
      return (number, result == MOSQ_ERR_SUCCESS.rawValue ? nil : result)
    }

    /// Subscribes to a topic; what was retained is sent where the subscription is new, as far as the protocol can say so.
    ///
    /// - Returns: The number by which that is acknowledged.
    func subscribe(to topic: String) -> Int32 {
      var number: Int32 = 0
      let onlyNew = options.version == .five ? Int32(MQTT_SUB_OPT_SEND_RETAIN_NEW.rawValue) : 0
      unsafe mosquitto_subscribe_v5(client, &number, topic, 1, onlyNew, nil)
      return number
    }

    /// Says good-bye.
    func disconnect() {
      unsafe mosquitto_disconnect(client)
      unsafe mosquitto_loop_write(client, 1)
    }

    // MARK: Words

    private func trouble(_ result: Int32, systemError: Int32) -> MQTTError {
      let prefix = "Cannot use the broker at \(options.place): "
      if let (code, reason) = box.encryptionTrouble(options) { return MQTTError(code, prefix + reason) }
      switch mosq_err_t(result) {
      case MOSQ_ERR_EAI:
        let text = unsafe gai_strerror(systemError).map { unsafe String(cString: $0) } ?? "unknown"
        return MQTTError(
          .unreachable, prefix + "its name cannot be found (\(text.lowercased())). Check the host.")
      case MOSQ_ERR_TLS:
        return MQTTError(
          .untrusted, prefix + "encryption cannot be agreed on. Check the port, its certificate and its log.")
      case MOSQ_ERR_ERRNO where systemError == ECONNREFUSED:
        return MQTTError(
          .unreachable, prefix + "nothing listens there. Start the broker, or check host and port.")
      case MOSQ_ERR_ERRNO where systemError != 0 && systemError != EPROTO:
        return MQTTError(
          .unreachable, prefix + MQTTConnection.systemText(systemError) + ". Check the network between.")
      case MOSQ_ERR_KEEPALIVE:
        return MQTTError(.lost, prefix + "it does not answer any more. Check the network between.")
      case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8:
        return MQTTError(.lost, prefix + "what it says is not MQTT. Check the port, and the version.")
      default:
        // Whether it has said so is a matter of chance: in TLS 1.3 the client is ready before its certificate is missed.
        let mayWantCertificate = !isIn && options.encryption?.certificate == nil && options.encryption != nil
        return MQTTError(
          .lost,
          prefix + "it has ended the connection. "
            + (mayWantCertificate
              ? "It may want a certificate: name one with '--certificate' and '--key-file'."
              : "Its log may say why."))
      }
    }

    private static func systemText(_ code: Int32) -> String {
      let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
      return text.prefix(1).lowercased() + text.dropFirst()
    }
  }
#endif
