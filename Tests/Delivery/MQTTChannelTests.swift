import FencelineCivilTime
import FencelineDelivery
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineMQTTLink
import FencelineTestSupport
import Glibc
import Synchronization
import Testing

@Suite("MQTT channel", .enabled(if: MQTTLink.isAvailable), .timeLimit(.minutes(5))) struct MQTTChannelTests {
  @Test(arguments: ["5", "3.1.1"]) func eventsArriveAsJSON(_ version: String) throws {
    let broker = try MQTTBroker()
    let listener = try broker.listen(to: "#", arguments: ["-F", "<%t>%r %C|%P|%p"])
    let channel = try Channel(broker, ["protocol": [version], "topic": ["geo/fences"]])
    let parcels = (0..<300).map { Parcel.crossing(number: $0, device: $0 % 2 == 0 ? "van" : "alice/ph+ne") }
    #expect(channel.carry(parcels).allSatisfy { $0 == .done })
    #expect(listener.waits { $0.messages.count >= 301 })
    let events = listener.messages.filter { $0.topic != "geo/fences/status" }
    #expect(events.count == 300)
    for (parcel, event) in zip(parcels, events) {
      let parts = event.text.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
      let isFive = version == "5"
      #expect(parts[0] == (isFive ? "application/json" : ""))
      #expect(parts[1] == (isFive ? "key:\(parcel.key) type:crossing.entry" : ""))
      #expect(event.topic == "geo/fences/\(parcel.device == "van" ? "van" : "alice%2Fph%2Bne")/event")
      #expect(!event.isRetained)
      let json = try JSONNode(parsing: Array(parts[2].utf8))
      #expect(json["key"]?.text == parcel.key && json["type"]?.text == "crossing.entry")
      #expect(json["device"]?.text == parcel.device && json["region"]?.text == "office")
    }
  }

  @Test func theStatusIsKeptAndTheWillIsSeen() throws {
    let broker = try MQTTBroker()
    let listener = try broker.listen(to: "fenceline/status")
    let channel = try Channel(broker)
    #expect(listener.waits { $0.texts(on: "fenceline/status") == ["online"] })
    channel.carrier.stop()
    #expect(listener.waits { $0.texts(on: "fenceline/status") == ["online", "offline"] })
    let later = try broker.listen(to: "fenceline/status")
    #expect(later.waits { !$0.messages.isEmpty })
    #expect(later.messages.first?.isRetained == true && later.messages.first?.text == "offline")
  }

  @Test func aBrokerThatIsKilledLosesNothing() throws {
    let broker = try MQTTBroker()
    let reader = Reader(try broker.listen(to: "fenceline/+/event"))
    let channel = try Channel(broker, ["timeout": ["60"]])
    let parcels = (0..<3000).map { Parcel.crossing(number: $0, device: "van \($0 % 7)") }
    var outcomes: [CarryOutcome?] = []
    let killed = Atomic(false)
    for start in stride(from: 0, to: 3000, by: 100) {
      let killer = BackgroundThread {
        // In the middle of a batch, as near as chance has it.
        guard start == 1000 else { return }
        usleep(2000)
        broker.kill()
        killed.store(true, ordering: .relaxed)
      }
      outcomes += channel.carry(Array(parcels[start..<start + 100]))
      killer.join()
      if killed.load(ordering: .relaxed) { break }
    }
    // With the broker gone, whatever is tried fails and nothing hangs.
    while outcomes.count < 3000 {
      outcomes += channel.carry(Array(parcels[outcomes.count..<outcomes.count + 100]))
    }
    let done = outcomes.count { $0 == .done }
    #expect(done >= 1000 && done < 3000)
    for outcome in outcomes where outcome != .done {
      guard case .failed(nil) = outcome?.result else {
        Issue.record("\(outcome as Any)")
        break
      }
    }
    try broker.start()
    let before = reader.keys.count
    #expect(reader.waits { $0.isSubscribed(broker, after: before) })
    for start in stride(from: 0, to: 3000, by: 100) {
      let again = (start..<start + 100).filter { outcomes[$0] != .done }
      if !again.isEmpty { #expect(channel.carry(again.map { parcels[$0] }).allSatisfy { $0 == .done }) }
    }
    #expect(reader.waits { Set($0.keys).count == 3001 }, "\(Set(reader.keys).count)")
    // In order for each device, as seen by who remembers the keys.
    var seen: Set<String> = []
    var newest: [Int: Int] = [:]
    for key in reader.keys where seen.insert(key).inserted {
      let number = try #require(Int(key.dropFirst(4)))
      if number < 0 { continue }
      #expect(number > newest[number % 7] ?? -1)
      newest[number % 7] = number
    }
  }

  @Test func whatTheBrokerForbidsIsTriedAgain() throws {
    let broker = try MQTTBroker(
      ["allow_anonymous true", "acl_file FOLDER/acl"],
      files: ["acl": "topic readwrite fenceline/status\ntopic readwrite fenceline/van/#\n"])
    let channel = try Channel(broker)
    let outcomes = channel.carry([
      .crossing(number: 1, device: "van"), .crossing(number: 2, device: "car"),
      .crossing(number: 3, device: "van"),
    ])
    #expect(
      outcomes == [
        .done, .failed("The broker does not take the message: not authorized (135)."), .done,
      ])
  }

  @Test func aBrokerThatSaysNothingFailsInTimeAndStoppingIsQuick() throws {
    let silent = try SilentBroker()
    let channel = try Channel(port: silent.port, ["timeout": ["0.4"]])
    let began = ContinuousClock.now
    let outcomes = channel.carry([.crossing(number: 1, device: "van")])
    #expect(ContinuousClock.now - began < .seconds(20))
    guard case .failed(nil) = outcomes[0]?.result else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(
      outcomes[0]?.detail.contains("does not answer") == true
        || outcomes[0]?.detail.contains("has not answered") == true)

    let patient = try Channel(port: silent.port, ["timeout": ["3600"], "client-id": ["patient"]])
    let stopper = BackgroundThread { [carrier = patient.carrier] in
      silent.waitForClients(2)
      carrier.stop()
    }
    // What was stopped was not tried.
    #expect(patient.carry([.crossing(number: 1, device: "van")]) == [nil])
    stopper.join()
  }

  @Test func ownTracksGetsTransitionsAndPositions() throws {
    let broker = try MQTTBroker()
    let listener = try broker.listen(to: "owntracks/#")
    let channel = try Channel(
      broker, ["format": ["owntracks"], "positions": ["0.2"]])
    let parcels = [Crossing.Kind.entry, .dwell, .exit].enumerated().map {
      Parcel.crossing(number: $0.offset, device: "van", kind: $0.element)
    }
    #expect(channel.carry(parcels).map { $0?.result } == [.done, .done, .done])
    channel.carrier.note(
      LivePosition(
        device: "van", time: Timestamp(milliseconds: 1_700_000_000_500), latitude: 48.1, longitude: 11.5,
        accuracy: 7.6, speed: 10, course: 90))
    #expect(listener.waits { $0.messages.count >= 3 })
    let events = listener.texts(on: "owntracks/fenceline/van/event")
    #expect(
      events == [
        """
        {"_type":"transition","event":"enter","desc":"The Office","rid":"office","tid":"an","tst":1700000000,"wtst":1368400785,"lat":48.1,"lon":11.5,"t":"c"}
        """,
        """
        {"_type":"transition","event":"leave","desc":"The Office","rid":"office","tid":"an","tst":1700000002,"wtst":1368400785,"lat":48.1,"lon":11.5,"t":"c"}
        """,
      ])
    #expect(
      listener.texts(on: "owntracks/fenceline/van") == [
        """
        {"_type":"location","tid":"an","tst":1700000000,"lat":48.1,"lon":11.5,"acc":8,"vel":36,"cog":90}
        """
      ])
  }

  @Test(
    arguments: [
      (
        ["broker": ["localhost"]],
        "cannot use the broker 'localhost': it is no address of one. Write it as 'mqtt://HOST', 'mqtt://HOST:PORT' or 'mqtts://HOST'."
      ),
      (
        ["broker": ["mqtt://:1883"]],
        "cannot use the broker 'mqtt://:1883': it names no host. Write it as 'mqtt://HOST', and topics by --topic."
      ),
      (
        ["broker": ["mqtt://a:x"]],
        "cannot use the broker 'mqtt://a:x': 'x' is no port. A port is a number from 1 to 65535."
      ),
      (
        ["broker": ["mqtt://[::1"]],
        "cannot use the broker 'mqtt://[::1': a ']' is missing. Write it as 'mqtt://[::1]'."
      ),
      (
        ["broker": ["mqtt://u:secret@a"]],
        "has a user in the address of its broker. Give --user, and --password-file."
      ),
      (["topic": ["a/+"]], "cannot publish below 'a/+': '+' and '#' stand for other topics. Change --topic."),
      (
        ["topic": ["/a"]],
        "cannot publish below '/a': it must neither be empty nor begin or end with '/'. Change --topic."
      ),
      (["format": ["xml"]], "cannot write events as 'xml'. Use json, owntracks or homeassistant."),
      (["protocol": ["4"]], "cannot speak MQTT '4'. Use 5 or 3.1.1."),
      (
        ["ca-file": ["/etc/passwd"]],
        "has --ca-file, and its broker 'mqtt://127.0.0.1' is not encrypted. Write it as 'mqtts://…'."
      ),
      (["receive": ["a/#/b"]], "cannot receive 'a/#/b': '#' stands alone, at the end. Change --receive."),
      (["accept-waypoints": ["true"]], "accepts way-points and receives nothing. Add --receive."),
      (
        ["receive": ["owntracks/+/+"], "format": ["owntracks"], "positions": ["30"]],
        "would receive what it publishes below 'owntracks/fenceline'. Change --receive or --owntracks-prefix."
      ),
      (
        ["broker": ["mqtts://a"], "certificate": ["/etc/passwd"]],
        "needs both --certificate and --key-file, or neither."
      ),
    ] as [([String: [String]], String)])
  func optionsThatAreWrongAreSaid(_ values: [String: [String]], _ sentence: String) {
    let setup = ChannelSetup(name: "home", values: ["broker": ["mqtt://127.0.0.1"]].merging(values) { $1 })
    #expect(throws: ChannelError("Channel 'home' \(sentence)")) {
      try ChannelKind.mqtt.make(setup, ChannelContext(version: "1"))
    }
  }

  @Test func theChannelAndItsSourceShareBrokerAndCredentials() throws {
    let folder = try TemporaryFolder()
    try folder.write("password", "first\n")
    let setup = ChannelSetup(
      name: "phones",
      values: [
        "broker": ["mqtts://[::1]"], "receive": ["owntracks/+/+"], "user": ["anna"],
        "password-file": [folder.path("password")], "protocol": ["3.1.1"],
      ], seal: "0123456789abcdef")
    let context = ChannelContext(version: "1")
    let input = try #require(try ChannelKind.ownTracksInput(setup, context))
    let output = try MQTTOptions(setup, context)
    #expect(input.topics == ["owntracks/+/+"] && !input.acceptsWaypoints)
    #expect(input.options.place == "[::1]:8883" && output.place == "[::1]:8883")
    #expect(input.options.user == "anna" && input.options.version == .threeOneOne)
    #expect(output.clientID == "fenceline-01234567")
    #expect(input.options.clientID == "fenceline-01234567-in")
    #expect(try input.options.password() == "first")
    try folder.write("password", "second\n")
    #expect(try input.options.password() == "second")
  }
}
