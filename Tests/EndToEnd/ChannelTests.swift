import FencelineTestSupport
import Foundation
import Testing

/// Channels and what they carry, as their users have them.
@Suite("Channels") struct ChannelTests {
  private static func json(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test(arguments: [
    ("channel add", 64, "desktop"),
    ("channel add pigeon x", 64, "pigeon"),
    ("channel add file x /tmp/x --level critical", 64, "Crossings have no level"),
    ("channel add file x /tmp/x --app 'org.*'", 64, "Crossings have no app"),
    ("channel add command x", 64, "PROGRAM"),
    ("channel add webhook hub", 64, "no URL"),
    ("channel add webhook hub ftp://example.org/", 64, "ftp"),
    ("channel add webhook hub https://ann:secret@example.org/", 64, "--headers-file"),
    ("channel add webhook hub https://example.org/ --header 'Authorization: Bearer 1'", 64, "--headers-file"),
    ("channel add webhook hub https://example.org/ --template-file missing", 64, "missing"),
    ("channel add email mail smtp://example.org --from ann@example.org --to nobody", 64, "'nobody'"),
    ("channel add ntfy phone https://ntfy.sh/", 64, "topic"),
    ("channel add mqtt home http://example.org", 64, "mqtt://"),
    ("channel add file log /tmp/x --rotate-size 10Q", 64, "10Q"),
    ("channel add file 'a b' /tmp/x", 64, "a b"),
    ("channel add file log /tmp/x --level loud", 64, "loud"),
    ("channel add file log /tmp/x --parallel 9", 64, "--parallel"),
    ("channel add file log /tmp/x --escalate-to nowhere", 64, "nowhere"),
    ("channel add file log /tmp/x --escalate-to log", 64, "itself"),
    ("channel add file there /tmp/x", 73, "already"),
    ("channel edit there --url https://example.org", 64, "--url"),
    ("channel edit nowhere --keep 3", 64, "nowhere"),
    ("channel edit there --unset path", 64, "path"),
    ("channel edit there -- /bin/cat", 64, "no program"),
    ("channel edit gate --program /bin/true -- /bin/cat", 64, "given twice"),
    ("channel rename there", 64, "NEW"),
    ("channel rename there 'a b'", 64, "a b"),
    ("channel rename there ''", 64, "''"),
    ("channel rename their other", 64, "Did you mean 'there'?"),
    ("channel rename there there", 73, "'there' already"),
    ("channel remove their", 64, "Did you mean 'there'?"),
    ("channel test nowhere", 64, "nowhere"),
    ("deliveries show 7", 64, "7"),
    ("deliveries retry", 64, "--all"),
    ("deliveries retry 7", 64, "1 delivery"),
    ("deliveries drop 7 --all", 64, "not both"),
    ("deliveries --channel nowhere", 64, "nowhere"),
    ("deliveries --state lost", 64, "lost"),
  ])
  func whatIsWrongIsNamedAndChangesNothing(command: String, status: Int, names: String) throws {
    let scratch = try Scratch()
    _ = try scratch.fenceline("channel", "add", "file", "there", "/tmp/there.jsonl")
    _ = try scratch.fenceline("channel", "add", "command", "gate", "/bin/true")
    let before = try scratch.fenceline("channel", "--json").output
    let run = try scratch.shell("\"$FENCELINE\" \(command)")
    #expect(run.status == Int32(status), "\(run.error)")
    #expect((run.output + run.error).contains(names), "\(run.error)")
    #expect(run.messages.filter { $0.hasPrefix("error: ") }.count <= 1)
    #expect(try scratch.fenceline("channel", "--json").output == before)
  }

  @Test func aChannelThatNobodyAnswersOnDelaysNoOther() throws {
    let scene = try LiveScene()
    let log = scene.scratch.path("events.jsonl")
    // Nobody listens on port 1.
    try scene.fenceline(
      "channel", "add", "webhook", "away", "http://127.0.0.1:1/", "--allow-local", "--events", "all")
    try scene.fenceline("channel", "add", "file", "log", log, "--events", "all")
    try scene.serve("--source", "tcp://127.0.0.1:1")
    for number in 1...20 {
      try scene.fenceline("notify", "now", "--id", "n\(number)", "--title", "Number \(number)")
    }
    try scene.wait("the file", for: { try lines(log, scene).count == 20 })
    let events = try lines(log, scene).map { try Self.json($0) }
    #expect(events.compactMap { $0["title"] as? String } == (1...20).map { "Number \($0)" })
    #expect(Set(events.compactMap { $0["key"] as? String }).count == 20)
    try scene.wait(
      "the failure",
      for: {
        let away = try Self.json(try scene.fenceline("channel", "--json").lines[0])
        return away["waiting"] as? Int == 20 && (away["lastFailure"] as? String)?.isEmpty == false
      })
    #expect(try scene.fenceline("status").output.contains("away (webhook): 20 waiting"))
    // Another service goes on where this one stood.
    _ = try scene.end()
    try scene.fenceline("channel", "edit", "away", "--url", "http://127.0.0.1:2/")
    let table = try scene.fenceline("deliveries").output
    #expect(table.contains("n20") && table.contains("away"))
    let refused = try scene.scratch.fenceline("channel", "remove", "away", "--db", scene.database)
    #expect(refused.status == 64 && refused.error.contains("20 deliveries"))
    try scene.fenceline("channel", "remove", "away", "--drop")
    #expect(try scene.fenceline("channel", "--json").lines.count == 1)
  }

  @Test func aChannelWithANewNameKeepsWhatWaitsAndWhoHandsOverToIt() throws {
    let scratch = try Scratch()
    _ = try scratch.fenceline("channel", "add", "file", "hub", scratch.path("events"))
    _ = try scratch.fenceline("channel", "add", "file", "first", scratch.path("f"), "--escalate-to", "hub")
    _ = try scratch.sql(
      """
      INSERT INTO delivery (channel, device, line, notification, unless_seen, created, since, next, state)
      SELECT number, '', '', 1, 0, 1, 1, 1, 'waiting' FROM channel WHERE name = 'hub'
      """)
    let run = try scratch.fenceline("channel", "rename", "hub", "office")
    #expect(run.status == 0 && run.error == "channel 'hub' is called 'office' now\n")
    let channels = try scratch.fenceline("channel", "--json").lines.map(Self.json)
    #expect(channels.map { $0["channel"] as? String } == ["first", "office"])
    #expect((channels[0]["rules"] as? [String: Any])?["escalateTo"] as? String == "office")
    #expect(channels[1]["waiting"] as? Int == 1)
    // The old name is free again.
    #expect(try scratch.fenceline("channel", "rename", "first", "hub").status == 0)
  }

  private func lines(_ path: String, _ scene: LiveScene) throws -> [String] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test func whatWasGivenUpIsListedWithItsOutputAndTriedAgain() throws {
    let scene = try LiveScene()
    let script = try scene.scratch.write(
      "carry",
      "#!/bin/sh\ncat >> \"$0.log\"\n[ -e \"$0.well\" ] || { echo 'The gate is jammed.' >&2; exit 9; }\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    try scene.fenceline(
      "channel", "add", "command", "gate", script, "--events", "notifications", "--retry-for", "0")
    try scene.serve("--source", "tcp://127.0.0.1:1")
    try scene.fenceline("notify", "now", "--id", "open", "--title", "Open")
    try scene.wait(
      "the end", for: { try scene.fenceline("deliveries", "--json", "--state", "dead").lines.count == 1 })
    let dead = try Self.json(try scene.fenceline("deliveries", "--json").lines[0])
    let number = try #require(dead["delivery"] as? Int)
    #expect(dead["attempts"] as? Int == 1 && dead["request"] as? String == "open")
    let shown = try scene.fenceline("deliveries", "show", "\(number)").output
    #expect(shown.contains("given up") && shown.contains("The gate is jammed."))
    _ = try scene.scratch.write("carry.well", "")
    #expect(try scene.fenceline("deliveries", "retry", "\(number)").error == "1 delivery to be tried again\n")
    try scene.wait(
      "the second try",
      for: { try scene.fenceline("deliveries", "--json", "--state", "done").lines.count == 1 })
    let keys = try lines(script + ".log", scene).map { try Self.json($0)["key"] as? String }
    #expect(keys.count == 2 && Set(keys).count == 1)
    #expect(try scene.fenceline("deliveries").error.hasPrefix("Nothing waits"))
  }

  @Test func aChannelGetsAnotherProgramWordByWord() throws {
    let scratch = try Scratch()
    _ = try scratch.fenceline("channel", "add", "command", "gate", "--timeout", "5s", "/bin/true")
    #expect(try scratch.fenceline("channel", "edit", "gate", "--", "./open", "--slowly", "[1]").status == 0)
    let options = try Self.json(try scratch.fenceline("channel", "--json").lines[0])["options"]
    #expect(
      options as? [String: [String]] == [
        "program": [scratch.path("./open"), "--slowly", "[1]"], "timeout": ["5"],
      ])
  }

