import FencelineMQTTLink
import FencelineTestSupport
import Glibc
import Testing

@Suite(.enabled(if: MQTTLink.isAvailable)) struct TroubleTests {
  /// A broker that encrypts, and the folder with its certificates.
  private func encryptingBroker(_ lines: [String] = []) throws -> (
    broker: MQTTBroker, folder: TemporaryFolder
  ) {
    let folder = try TemporaryFolder()
    try MQTTBroker.certificates(in: folder)
    let broker = try MQTTBroker(
      [
        "allow_anonymous true", "certfile \(folder.path("server.pem"))",
        "keyfile \(folder.path("server.key"))",
        "cafile \(folder.path("ca.pem"))",
      ] + lines)
    return (broker, folder)
  }

  private func options(_ broker: MQTTBroker, _ encryption: MQTTOptions.Encryption?) -> MQTTOptions {
    var options = LinkLog.options(broker)
    options.encryption = encryption
    return options
  }

  @Test func anEncryptedConnectionCarries() throws {
    let (broker, folder) = try encryptingBroker()
    var options = options(broker, .init(authorities: folder.path("ca.pem")))
    options.topics = ["#"]
    let log = try LinkLog(options)
    let messages = (0..<2000).map { MQTTMessage("count", "\($0)") }
    #expect(log.publish(messages).allSatisfy { $0 == .acknowledged })
    #expect(log.waits { $0.arrivals.count == 2000 })
    #expect(log.arrivals.map(\.payload) == messages.map(\.payload))
  }

  @Test func aCertificateOfAnotherAuthorityIsRefused() throws {
    let (broker, folder) = try encryptingBroker()
    // The broker reads its certificates once it listens.
    defer { withExtendedLifetime(folder) {} }
    let other = try TemporaryFolder()
    try MQTTBroker.certificates(in: other)
    let place = "Cannot use the broker at 127.0.0.1:\(broker.port): "
    let advice = ", or is out of date. Name its authority with '--ca-file'."
    let wrong = try LinkLog(options(broker, .init(authorities: other.path("ca.pem"))))
    #expect(
      wrong.publish([MQTTMessage("a", "1")]) == [
        .failed(
          place + "its certificate has not been made by the authority in '\(other.path("ca.pem"))'" + advice)
      ])
    let system = try LinkLog(options(broker, .init()))
    #expect(
      system.publish([MQTTMessage("a", "1")]) == [
        .failed(place + "its certificate has not been made by an authority that this system trusts" + advice)
      ])
    #expect(wrong.troubles.allSatisfy { $0.code == .untrusted } && !wrong.troubles.isEmpty)
    #expect(wrong.connections == 0 && system.connections == 0)
  }

  @Test func aCertificateForAnotherHostIsRefused() throws {
    let (broker, folder) = try encryptingBroker()
    var options = options(broker, .init(authorities: folder.path("ca.pem")))
    options.host = "localhost"
    let log = try LinkLog(options)
    #expect(
      log.publish([MQTTMessage("a", "1")]) == [
        .failed(
          "Cannot use the broker at localhost:\(broker.port): its certificate is for another host. Write the host as the certificate names it."
        )
      ])
  }

  @Test func aBrokerMayWantACertificate() throws {
    let (broker, folder) = try encryptingBroker(["require_certificate true"])
    let authorities = folder.path("ca.pem")
    let without = try LinkLog(options(broker, .init(authorities: authorities)))
    guard case .failed(let wanted) = without.publish([MQTTMessage("a", "1")])[0] else {
      Issue.record("it was let in without a certificate")
      return
    }
    #expect(
      wanted.hasSuffix("name one with '--certificate' and '--key-file'.")
        || wanted.hasSuffix(
          "it wants a certificate from its clients. Name one with '--certificate' and '--key-file'.")
    )
    var with = options(
      broker,
      .init(authorities: authorities, certificate: folder.path("client.pem"), key: folder.path("client.key")))
    with.clientID = "with"
    #expect(try LinkLog(with).publish([MQTTMessage("a", "1")]) == [.acknowledged])
    with.encryption?.key = folder.path("server.key")
    let mixed = try LinkLog(with)
    guard case .failed(let sentence) = mixed.publish([MQTTMessage("a", "1")])[0] else {
      Issue.record("a key of another certificate was used")
      return
    }
    #expect(sentence.hasSuffix("cannot be used together. Name a certificate and its key."))
  }

  @Test func oneSideThatEncryptsAloneIsSaid() throws {
    let (encrypting, folder) = try encryptingBroker()
    let plain = try MQTTBroker()
    let first = try LinkLog(options(encrypting, nil)).publish([MQTTMessage("a", "1")])[0]
    let second = try LinkLog(options(plain, .init(authorities: folder.path("ca.pem")))).publish([
      MQTTMessage("a", "1")
    ])[0]
    guard case .failed(let unencrypted) = first, case .failed(let encrypted) = second else {
      Issue.record("\(first as Any) \(second as Any)")
      return
    }
    #expect(unencrypted.contains("it has ended the connection"))
    #expect(encrypted.hasPrefix("Cannot use the broker at 127.0.0.1:\(plain.port): "))
    #expect(
      encrypted.contains("Check whether it wants encryption")
        || encrypted.contains("it does not encrypt there"),
      "\(encrypted)")
  }

  @Test func nobodyIsThere() throws {
    let port = try GPSDaemon.freePort()
    let log = try LinkLog(MQTTOptions(host: "localhost", port: port, clientID: "test"))
    #expect(
      log.publish([MQTTMessage("a", "1")]) == [
        .failed(
          "Cannot use the broker at localhost:\(port): nothing listens there. Start the broker, or check host and port."
        )
      ])
    let lost = try LinkLog(MQTTOptions(host: "broker.invalid", port: 1883, clientID: "test"))
    guard case .failed(let sentence) = lost.publish([MQTTMessage("a", "1")])[0] else {
      Issue.record("there is a broker")
      return
    }
    #expect(sentence.hasPrefix("Cannot use the broker at broker.invalid:1883: its name cannot be found ("))
  }

  @Test(arguments: [false, true]) func aBrokerThatSaysNothingIsGivenUp(_ isEncrypted: Bool) throws {
    let silent = try SilentServer()
    var options = MQTTOptions(host: "127.0.0.1", port: silent.port, clientID: "test")
    options.encryption = isEncrypted ? .init() : nil
    options.patience = 300
    let log = try LinkLog(options)
    let began = ContinuousClock.now
    #expect(
      log.publish([MQTTMessage("a", "1")]) == [
        .failed(
          "Cannot use the broker at 127.0.0.1:\(silent.port): it takes connections and does not answer. Check that it is a broker and not overloaded."
        )
      ])
    #expect(ContinuousClock.now - began < .seconds(20))
  }

  @Test func stoppingEndsAWaitAtOnce() throws {
    let silent = try SilentServer()
    let log = try LinkLog(MQTTOptions(host: "127.0.0.1", port: silent.port, clientID: "test"))
    let stopper = BackgroundThread { [link = log.link] in
      silent.waitForClient()
      link.stop()
    }
    #expect(log.publish([MQTTMessage("a", "1")], within: 600_000) == [.stopped])
    stopper.join()
    #expect(log.publish([MQTTMessage("a", "1")]) == [.stopped])
  }

  @Test func aBrokerThatStandsStillIsGivenUp() throws {
    let broker = try MQTTBroker()
    let log = try LinkLog(LinkLog.options(broker))
    #expect(log.publish([MQTTMessage("a", "1")]) == [.acknowledged])
    broker.hold(true)
    #expect(
      log.publish([MQTTMessage("a", "2")], within: 300) == [
        .failed("The broker has not answered within 1 s.")
      ])
    #expect(log.waits { !$0.troubles.isEmpty })
    broker.hold(false)
    #expect(log.publish([MQTTMessage("a", "2")]) == [.acknowledged])
  }

  @Test func aTopicThatMayNotBeReadIsSaid() throws {
    let rules = """
      {"defaultACLAccess": {"publishClientSend": true, "publishClientReceive": true, "subscribe": false,
      "unsubscribe": true}, "clients": [], "groups": [], "roles": []}
      """
    let broker = try MQTTBroker(
      [
        "allow_anonymous true", "plugin /usr/lib/x86_64-linux-gnu/mosquitto_dynamic_security.so",
        "plugin_opt_config_file FOLDER/rules",
      ], files: ["rules": rules])
    var options = LinkLog.options(broker)
    options.topics = ["a/#"]
    let log = try LinkLog(options)
    #expect(log.waits { !$0.refusedTopics.isEmpty })
    #expect(
      log.refusedTopics == [
        "The broker at 127.0.0.1:\(broker.port) does not let this client subscribe to 'a/#': not authorized (135). Check its rules."
      ])
    #expect(log.publish([MQTTMessage("a", "1")]) == [.acknowledged])
  }
}

/// Takes connections and says nothing.
private final class SilentServer: Sendable {
  let port: Int
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard unsafe Loopback.call(descriptor, 0, { unsafe bind($0, $1, $2) }) == 0,
      Glibc.listen(descriptor, 8) == 0
    else { throw SystemTrouble("listen") }
    port = Loopback.port(of: descriptor)
  }

  deinit { close(descriptor) }

  /// Waits until somebody has connected.
  func waitForClient() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&request, 1, 60_000)
  }
}
