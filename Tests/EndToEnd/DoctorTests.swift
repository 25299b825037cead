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

  @Test func aServiceWithoutGPSDNeedsNone() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: #"{"sources":[{"name":"stdin"}]}"#)
    let run = try scratch.fenceline("doctor")
    #expect(run.status == 0 && !run.output.contains(" gpsd  "), "\(run.output)")
    service.stop()
  }
}