  @Test func whatCannotBeUsedIsListedAsThatWithWhy() throws {
    let scratch = try Scratch()
    for name in ["fine", "over", "off"] {
      _ = try scratch.fenceline("channel", "add", "file", name, scratch.path(name))
    }
    _ = try scratch.fenceline("channel", "disable", "off")
    // Somebody has named the database by another way.
    _ = try scratch.sql(
      """
      UPDATE channel SET options = '{"path":["\(scratch.database)-wal"]}' WHERE name = 'over';
      INSERT INTO channel (name, kind, options, rules, enabled, seal, created)
        SELECT 'strange', 'pigeon', options, rules, 1, '', 1 FROM channel WHERE name = 'fine';
      """)
    let why =
      "'\(scratch.database)-wal' belongs to Fenceline's own database, which events would destroy. Name another file."
    let table = try scratch.fenceline("channel")
    #expect(table.lines.contains { $0.hasPrefix("over") && $0.contains("unusable") }, "\(table.output)")
    let channels = try scratch.fenceline("channel", "--json").lines.map(Self.json)
    #expect(channels.map { $0["channel"] as? String } == ["fine", "off", "over", "strange"])
    #expect(channels.map { $0["state"] as? String } == ["on", "off", "unusable", "unusable"])
    #expect(channels.map { $0["why"] as? String } == [nil, nil, why, "This program has no such kind."])
    let shown = try Self.json(try scratch.fenceline("channel", "show", "over", "--json").lines[0])
    #expect(shown["why"] as? String == why)
    #expect(try scratch.fenceline("doctor", "--json").output.contains(why))
    let edit = try scratch.fenceline("channel", "edit", "fine", "--path", scratch.database)
    #expect(edit.status == 64 && edit.error.contains("belongs to Fenceline's own database"))
  }

