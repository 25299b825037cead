import FencelineMQTTLink
import FencelineTestSupport
import Glibc
import Testing

@Suite(.enabled(if: MQTTLink.isAvailable)) struct MQTTLinkTests {
  @Test(arguments: MQTTOptions.Version.allCases)
  func whatIsPublishedArrivesAsItIs(_ version: MQTTOptions.Version) throws {
    let broker = try MQTTBroker()
    var options = LinkLog.options(broker)
    options.version = version
    let listener = try broker.listen(to: "#")
    let log = try LinkLog(options)
    let messages = (0..<500).map { MQTTMessage("door/\($0 % 3)", "\($0) Tür 🚪") }
    #expect(log.publish(messages) == Array(repeating: .acknowledged, count: 500))
    #expect(listener.waits { $0.messages.count >= 500 })
    #expect(listener.messages.map(\.text) == messages.map { String(decoding: $0.payload, as: UTF8.self) })
    #expect(listener.messages.map(\.topic) == messages.map(\.topic))
  }

  @Test func propertiesAndExpiryGoWithAMessage() throws {
    let broker = try MQTTBroker()
    let listener = try broker.listen(to: "#", arguments: ["-F", "<%t>%r %E %C %P"])
    let log = try LinkLog(LinkLog.options(broker))
    let message = MQTTMessage(
      "door", [], expiry: 900, contentType: "application/json", properties: ["key": "a-1", "about": "door"])
    #expect(log.publish([message]) == [.acknowledged])
    #expect(listener.waits { !$0.messages.isEmpty })
    #expect(listener.messages.first?.text == "900 application/json about:door key:a-1")
  }

  @Test(.timeLimit(.minutes(1))) func aBrokerThatIsKilledLosesNothingThatItHasAcknowledged() throws {
    let broker = try MQTTBroker()
    // With QoS 0, so that whatever was sent to it is read, also when the broker has gone.
    let listener = try broker.listen(to: "#")
    let log = try LinkLog(LinkLog.options(broker))
    let messages = (0..<3000).map { MQTTMessage("count", "\($0)") }
    let killer = BackgroundThread {
      // In the middle of it.
      while listener.messages.count < 300 { usleep(1000) }
      broker.kill()
    }
    let results = log.publish(messages)
    killer.join()
    let failed = results.filter { if case .failed = $0 { true } else { false } }
    #expect(failed.count > 0 && failed.count < 3000)
    #expect(failed.count + results.count { $0 == .acknowledged } == 3000)
    #expect(log.waits { $0.troubles.last?.code == .lost })

    try broker.start()
    let before = listener.messages.count
    #expect(
      listener.waits {
        _ = log.publish([MQTTMessage("probe", "probe")])
        return $0.messages.count > before
      })
    let again = results.indices.filter { results[$0] != .acknowledged }
    #expect(log.publish(again.map { messages[$0] }).allSatisfy { $0 == .acknowledged })
    #expect(log.publish([MQTTMessage("count", "end")]) == [.acknowledged])
    #expect(listener.waits { $0.messages.last?.text == "end" })
    let seen = Set(listener.messages.map(\.text))
    let missing = messages.indices.filter { !seen.contains("\($0)") }.count
    #expect(missing == 0, "\(missing) are missing")
  }

  @Test func theWillIsSeenWhenTheClientGoes() throws {
    let broker = try MQTTBroker()
    let listener = try broker.listen(to: "state")
    var options = LinkLog.options(broker)
    options.birth = MQTTMessage("state", "online", isRetained: true)
    options.will = MQTTMessage("state", "offline", isRetained: true)
    let log = try LinkLog(options)
    #expect(listener.waits { $0.texts(on: "state") == ["online"] })
    log.link.stop()
    #expect(listener.waits { $0.texts(on: "state") == ["online", "offline"] })
    // Another one of the same name throws the first one out, whose will the broker publishes.
    let first = try LinkLog(options)
    #expect(listener.waits { $0.texts(on: "state").count == 3 })
    options.birth = MQTTMessage("state", "second")
    let second = try LinkLog(options)
    #expect(listener.waits { $0.texts(on: "state").dropFirst(3).contains("offline") })
    #expect(first.waits { $0.troubles.contains { $0.code == .lost } })
    second.link.stop()
  }

  @Test func aMessageThatTheBrokerForbidsMayBeAllowedLater() throws {
    let broker = try MQTTBroker(
      ["allow_anonymous true", "acl_file FOLDER/acl"],
      files: ["acl": "topic readwrite open/#\n"])
    var options = LinkLog.options(broker)
    options.topics = ["open/#"]
    let log = try LinkLog(options)
    let results = log.publish([
      MQTTMessage("open/a", "1"), MQTTMessage("shut/a", "2"), MQTTMessage("open/b", "3"),
    ])
    #expect(results[0] == .acknowledged && results[2] == .acknowledged)
    #expect(results[1] == .failed("The broker does not take the message: not authorized (135)."))
    let impossible = log.publish([MQTTMessage("open/#", "4"), MQTTMessage("open/c", "5")])
    #expect(impossible[0] == .refused("MQTT does not allow the topic of the message. Choose another prefix."))
    #expect(impossible[1] == .acknowledged)
    #expect(log.waits { $0.arrivals.count == 3 })
  }

  @Test func whatIsTooLongIsRefusedAndNotReceived() throws {
    let broker = try MQTTBroker(["allow_anonymous true", "max_packet_size 500000"])
    var options = LinkLog.options(broker)
    options.topics = ["#"]
    let log = try LinkLog(options)
    let long = MQTTMessage("a", [UInt8](repeating: 65, count: 600_000))
    #expect(log.publish([long]) == [.refused("The message is too long for the broker: 600000 bytes.")])
    let medium = MQTTMessage("b", [UInt8](repeating: 65, count: MQTTLink.maximumPayload + 1))
    let longest = MQTTMessage("c", [UInt8](repeating: 66, count: MQTTLink.maximumPayload))
    #expect(log.publish([medium, longest]) == [.acknowledged, .acknowledged])
    #expect(log.waits { $0.arrivals.count == 2 })
    #expect(log.arrivals.map(\.payload) == [nil, longest.payload])
  }

  @Test func aNameOrPasswordThatIsWrongIsSaid() throws {
    let folder = try TemporaryFolder()
    let made = try ChildProcess(["mosquitto_passwd", "-c", "-b", folder.path("users"), "anna", "secret"])
    try #require(made.status(within: 20) == 0)
    let broker = try MQTTBroker(["allow_anonymous false", "password_file \(folder.path("users"))"])
    var options = LinkLog.options(broker)
    options.user = "anna"
    options.password = { () throws(MQTTError) in "wrong" }
    let wrong = try LinkLog(options)
    guard case .failed(let sentence) = wrong.publish([MQTTMessage("a", "1")])[0] else {
      Issue.record("it was let in")
      return
    }
    #expect(
      sentence
        == "The broker at 127.0.0.1:\(broker.port) does not let 'anna' in. Set user and password, or check its rules."
        || sentence
          == "The broker at 127.0.0.1:\(broker.port) does not let 'anna' in: name or password is wrong. Check the channel's user and password."
    )
    #expect(wrong.troubles.allSatisfy { $0.code == .refused && !$0.message.contains("wrong'") })
    options.clientID = "right"
    options.password = { () throws(MQTTError) in "secret" }
    let right = try LinkLog(options)
    #expect(right.publish([MQTTMessage("a", "1")]) == [.acknowledged])
  }
}
