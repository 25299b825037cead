import FencelineCivilTime
import FencelineGeodesy
import FencelineMQTTLink
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineLiveSources

@Suite("OwnTracks source", .enabled(if: MQTTLink.isAvailable, "built without MQTT"), .timeLimit(.minutes(5)))
struct OwnTracksSourceTests {
  private func source(
    _ broker: MQTTBroker, _ topics: [String] = ["owntracks/+/+"], acceptsWaypoints: Bool = false,
    options: SourceOptions = SourceOptions(), patience: Double = 3900
  ) throws -> Running {
    let link = MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "fenceline-in")
    return try Running(
      OwnTracksSource(link, topics, acceptsWaypoints, options, patience: patience))
  }

  /// Publishes a position of the second `time` until it comes: who has connected need not be subscribed yet.
  private func settle(_ broker: MQTTBroker, _ running: Running, _ time: Int = 1_000_000_000) async throws {
    try await running.inbox.wait { _ in
      try? broker.publish("-t", "owntracks/probe/it", "-m", location(time), "-q", "1")
      return running.inbox.fixes.contains { $0.fix.device.hasSuffix("probe/it") }
    }
  }

  private func location(_ time: Int, _ more: String = "") -> String {
    #"{"_type":"location","lat":48.1,"lon":11.5,"tst":\#(time)\#(more)}"#
  }

  private func fixes(_ running: Running, _ device: String) -> [Fix] {
    running.inbox.fixes.map(\.fix).filter { $0.device == device }
  }

  @Test func positionsBecomeFixes() async throws {
    let broker = try MQTTBroker()
    let running = try source(broker)
    #expect(running.source.name == "owntracks 127.0.0.1:\(broker.port)")
    try await running.inbox.wait(for: .noReceiver)
    try await settle(broker, running)
    let now = Int(Arrival.now.utc.milliseconds / 1000)
    try broker.publish(
      "-t", "owntracks/alice/phone", "-q", "1", "-m",
      location(now, #","acc":12,"vel":36,"cog":270,"alt":520,"tid":"al","batt":80"#))
    try broker.publish(
      "-t", "owntracks/bob b/tëléphone 📱", "-q", "1", "-m", location(now + 1, #","acc":0,"vel":-1,"alt":-1"#))
    try await running.inbox.wait { _ in !fixes(running, "bob b/tëléphone 📱").isEmpty }
    let alice = try #require(fixes(running, "alice/phone").first)
    #expect(alice.time.milliseconds == Int64(now) * 1000)
    #expect(alice.coordinate.latitude == 48.1 && alice.coordinate.longitude == 11.5)
    #expect(alice.accuracy == 12 && alice.speed == 10 && alice.course == 270 && alice.altitude == 520)
    #expect(alice.source == .ownTracks)
    let bob = try #require(fixes(running, "bob b/tëléphone 📱").first)
    #expect(bob.accuracy == nil && bob.speed == nil && bob.altitude == nil)
    let signals = running.inbox.signals.filter { $0.device != nil && $0.device != "probe/it" }
    #expect(signals.map(\.device) == ["alice/phone", "bob b/tëléphone 📱"])
    #expect(signals.map(\.state) == [.threeD, .twoD])
    #expect(signals.map(\.receiver) == ["owntracks/alice/phone", "owntracks/bob b/tëléphone 📱"])
  }

  @Test func thatNobodyHasPublishedYetIsNoProblemAtFirst() async throws {
    let broker = try MQTTBroker()
    let young = try source(broker)
    try await young.inbox.wait(for: .noReceiver)
    #expect(young.inbox.signals.allSatisfy { $0.detail == nil })
    young.source.stop()
    let old = try source(broker, options: .silence(0.3), patience: 0.3)
    try await old.inbox.wait { $0.signals.last?.detail != nil }
    #expect(
      old.inbox.signals.map(\.detail) == [
        nil, nil,
        "Nothing was published on 'owntracks/+/+' at 127.0.0.1:\(broker.port) yet. Check the topic in the app.",
      ])
    try await settle(broker, old)
  }

  @Test func whatWasPublishedAndIsNoPositionIsNotTakenForNothing() async throws {
    let broker = try MQTTBroker()
    let topic = "owntracks/alice/phone"
    // They are kept, and so come with the subscription.
    for (ending, text) in [
      ("", "{"), ("/event", #"{"_type":"transition","event":"enter","tst":1}"#), ("/status", "[]"),
      ("/waypoint", #"{"_type":"waypoint","desc":"Home","lat":1,"lon":1,"rad":100,"tst":1}"#),
      ("/gone", #"{"_type":"lwt","tst":1}"#),
    ] {
      try broker.publish("-t", topic + ending, "-q", "1", "-r", "-m", text)
    }
    let running = try source(
      broker, ["owntracks/#"], acceptsWaypoints: true, options: .silence(0.3), patience: 0.3)
    let place = "'owntracks/#' at 127.0.0.1:\(broker.port)"
    try await running.inbox.wait { $0.signals.last?.detail?.contains("come on") == true }
    #expect(
      running.inbox.signals.last?.detail
        == "5 messages have come on \(place), and no position (damaged lines 2, records that are not positions 1, way-points 1, notices of lost connections 1). Check the topic, and what publishes there."
    )
    // More of that is told no second time, and a position ends it.
    let told = running.inbox.signals.count
    try broker.publish("-t", topic, "-q", "1", "-m", "{")
    try await running.inbox.wait { _ in running.count("damaged lines") == 3 }
    try await settle(broker, running)
    #expect(running.inbox.signals.dropFirst(told).first?.device != nil)
  }

  @Test func whatIsPublishedWhileTheSourceIsAwayComesLater() async throws {
    let broker = try MQTTBroker()
    var running: Running? = try source(broker)
    try await settle(broker, try #require(running))
    running?.source.stop()
    running = nil
    for second in 0..<50 {
      try broker.publish("-t", "owntracks/alice/phone", "-q", "1", "-m", location(1_700_000_000 + second))
    }
    // Also when the broker was restarted meanwhile.
    broker.stop()
    try broker.start()
    let again = try source(broker)
    try await again.inbox.wait { _ in fixes(again, "alice/phone").count == 50 }
    let times = fixes(again, "alice/phone").map(\.time.milliseconds)
    #expect(times == (0..<50).map { (1_700_000_000 + $0) * 1000 })
  }

  @Test func aBrokerThatIsRestartedIsFoundAgain() async throws {
    let broker = try MQTTBroker()
    let running = try source(broker)
    try await settle(broker, running)
    try broker.publish("-t", "owntracks/alice/phone", "-q", "1", "-m", location(1_700_000_000))
    try await running.inbox.wait { _ in fixes(running, "alice/phone").count == 1 }
    broker.kill()
    try await running.inbox.wait { $0.signals.last?.state == .connecting && $0.signals.last?.detail != nil }
    #expect(running.inbox.signals.last?.device == nil)
    try broker.start()
    try await running.inbox.wait { _ in
      try? broker.publish("-t", "owntracks/alice/phone", "-q", "1", "-m", location(1_700_000_060))
      return fixes(running, "alice/phone").last?.time.milliseconds == 1_700_000_060_000
    }
    // It is told again how the device is.
    try await running.inbox.wait {
      $0.signals.last?.device == "alice/phone" && $0.signals.last?.state == .twoD
    }
  }

  @Test func whatIsNoPositionIsCountedAndHarmsNothing() async throws {
    let broker = try MQTTBroker()
    let running = try source(broker)
    try await settle(broker, running)
    let topic = "owntracks/alice/phone"
    func publish(_ text: String) throws { try broker.publish("-t", topic, "-q", "1", "-m", text) }
    try publish("{")
    try publish("nonsense")
    try publish("[1]")
    try publish(#"{"_type":"lwt","tst":1}"#)
    try publish(#"{"_type":"transition","event":"enter","tst":1,"lat":1,"lon":1}"#)
    try publish(#"{"_type":"location","tst":1}"#)
    try publish(#"{"_type":"location","lat":1,"lon":1}"#)
    try publish(#"{"_type":"location","lat":91,"lon":1,"tst":1}"#)
    try publish(#"{"_type":"location","lat":1,"lon":1,"tst":1e99}"#)
    try publish(#"{"_type":"encrypted","data":"abc"}"#)
    try publish(#"{"_type":"encrypted","data":"def"}"#)
    try publish(#"{"_type":"waypoint","desc":"Home","lat":1,"lon":1,"rad":100,"tst":1}"#)
    let file = try broker.folder.write("long", String(repeating: "x", count: 1_000_000))
    try broker.publish("-t", topic, "-q", "1", "-f", file)
    try publish(location(1_700_000_000))
    try await running.inbox.wait { _ in !fixes(running, "alice/phone").isEmpty }
    #expect(running.count("damaged lines") == 3)
    #expect(running.count("records that are not positions") == 2)
    #expect(running.count("points with an unreadable position") == 1)
    #expect(running.count("points without a time") == 1)
    #expect(running.count("points off the Earth") == 1)
    #expect(running.count("points with an unreadable time") == 1)
    #expect(running.count("encrypted messages") == 2)
    #expect(running.count("messages that are too long") == 1)
    #expect(fixes(running, "alice/phone").count == 1)
    let signals = running.inbox.signals.filter { $0.device == "alice/phone" }
    #expect(signals.map(\.state) == [.noFix, .twoD])
    #expect(signals.first?.detail?.contains("encrypted") == true)
  }

  @Test func whatTheBrokerHasKeptIsTakenOnce() async throws {
    let broker = try MQTTBroker()
    let now = Int(Arrival.now.utc.milliseconds / 1000)
    try broker.publish("-t", "owntracks/old/phone", "-q", "1", "-r", "-m", location(1_700_000_000))
    try broker.publish("-t", "owntracks/young/phone", "-q", "1", "-r", "-m", location(now))
    let running = try source(broker)
    try await running.inbox.wait { $0.fixes.count == 2 }
    // A broker that has forgotten the session gives it once more.
    try await settle(broker, running)
    let state = { (device: String) in running.inbox.signals.last { $0.device == device }?.state }
    #expect(state("old/phone") == .silent && state("young/phone") == .twoD)
    let (signals, repeats) = (running.inbox.signals.count, running.count("reports of the same epoch"))
    let stranger = try MQTTLink(
      { () -> MQTTOptions in
        var options = MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "fenceline-in")
        options.sessionExpiry = 0
        return options
      }()
    ) { _ in }
    try await running.inbox.wait { $0.signals.dropFirst(signals).contains { $0.state == .connecting } }
    stranger.stop()
    try await running.inbox.wait { _ in running.count("reports of the same epoch") >= repeats + 2 }
    #expect(fixes(running, "old/phone").count == 1 && fixes(running, "young/phone").count == 1)
  }

  @Test func aDeviceThatSaysNothingIsSilent() async throws {
    let broker = try MQTTBroker()
    let running = try source(broker, options: .silence(0.3), patience: 0.3)
    try await settle(broker, running)
    try await running.inbox.wait {
      $0.signals.last?.state == .silent && $0.signals.last?.device == "probe/it"
    }
    #expect(
      running.inbox.signals.last?.detail?.hasPrefix("Nothing has come from 'owntracks/probe/it' for") == true)
  }

  @Test func wayPointsAreHandedOverWhereThatIsAllowed() async throws {
    let broker = try MQTTBroker()
    let running = try source(broker, acceptsWaypoints: true)
    try await settle(broker, running)
    try broker.publish(
      "-t", "owntracks/alice/phone/waypoint", "-q", "1", "-m",
      #"{"_type":"waypoint","desc":"Home","lat":48.1,"lon":11.5,"rad":100,"tst":1700000000,"rid":"abcdef"}"#)
    try broker.publish(
      "-t", "owntracks/alice/phone/waypoints", "-q", "1", "-m",
      """
      {"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Café","lat":1,"lon":2,"rad":50,"tst":1},
      {"_type":"waypoint","desc":"Off","lat":1,"lon":2,"rad":0,"tst":2},{"_type":"waypoint","desc":"No radius","lat":1,"lon":2,"tst":3},
      {"_type":"waypoint","desc":"Gone","rad":50,"tst":4},{"_type":"waypoint","desc":"Beacon","uuid":"A:1:2","rad":50,"lat":1,"lon":1,"tst":5}]}
      """)
    try broker.publish(
      "-t", "owntracks/alice/phone", "-q", "1", "-m",
      #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[]}}"#)
    try broker.publish(
      "-t", "owntracks/alice/phone/waypoint", "-q", "1", "-m",
      #"{"_type":"waypoint","desc":"Home","rad":0,"tst":1}"#)
    try await running.inbox.wait { $0.regions.count == 3 }
    let regions = running.inbox.regions
    #expect(regions.map(\.device) == ["alice/phone", "alice/phone", "alice/phone"])
    #expect(
      regions.map { $0.document.map { String(decoding: $0, as: UTF8.self) } } == [
        #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Home","lat":48.1,"lon":11.5,"rad":100,"tst":1700000000,"rid":"abcdef"}]}"#,
        #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Café","lat":1,"lon":2,"rad":50,"tst":1}]}"#,
        nil,
      ])
    #expect(regions.map(\.unwatched) == [[], ["Off", "No radius", "Gone"], ["Home"]])
  }

  @Test func aNameOfTheUsersAndAnOddTopic() async throws {
    let broker = try MQTTBroker()
    var options = SourceOptions()
    options.receivers = [("dog", "owntracks/rex/*")]
    let running = try source(broker, ["owntracks/#"], options: options)
    try await settle(broker, running)
    try broker.publish("-t", "owntracks/rex/collar", "-q", "1", "-m", location(1_700_000_000))
    try broker.publish("-t", "owntracks/van", "-q", "1", "-m", location(1_700_000_000))
    try broker.publish("-t", "owntracks/van/event", "-q", "1", "-m", #"{"_type":"transition"}"#)
    try broker.publish("-t", "owntracks/a/b/c d", "-q", "1", "-m", location(1_700_000_000))
    try await running.inbox.wait { _ in !fixes(running, "a/b/c d").isEmpty }
    #expect(fixes(running, "dog").count == 1 && fixes(running, "van").count == 1)
  }

  @Test(
    arguments: [
      (["owntracks/+/+"], "owntracks/alice/phone", "alice/phone"),
      (["owntracks/#"], "owntracks/alice/phone", "alice/phone"),
      (["#"], "owntracks/alice/phone", "owntracks/alice/phone"),
      (["+/+/+"], "owntracks/alice/phone", "owntracks/alice/phone"),
      (["owntracks/alice/+"], "owntracks/alice/phone", "phone"),
      (["owntracks/alice/+", "owntracks/bob/+"], "owntracks/bob/phone", "bob/phone"),
      (["a/+/+", "b/+/+"], "b/bob/phone", "b/bob/phone"),
      (["owntracks/alice/phone"], "owntracks/alice/phone", "alice/phone"),
      (["van"], "van", "van"),
      (["fleet/van"], "fleet/van", "fleet/van"),
      (["$share/group/owntracks/+/+"], "owntracks/alice/phone", "alice/phone"),
      (["owntracks/+/+"], "owntracks/", nil),
      (["owntracks/+/+"], "owntracks/a/\u{1}", nil),
    ] as [([String], String, String?)])
  func topicsNameDevices(_ topics: [String], _ topic: String, _ name: String?) {
    #expect(TopicNames(topics)[topic] == name)
  }
}