  @Test func whatAChannelNamesAndIsNotThereIsWarnedOf() throws {
    let scratch = try Scratch.withRegions()
    let add = try scratch.fenceline(
      "channel", "add", "command", "gate", "--region", "depto", "--region", "dep*", "--region", "depot", "--",
      "/nowhere/open")
    #expect(add.status == 0)
    #expect(
      add.messages.dropLast() == [
        "warning: The program '/nowhere/open' of the channel 'gate' is not there.",
        "warning: There is no region 'depto', and the channel 'gate' carries what is about it. Did you mean 'depot'?",
      ])
    let edit = try scratch.fenceline("channel", "edit", "gate", "--region", "depot", "--", "no-such-program")
    #expect(
      edit.messages.dropLast() == [
        "warning: The program 'no-such-program' of the channel 'gate' is in no folder of the PATH."
      ])
    #expect(try scratch.fenceline("channel", "edit", "gate", "--", "cat").messages.count == 1)
    let log = try scratch.fenceline("channel", "add", "file", "log", scratch.path("logs/x"))
    #expect(log.status == 0 && log.error.hasPrefix("warning: The folder of '"))
  }

  @Test func whoeverTestsAChannelLearnsWhetherItWorks() throws {
    let scratch = try Scratch()
    _ = try scratch.fenceline("channel", "add", "command", "echo", "/bin/cat")
    let good = try scratch.fenceline("channel", "test", "echo")
    #expect(good.status == 0 && good.output.contains("\"test\":true"))
    _ = try scratch.fenceline("channel", "add", "command", "no", "/nowhere/at/all")
    let bad = try scratch.fenceline("channel", "test", "no")
    #expect(bad.status == 69 && bad.error.contains("'/nowhere/at/all'"))
    #expect(try scratch.fenceline("deliveries", "--all", "--json").output.isEmpty)
  }

  @Test func secretsAreNeverShown() throws {
    let scratch = try Scratch()
    let secret = "open sesame 4711"
    try scratch.write("secret", secret + "\n")
    try scratch.write("headers", "Authorization: Bearer \(secret)\n")
    _ = try scratch.fenceline(
      "channel", "add", "webhook", "hub", "http://127.0.0.1:1/", "--allow-local", "--headers-file",
      scratch.path("headers"), "--secret-file", scratch.path("secret"))
    _ = try scratch.fenceline(
      "channel", "add", "email", "mail", "smtp://127.0.0.1:1", "--plain", "--user", "ann", "--password-file",
      scratch.path("secret"), "--from", "ann@example.org", "--to", "ben@example.org")
    _ = try scratch.fenceline(
      "channel", "add", "mqtt", "home", "mqtt://127.0.0.1:1", "--user", "ann", "--password-file",
      scratch.path("secret"))
    var said = ""
    for name in ["hub", "mail", "home"] {
      for words in [["test", name], ["show", name]] {
        let run = try scratch.shell("\"$FENCELINE\" channel \(words.joined(separator: " "))")
        said += run.output + run.error
      }
    }
    said += try scratch.fenceline("channel", "--json").output
    #expect(said.contains("secret") && !said.contains("sesame"))
    for name in try scratch.names where name.contains(".db") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
      #expect(bytes.range(of: Data("sesame".utf8)) == nil, "\(name)")
    }
  }

  private static func saysThatNothingGivesPositions(_ status: LiveStatus) -> Bool {
    status.problems.contains { $0.hasPrefix("Nothing gives positions") }
  }

  @Test func whereChannelsAloneGivePositionsNobodyAsksForGPSD() throws {
    let scene = try LiveScene()
    let broker = try MQTTBroker()
    try scene.fenceline("settings", "set", "sources", "none")
    let nothing = try scene.scratch.fenceline("doctor", "--json", "--db", scene.database)
    #expect(nothing.status == 69 && nothing.output.contains("Nothing gives positions"))
    #expect(!nothing.output.contains("\"gpsd\""))
    try scene.fenceline(
      "channel", "add", "mqtt", "home", "mqtt://127.0.0.1:\(broker.port)", "--receive", "owntracks/+/+")
    try scene.serve()
    try scene.wait(
      "the source", for: { try scene.fenceline("status").output.contains("source    owntracks 127.0.0.1") })
    #expect(try !scene.fenceline("status").output.contains("gpsd"))
    try scene.wait(
      "the broker",
      for: { try scene.fenceline("status").output.contains("nobody has published anything yet") })
    #expect(try !scene.fenceline("status").output.contains("problem"))
    let doctor = try scene.fenceline("doctor").output
    #expect(doctor.contains("Positions come by channels alone: 'home'.") && !doctor.contains(" gpsd  "))
    try broker.publish(
      "-q", "1", "-t", "owntracks/alice/phone", "-m",
      #"{"_type":"location","lat":47.3769,"lon":8.5417,"acc":5,"tst":\#(Int(Date().timeIntervalSince1970))}"#)
    try scene.wait(
      "the phone", for: { try scene.fenceline("status").output.contains("device    alice/phone: 2D") })
    try scene.fenceline("channel", "remove", "home", "--drop")
    try scene.wait(
      "the end of the source", for: { try scene.fenceline("status").output.contains("source    none;") })
    try scene.wait("the problem") { Self.saysThatNothingGivesPositions($0) }
    let log = try scene.end().error
    #expect(log.contains("Positions come by channels alone: 'home'.") && !log.contains("gpsd"), "\(log)")
    #expect(log.components(separatedBy: "error: Nothing gives positions").count == 2, "\(log)")
  }

  @Test func thatNothingGivesPositionsAnyMoreIsSaidWhileItRuns() throws {
    let scene = try LiveScene()
    try scene.serve("--source", "none")
    try scene.wait("the problem") { Self.saysThatNothingGivesPositions($0) }
    // Nobody listens there.
    try scene.fenceline(
      "channel", "add", "mqtt", "home", "mqtt://127.0.0.1:1", "--receive", "owntracks/+/+")
    try scene.wait("a way") { !Self.saysThatNothingGivesPositions($0) }
    try scene.fenceline("channel", "disable", "home")
    try scene.wait("the problem") { Self.saysThatNothingGivesPositions($0) }
    let log = try scene.end().error
    let told = log.split(separator: "\n").filter { $0.contains("ositions") }
    let nothing =
      "error: Nothing gives positions: 'sources' is none, and no channel that is switched on has --receive."
    #expect(
      told.map(String.init) == [nothing, "info: Positions come by channels alone: 'home'.", nothing])
  }

  @Test func sourcesThatAreTakenAwayLeaveNothingThatGivesPositions() throws {
    let scene = try LiveScene()
    try scene.fenceline("settings", "set", "sources", "tcp://127.0.0.1:1")
    try scene.serve()
    try scene.fenceline("settings", "set", "sources", "none")
    try scene.wait("the problem") { Self.saysThatNothingGivesPositions($0) }
    try scene.end()
  }

  @Test func phonesBecomeDevicesAndTheirWayPointsRegions() throws {
    let scene = try LiveScene()
    let broker = try MQTTBroker()
    try scene.fenceline(
      "channel", "add", "mqtt", "home", "mqtt://127.0.0.1:\(broker.port)", "--receive", "owntracks/+/+",
      "--accept-waypoints")
    try scene.serve("--source", "tcp://127.0.0.1:1")
    let now = Int(Date().timeIntervalSince1970)
    try scene.wait(
      "the source",
      for: { try scene.fenceline("status").output.contains("source    owntracks 127.0.0.1") })
    try broker.publish(
      "-q", "1", "-t", "owntracks/alice/phone/waypoint", "-m",
      #"{"_type":"waypoint","desc":"Home","lat":47.3769,"lon":8.5417,"rad":100,"tst":\#(now - 100)}"#)
    try scene.wait(
      "the region", for: { try scene.fenceline("region", "list").output.contains("alice/phone/Home") })
    for second in 0..<4 {
      try broker.publish(
        "-q", "1", "-t", "owntracks/alice/phone", "-m",
        #"{"_type":"location","lat":47.3769,"lon":8.5417,"acc":5,"tst":\#(now - 60 + second * 10)}"#)
    }
    try scene.wait(
      "the phone",
      for: {
        let status = try scene.fenceline("status").output
        return status.contains("device    alice/phone: 2D") && status.contains("inside    alice/phone/Home")
      })
  }
}
