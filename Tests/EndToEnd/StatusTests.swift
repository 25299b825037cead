import Foundation
import Testing

@Suite("Status") struct StatusTests {
  @Test func itIsOneScreen() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: Samples.status)
    let run = try scratch.fenceline("status")
    #expect(run.status == 0 && run.error.isEmpty)
    try Golden.check(run.output, against: "status.txt")
    #expect(service.asked == ["/api/v1/status"])
    service.stop()
  }

  @Test func problemsComeFirst() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: Samples.trouble)
    let run = try scratch.fenceline("status")
    #expect(run.status == 0)
    #expect(run.lines[0].hasPrefix("problem   Cannot write to the journal"))
    #expect(run.lines[1] == "problem   gpsd does not answer at localhost:2947.␛[2J")
    try Golden.check(run.output, against: "status-trouble.txt")
    service.stop()
  }

  @Test func onANarrowTerminalLinesAreCutAndProblemsAreNot() throws {
    let scratch = try Scratch.withRegions()
    for (status, longest) in [(Samples.status, 40), (Samples.trouble, 140)] {
      let service = try LocalService(scratch.database, status: status)
      let run = try scratch.shell(
        "stty cols 40 2>/dev/null; script -qec 'stty cols 40; \"$FENCELINE\" status' /dev/null",
        with: ["NO_COLOR": "1", "TERM": "xterm"])
      let lines = run.output.split(whereSeparator: \.isNewline)
      #expect(lines.count >= 10 && lines.map(\.count).max() ?? 0 <= longest + 20, "\(run.output)")
      #expect(lines.filter { !$0.hasPrefix("problem") }.allSatisfy { $0.count <= 40 }, "\(run.output)")
      service.stop()
    }
  }

  @Test func jsonIsWhatTheServiceSays() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: Samples.status)
    for words in [["--json"], ["--format", "json"]] {
      let run = try scratch.fenceline("status", words[0], words.count > 1 ? words[1] : "--quiet")
      #expect(run.lines.count == 1)
      func object(_ text: String) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
      }
      #expect(try object(run.output) == object(Samples.status))
    }
    service.stop()
  }

  @Test func prometheusTakesItsFigures() throws {
    let scratch = try Scratch.withRegions()
    for (status, golden) in [(Samples.status, "status.prom"), (Samples.trouble, "status-trouble.prom")] {
      let service = try LocalService(scratch.database, status: status)
      let run = try scratch.fenceline("status", "--format", "prometheus")
      #expect(run.status == 0 && run.error.isEmpty)
      try Golden.check(run.output, against: golden)
      // Where someone is goes to nobody.
      #expect(!run.output.contains("47.37") && !run.output.contains("8.54"))
      service.stop()
    }
    let promtool = Project.folder.appending(path: ".build/promtool/usr/bin/promtool").path
    guard FileManager.default.isExecutableFile(atPath: promtool) else {
      try Test.cancel("promtool is not there; tools/test fetches it")
    }
    for golden in ["status.prom", "status-trouble.prom"] {
      let check = try scratch.shell(
        "\"$1\" check metrics < \"$2\"", promtool,
        Project.folder.appending(path: "Tests/EndToEnd/Goldens/\(golden)").path)
      #expect(
        check.status == 0 && check.output.isEmpty && check.error.isEmpty, "\(check.output)\(check.error)")
    }
  }

  @Test func whereNoServiceRunsItSaysHowToStartOne() throws {
    let scratch = try Scratch.withRegions()
    let expected =
      "error: The service is not running on '\(scratch.database)'. "
      + "Start it with 'fenceline serve', or name its database with --db.\n"
    for words in [["status"], ["status", "--json"], ["watch"]] {
      let run = try scratch.fenceline(words[0], words.count > 1 ? words[1] : "--quiet")
      #expect(run.status == 69 && run.output.isEmpty && run.error == expected)
    }
    // One that was killed leaves its socket.
    let left = try scratch.shell(
      "python3 -c 'import socket,sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])' \"$FENCELINE_DB-socket\""
    )
    #expect(left.status == 0, "\(left.error)")
    let run = try scratch.fenceline("status")
    #expect(run.status == 69 && run.error == expected)
    #expect(try scratch.fenceline("--db", "none.db", "status").status == 69)
  }

  @Test func theSocketIsFoundThroughLinks() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: Samples.status)
    _ = try scratch.shell("mkdir elsewhere && ln -s ../fenceline.db elsewhere/link.db")
    #expect(try scratch.fenceline("--db", "elsewhere/link.db", "status").status == 0)
    service.stop()
  }

  @Test func whatTheServiceMayNotSayIsTold() throws {
    let scratch = try Scratch.withRegions()
    for status in ["[]", "{}", "nonsense"] {
      let service = try LocalService(scratch.database, status: status)
      let run = try scratch.fenceline("status")
      #expect(run.status == 69 && run.messages.count == 1)
      #expect(run.error.contains("gave an answer that this version does not understand"))
      service.stop()
    }
    let busy = try LocalService(scratch.database, status: "")
    let run = try scratch.fenceline("status")
    #expect(run.status == 69 && run.error.contains("is busy with its journal and does not answer. Try again"))
    busy.stop()
    // Members that are missing are no reason to say nothing.
    let service = try LocalService(scratch.database)
    for format in ["screen", "prometheus", "json"] {
      #expect(try scratch.fenceline("status", "--format", format).status == 0)
    }
    service.stop()
  }

  @Test func anotherUserIsRefused() throws {
    guard geteuid() == 0 else { try Test.cancel("only the superuser can be someone else") }
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database, status: Samples.status)
    _ = try scratch.shell("chmod 777 .; chmod 666 fenceline.db")
    let run = try scratch.shell(
      "setpriv --reuid=65534 --regid=65534 --clear-groups \"$FENCELINE\" status")
    if run.status == 126 || run.status == 127 {
      try Test.cancel("nobody may not run the program where it lies")
    }
    #expect(run.status == 77, "\(run.error)")
    #expect(run.error.contains("it belongs to another user. Run this as that user."))
    service.stop()
  }
}
