import FencelineTestSupport
import Foundation
import Testing

/// The notification centre, as its users have it.
@Suite("Notification centre") struct CentreTests {
  private static func json(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test(arguments: [
    ("notify after 0 --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify after 59s --repeat --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify after 5s", 64, "notificationInvalidNoContent, 1401"),
    ("notify after 5s --title ' '", 64, "notificationInvalidNoContent, 1401"),
    ("notify after 5s --title x --sound critical --volume 1.5", 64, "notificationInvalidNoContent, 1401"),
    ("notify after 5s --title x --sound default --volume 0.5", 64, "notificationInvalidNoContent, 1401"),
    ("notify after 5s --title x --category NONE", 64, "notificationInvalidNoContent, 1401"),
    ("notify after 5s --title x --relevance 2", 64, "notificationInvalidNoContent, 1401"),
    ("notify after 5s --title x --badge -1", 64, "badgeInputInvalid, 1600"),
    ("badge 99999999999", 64, "badgeInputInvalid, 1600"),
    ("notify at 2020-01-01T00:00 --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify rule --match month=2,day=30 --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify at 2027-02-30T10:00 --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify after 0.0000003s --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify daily 07:00 --until 2020-01-01 --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify region nowhere --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify after 2m --repeat --misfire all --title x", 64, "notificationInvalidNoDate, 1400"),
    ("notify after 5s --title x --app org.example.new", 77, "notificationsNotAllowed, 1"),
    ("notify now --title x --attach missing.png", 65, "attachmentInvalidURL, 100"),
    ("notify now --title x --attach text.png", 65, "attachmentUnrecognizedType, 101"),
    ("notify now --title x --attach empty.png", 65, "attachmentInvalidFileSize, 102"),
    ("notify now --title x --attach cut.png", 65, "attachmentCorrupt, 105"),
    ("category add REMINDER --action a=A", 64, "notificationInvalidNoContent, 1401"),
    ("category add X --action a=A --run a=logger", 64, "notificationInvalidNoContent, 1401"),
  ])
  func whatIsWrongHasACodeAndSaysWhatToDo(command: String, status: Int, code: String) throws {
    let scratch = try Scratch()
    try scratch.write("text.png", "no picture")
    try scratch.write("empty.png", "")
    try scratch.write("cut.png", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]))
    let run = try scratch.shell("\"$FENCELINE\" \(command)")
    #expect(run.status == Int32(status), "\(run.error)")
    #expect(run.messages.filter { $0.hasPrefix("error: ") }.count == 1)
    #expect(run.error.contains("(\(code))"), "\(run.error)")
    // Nothing is half done.
    #expect(try scratch.fenceline("pending", "--json").output.isEmpty)
  }

  @Test func remindersComeWhenTheyAreDueAndCanBeAnswered() throws {
    let scene = try LiveScene()
    try scene.serve("--source", "tcp://127.0.0.1:1")
    let added = try scene.fenceline(
      "notify", "after", "1s", "--id", "tea", "--title", "Tea", "--category", "REMINDER")
    #expect(added.output == "Reminder will appear in 1 second.\n")
    #expect(added.error == "'fenceline pending remove tea' takes it back.\n")
    try scene.wait("the reminder", for: { try scene.fenceline("delivered", "--json").lines.count == 1 })
    let told = try Self.json(try scene.fenceline("delivered", "--json").lines[0])
    #expect(told["request"] as? String == "tea" && told["title"] as? String == "Tea")
    #expect(told["present"] as? [String] == ["banner", "list", "sound"])
    #expect(try scene.fenceline("respond", "tea", "snooze").output.hasPrefix("'tea' will appear again at "))
    #expect(try scene.fenceline("delivered", "--json").lines.isEmpty)
    let again = try Self.json(try scene.fenceline("pending", "--json").lines[0])
    #expect(
      again["request"] as? String == "tea" && (again["trigger"] as? [String: Any])?["seconds"] as? Int == 900)
    try scene.fenceline("pending", "remove", "tea")
    #expect(try scene.fenceline("pending", "--json").lines.isEmpty)
  }

  @Test func anAnswerRunsItsProgramOnceAndIsKept() throws {
    let scene = try LiveScene()
    let script = try scene.scratch.write(
      "answer", "#!/bin/sh\ncat >> \"$1\"; echo \"$FENCELINE_TEXT\" >> \"$1\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let file = scene.scratch.path("answers")
    try scene.serve("--source", "tcp://127.0.0.1:1")
    try scene.fenceline(
      "category", "add", "DOOR", "--action", "open=Open", "--text", "open=Why?", "--run",
      "open=[\"\(script)\",\"\(file)\"]")
    try scene.fenceline("notify", "now", "--id", "door", "--title", "Someone is there", "--category", "DOOR")
    try scene.wait("the notification", for: { try scene.fenceline("delivered", "--json").lines.count == 1 })
    try scene.fenceline("respond", "door", "open", "--text", "It is me")
    try scene.wait(
      "the program",
      for: {
        try scene.scratch.names.contains("answers") && scene.scratch.text("answers").contains("It is me\n")
      })
    let lines = try scene.scratch.text("answers").split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    #expect(try Self.json(lines[0])["action"] as? String == "open")
    let kept = try Self.json(try scene.fenceline("responses", "--json").lines[0])
    #expect(kept["text"] as? String == "It is me" && kept["request"] as? String == "door")
    try scene.fenceline("responses", "acknowledge", "--all")
    #expect(try scene.fenceline("responses", "--json").lines.isEmpty)
    try scene.wait(
      "its record",
      for: { try scene.scratch.sql("SELECT status FROM response", in: scene.database) == ["done"] })
  }

  @Test func aPlaceRemindsOnceAndARegionByItselfOtherwise() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(at: 100, on: line)
    try scene.serve("--source", "serial://\(line.path)")
    try scene.wait(forFixOf: "default")
    try scene.fenceline(
      "notify", "region", "gate", "--on", "entry", "--id", "keys", "--title", "Keys", "--body",
      "{device} at {region.id}: {crossing.kind}")
    vehicle.drive(to: 600)
    try scene.wait("the reminder", for: { try scene.fenceline("delivered", "--json").lines.count == 1 })
    let told = try Self.json(try scene.fenceline("delivered", "--json").lines[0])
    #expect(told["body"] as? String == "default at gate: entry" && told["region"] as? String == "gate")
    #expect(try scene.fenceline("pending", "--json").lines.isEmpty)
    vehicle.drive(to: 1_200)
    try scene.wait("the exit", for: { try scene.fenceline("delivered", "--json").lines.count == 2 })
    let own = try Self.json(try scene.fenceline("delivered", "--json").lines[1])
    #expect(own["title"] as? String == "gate" && (own["body"] as? String)?.hasPrefix("Left at ") == true)
  }

  @Test func aReplayRecordsWhatWouldHaveBeenToldAndTellsOnlyIfAsked() throws {
    let scratch = try Scratch.withRegions()
    let log = Project.data("drive.nmea")
    let silent = try scratch.fenceline("replay", log, "--json")
    #expect(silent.status == 0)
    let wanted = silent.lines.filter { $0.contains("\"notify\":true") }.count
    #expect(wanted > 0)
    let recorded = try scratch.fenceline("delivered", "--all", "--json").lines
    #expect(recorded.count == wanted && recorded.allSatisfy { $0.contains("\"state\":\"suppressed\"") })
    #expect(recorded.contains { $0.contains("\"reason\":\"replay\"") })
    #expect(try scratch.fenceline("delivered", "--json").output.isEmpty)
    // Replayed once more it is not recorded twice, and told where that is asked for.
    _ = try scratch.fenceline("replay", log, "--notify")
    let told = try scratch.fenceline("delivered", "--all", "--json").lines
    #expect(told.count == wanted && told.contains { $0.contains("\"state\":\"delivered\"") })
    #expect(try !scratch.fenceline("delivered", "--json").output.isEmpty)
    let both = try scratch.fenceline("replay", log, "--notify", "--dry-run")
    #expect(both.status == 64)
  }

  @Test func permissionIsAskedForOnceOnTheTerminal() throws {
    let scratch = try Scratch()
    let run = try scratch.shell(
      """
      printf 'perhaps\\ny\\n' | script -qec "\\"$FENCELINE\\" permission request org.example.chat --usage 'To tell you of messages.'" /dev/null
      """)
    #expect(run.status == 0, "\(run.output)")
    for words in ["\"To tell you of messages.\"", "Allow? [y/n]", "Please answer y or n.", "authorized"] {
      #expect(run.output.contains(words), "\(run.output)")
    }
    // The answer holds; nobody is asked again.
    let again = try scratch.fenceline("permission", "request", "org.example.chat")
    #expect(again.output == "authorized\n" && again.status == 0)
    #expect(
      try scratch.fenceline("notify", "after", "1h", "--title", "x", "--app", "org.example.chat").status == 0)
    _ = try scratch.fenceline("permission", "deny", "org.example.chat")
    #expect(
      try scratch.fenceline("notify", "after", "1h", "--title", "x", "--app", "org.example.chat").status == 77
    )
  }

  @Test(arguments: [("ask-later", "not determined", 77), ("allow", "authorized", 0), ("deny", "denied", 77)])
  func whereNobodyCanBeAskedASettingDecides(word: String, answer: String, status: Int) throws {
    let scratch = try Scratch()
    _ = try scratch.fenceline("settings", "set", "permission.unattended", word)
    let run = try scratch.fenceline(
      "permission", "request", "org.example.chat",
      with: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    #expect(run.output == answer + "\n" && run.status == Int32(status))
    let line = try #require(
      try scratch.fenceline("permission", "--json").lines.first { $0.contains("org.example.chat") })
    let listed = try Self.json(line)
    #expect(listed["status"] as? String == answer && (listed["asked"] is String) == (word == "ask-later"))
  }

  @Test func aFocusHoldsBackAndLetsThrough() throws {
    let scene = try LiveScene()
    try scene.serve("--source", "tcp://127.0.0.1:1")
    try scene.fenceline("focus", "on")
    for level in ["passive", "active", "time-sensitive"] {
      try scene.fenceline("notify", "now", "--id", level, "--title", level, "--level", level)
    }
    try scene.wait("all three", for: { try scene.fenceline("delivered", "--all", "--json").lines.count == 3 })
    let listed = try scene.fenceline("delivered", "--json").lines.map { try Self.json($0) }
    #expect(listed.map { $0["request"] as? String } == ["passive", "time-sensitive"])
    #expect(listed.map { $0["present"] as? [String] } == [["list"], ["banner", "list", "sound"]])
    #expect(try scene.fenceline("delivered", "--held", "--json").lines.count == 1)
    try scene.fenceline("focus", "off")
    try scene.wait("what was held", for: { try scene.fenceline("delivered", "--json").lines.count == 3 })
  }

  @Test func attachmentsAreCopiedAndKeptAsLongAsTheyAreNeeded() throws {
    let scratch = try Scratch()
    let pixel = "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs="
    try scratch.write("dot.gif", try #require(Data(base64Encoded: pixel)))
    let run = try scratch.fenceline(
      "notify", "after", "1h", "--title", "Dot", "--attach", "dot.gif", "--id", "dot")
    #expect(run.status == 0, "\(run.error)")
    try FileManager.default.removeItem(atPath: scratch.path("dot.gif"))
    let line = try #require(try scratch.fenceline("pending", "--json").lines.first)
    let attachment = try #require((try Self.json(line)["attachments"] as? [[String: Any]])?.first)
    #expect(attachment["type"] as? String == "image/gif" && attachment["name"] as? String == "dot.gif")
    let hash = try #require(attachment["hash"] as? String)
    let stored = "fenceline.db-attachments/\(hash.prefix(2))/\(hash.dropFirst(2))"
    #expect(FileManager.default.fileExists(atPath: scratch.path(stored)))
  }

  @Test func anAppInTheForegroundDecidesHowItIsShown() async throws {
    let scene = try LiveScene()
    try scene.serve("--source", "tcp://127.0.0.1:1")
    let socket = scene.database + "-socket"
    // Any program that speaks HTTP can hold the lease; here it is curl.
    let lease = try RunningProgram(
      [
        "/usr/bin/env", "curl", "-sN", "--unix-socket", socket,
        "http://local/api/v1/presentation?app=fenceline",
      ],
      environment: scene.scratch.environment(), in: scene.scratch.folder)
    defer { lease.signal(SIGKILL) }
    try scene.wait("the lease", for: { try !lease.text("output").isEmpty })
    try scene.fenceline("notify", "now", "--id", "n", "--title", "Now", "--badge", "3")
    try scene.wait("the question", for: { try lease.text("output").contains("event: present") })
    let data = try #require(try lease.text("output").split(separator: "\n").first { $0.hasPrefix("data: ") })
    let number = try #require(try Self.json(String(data.dropFirst(6)))["number"] as? Int)
    let answer = try scene.scratch.shell(
      "curl -s --unix-socket \"$1\" -d '{\"present\":[\"list\"]}' \"http://local/api/v1/presentation/$2?app=fenceline\"",
      socket, "\(number)")
    #expect(answer.output.contains("\"present\":[\"list\"]"), "\(answer.output)")
    try scene.wait("the answer", for: { try scene.fenceline("delivered", "--json").lines.count == 1 })
    let told = try Self.json(try scene.fenceline("delivered", "--json").lines[0])
    #expect(told["present"] as? [String] == ["list"])
    #expect(try scene.fenceline("badge").output == "0\n")
  }
}
