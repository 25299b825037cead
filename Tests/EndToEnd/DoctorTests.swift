import Foundation
import Testing

/// What `doctor` prints with `--json`.
private struct FindingLine: Codable {
  var subject: String
  var verdict: String
  var text: String
  var advice: String?
}

@Suite("Doctor") struct DoctorTests {
  /// A port of this machine that nobody uses.
  private func freePort(_ scratch: Scratch) throws -> String {
    let run = try scratch.shell(
      "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); print(s.getsockname()[1])'"
    )
    return try #require(run.lines.first)
  }

  private func findings(_ scratch: Scratch, _ gpsd: String) throws -> (status: Int32, lines: [FindingLine]) {
    let run = try scratch.fenceline("doctor", "--json", "--quiet", "--gpsd", gpsd)
    #expect(run.error.isEmpty)
    return (run.status, try run.decoded(FindingLine.self))
  }

  private func wait(for script: String, _ scratch: Scratch) throws -> Bool {
    for _ in 0..<200 {
      if try scratch.shell(script).status == 0 { return true }
      usleep(50_000)
    }
    return false
  }

  @Test func withoutGPSDItSaysHowToGetOne() throws {
    let scratch = try Scratch.withRegions()
    let port = try freePort(scratch)
    let run = try scratch.fenceline("doctor", "--gpsd", "127.0.0.1:\(port)")
    #expect(run.status == 69)
    #expect(
      run.lines[0] == "problem  gpsd      gpsd does not answer at 127.0.0.1:\(port): connection refused.")
    #expect(run.lines[1] == "           → sudo apt install gpsd && sudo systemctl enable --now gpsd.socket")
    #expect(run.output.contains("\nok       database  The database '\(scratch.database)' is sound.\n"))
    #expect(run.output.contains("\nwarning  service   The service is not running on '\(scratch.database)'."))
    #expect(run.messages.last?.hasPrefix("1 problem, ") == true)
    let unknown = try findings(scratch, "nowhere.invalid")
    #expect(unknown.lines[0].text.hasPrefix("gpsd does not answer at nowhere.invalid:2947: "))
    try scratch.checkSoundness()
  }

  @Test func whatIsNoGPSDIsNotTakenForOne() throws {
    let scratch = try Scratch.withRegions()
    let server = try RunningProgram(
      ["/usr/bin/env", "python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"],
      environment: scratch.environment(), in: scratch.folder)
    #expect(try server.writes("http://127.0.0.1"))
    let port = try #require(try server.text("output").firstMatch(of: /port (\d+)/)).1
    let (status, lines) = try findings(scratch, "127.0.0.1:\(port)")
    #expect(status == 69)
    #expect(lines[0].text == "Something answers at 127.0.0.1:\(port), and it is not gpsd.")
    server.signal(SIGTERM)
  }

  @Test func aRealGPSDAndItsReceiverAreSeen() throws {
    let scratch = try Scratch.withRegions()
    guard try scratch.shell("for name in gpsd gpsfake socat; do command -v $name || exit 1; done").status == 0
    else {
      try Test.cancel("gpsd, its clients and socat are not installed")
    }
    let port = try freePort(scratch)
    _ = try scratch.shell("head -n 400 \"$DATA/drive.nmea\" > drive.nmea")
    let gpsd = try RunningProgram(
      ["/usr/bin/env", "gpsfake", "-q", "-n", "-c", "0.05", "-P", port, "drive.nmea"],
      environment: scratch.environment(), in: scratch.folder)
    guard try wait(for: "gpspipe -w -n 8 localhost:\(port) | grep -q '\"mode\":3'", scratch) else {
      try Test.cancel("gpsd does not run here")
    }
    let (_, lines) = try findings(scratch, "localhost:\(port)")
    #expect(lines[0].verdict == "ok" && lines[0].text.hasPrefix("gpsd 3."))
    #expect(
      lines[1].subject == "receiver" && lines[1].verdict == "ok" && lines[1].text.hasSuffix(" has a 3D fix."))
    gpsd.signal(SIGTERM)
    #expect(gpsd.ends(within: 20))
  }

  @Test func aReceiverThatSaysNothingIsAProblem() throws {
    let scratch = try Scratch.withRegions()
    guard try scratch.shell("for name in gpsd socat; do command -v $name || exit 1; done").status == 0 else {
      try Test.cancel("gpsd and socat are not installed")
    }
    let port = try freePort(scratch)
    let tty = scratch.path("tty")
    let pty = try RunningProgram(
      ["/usr/bin/env", "socat", "PTY,link=\(tty),raw,echo=0,mode=666", "PTY,raw,echo=0"],
      environment: scratch.environment(), in: scratch.folder)
    #expect(try wait(for: "test -e tty", scratch))
    _ = try scratch.shell("chmod 755 .")
    let gpsd = try RunningProgram(
      ["/usr/sbin/gpsd", "-N", "-n", "-b", "-F", scratch.path("control"), "-S", port, tty],
      environment: scratch.environment(), in: scratch.folder)
    guard try wait(for: "gpspipe -w -n 1 localhost:\(port)", scratch) else {
      try Test.cancel("gpsd does not run here")
    }
    let (status, lines) = try findings(scratch, "localhost:\(port)")
    #expect(status == 69)
    #expect(lines[1].text == "\(tty) has said nothing for 4 s.", "\(lines[1])")
    // And one that gpsd has no more.
    pty.signal(SIGTERM)
    #expect(pty.ends(within: 10))
    let removed = try scratch.shell(
      "python3 -c 'import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b\"-\" + sys.argv[2].encode() + b\"\\r\\n\"); s.recv(99)' control \"$1\"",
      tty)
    #expect(removed.status == 0, "\(removed.error)")
    let without = try findings(scratch, "localhost:\(port)")
    #expect(without.lines[1].subject == "receiver" && without.lines[1].verdict == "problem")
    #expect(without.lines[1].text.contains("has no receiver"))
    gpsd.signal(SIGTERM)
    #expect(gpsd.ends(within: 10))
  }

  @Test func theProblemsOfTheServiceAreItsOwn() throws {
    let scratch = try Scratch.withRegions()
    let port = try freePort(scratch)
    let status =
      #"{"process":9,"sources":[{"name":"gpsd 127.0.0.1:\#(port)"},{"name":"stdin"}],"problems":["The disk is full."]}"#
    let service = try LocalService(scratch.database, status: status)
    let run = try scratch.fenceline("doctor", "--json", "--quiet")
    let lines = try run.decoded(FindingLine.self)
    #expect(run.status == 69)
    // The gpsd that the service follows is looked at.
    #expect(lines[0].text.hasPrefix("gpsd does not answer at 127.0.0.1:\(port)"))
    #expect(lines.suffix(2).map(\.verdict) == ["ok", "problem"])
    #expect(lines.suffix(2).map(\.text) == ["The service runs as process 9.", "The disk is full."])
    service.stop()
  }

  @Test func whatIsWrongWithChannelsIsSaidWithWhatToType() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: #"{"sources":[{"name":"stdin"}]}"#)
    let before = try scratch.fenceline("doctor", "--json").decoded(FindingLine.self)
    #expect(!before.contains { $0.subject == "channel" })
    try scratch.write("secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw==\n")
    for words in [
      "command absent -- /nowhere/open --fast", "command closed -- '\(scratch.database)'",
      "command unset --timeout 5s /bin/true",
      "command lost -- no-program-has-such-a-name", "file folder '\(scratch.path("logs/x"))'",
      "file fine '\(scratch.path("y"))'", "file off '\(scratch.path("z"))'",
      "file gone '\(scratch.path("g"))'",
      "file fails '\(scratch.path("f"))'", "file died '\(scratch.path("d"))'",
      "webhook hub https://hub.example --secret-file secret",
    ] {
      let run = try scratch.shell("\"$FENCELINE\" channel add -q \(words)")
      #expect(run.status == 0, "\(run.error)")
    }
    _ = try scratch.fenceline("channel", "disable", "off")
    let twoHoursAgo = (Int(Date().timeIntervalSince1970) - 7210) * 1000
    _ = try scratch.sql(
      """
      UPDATE channel SET enabled = 0, problem = 'The server answered 410.' WHERE name = 'gone';
      UPDATE channel SET options = '{"timeout":["5"]}' WHERE name = 'unset';
      INSERT INTO channel (name, kind, options, rules, enabled, seal, created)
        SELECT 'other', 'pigeon', options, rules, 1, '', 1 FROM channel WHERE name = 'fine';
      INSERT INTO delivery (channel, device, line, run, sequence, unless_seen, created, since, attempts, next, state, detail)
        SELECT number, '', '', 1, column1, 0, 1, column2, column3, 1, 'waiting', 'There is no room left.'
        FROM channel, (VALUES (1, 1, 0), (2, \(twoHoursAgo + 7_000_000), 1), (3, \(twoHoursAgo), 3)) WHERE name = 'fails';
      INSERT INTO delivery
        (channel, device, line, run, sequence, unless_seen, created, since, attempts, next, ended, state, detail)
        SELECT number, '', '', 1, column1, 0, 1, 1, 3, 1, 1, 'dead', column2 FROM channel, (VALUES (1, 'first'), (2, 'Last.'))
        WHERE name = 'died';
      """)
    try FileManager.default.removeItem(atPath: scratch.path("secret"))
    let run = try scratch.fenceline("doctor", "--json", "--quiet")
    #expect(run.status == 69)
    let lines = try run.decoded(FindingLine.self).filter { $0.subject == "channel" }
    let told = lines.map { "\($0.verdict): \($0.text) → \($0.advice ?? "")" }
    let edit = "Install it, or name another one: fenceline channel edit"
    #expect(
      told == [
        "problem: The program '/nowhere/open' of the channel 'absent' is not there. → \(edit) absent -- PROGRAM",
        "problem: The program '\(scratch.database)' of the channel 'closed' may not be executed. → chmod +x '\(scratch.database)'",
        "problem: 2 deliveries of the channel 'died' were given up. Last. → fenceline deliveries retry --channel died --state dead; to forget them: fenceline deliveries drop --channel died --state dead",
        "warning: The channel 'fails' fails; 3 deliveries wait, and one has been tried for 2 h. There is no room left. → fenceline channel test fails",
        "ok: The channel 'fine' has carried nothing yet. → fenceline channel test fine",
        "problem: The folder of '\(scratch.path("logs/x"))', to which the channel 'folder' writes, is not there. → mkdir -p '\(scratch.path("logs"))'",
        "problem: The channel 'gone' was switched off. The server answered 410. → Mend that, then: fenceline channel enable gone",
        "problem: The file '\(scratch.path("secret"))' of the channel 'hub' is not there. → Write it, or name another one: fenceline channel edit hub --secret-file FILE",
        "problem: The program 'no-program-has-such-a-name' of the channel 'lost' is in no folder of the PATH. → \(edit) lost -- PROGRAM",
        "ok: The channel 'off' is switched off. → ",
        "problem: This program knows no channels of the kind 'pigeon', such as 'other': it is too old. → Upgrade it, or: fenceline channel remove other",
        "problem: Channel 'unset' has no program. Name one, with its arguments. → Mend that, then: fenceline channel test unset",
      ])
    #expect(try scratch.names.allSatisfy { !["f", "y", "z"].contains($0) })
    service.stop()
  }

  @Test func aServiceThatFollowsNothingIsNotAskedForItsSettings() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: #"{"sources":[]}"#)
    let run = try scratch.fenceline("doctor", "--json", "--quiet")
    #expect(run.status == 69 && !run.output.contains(#""subject":"gpsd""#), "\(run.output)")
    #expect(run.output.contains("Nothing gives positions"))
    service.stop()
    // One that follows something has no need of the settings either.
    _ = try scratch.fenceline("settings", "set", "sources", "none")
    let other = try LocalService(scratch.database, status: #"{"sources":[{"name":"stdin"}]}"#)
    #expect(try scratch.fenceline("doctor").status == 0)
    other.stop()
  }

  @Test func aServiceWithoutGPSDNeedsNone() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: #"{"sources":[{"name":"stdin"}]}"#)
    let run = try scratch.fenceline("doctor")
    #expect(run.status == 0 && !run.output.contains(" gpsd  "), "\(run.output)")
    service.stop()
  }
}
