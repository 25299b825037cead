import FencelineCivilTime
import FencelineMailSending
import FencelineTestSupport
import Testing

@Suite("Mail text") struct MailTextTests {
  @Test func plainTextsStayAsTheyAre() {
    for text in ["", "Entered office", "a: b; c, d"] { #expect(MailText.words(text) == text) }
    #expect(MailText.words("=?utf-8?B?eA==?=") != "=?utf-8?B?eA==?=")
    #expect(MailText.words("Smith, Ann", always: true) == "=?utf-8?B?U21pdGgsIEFubg==?=")
    #expect(MailText.words("Ann Smith", always: true) == "Ann Smith")
  }

  @Test func nothingBreaksOutOfItsLine() {
    for text in ["a\r\nBcc: x@example.org", "a\nb", "a\rb", "a\u{0}b", "a\u{2028}b\u{85}c", "ü\r\n\r\nbody"] {
      let words = MailText.words(text)
      #expect(words.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } && !words.isEmpty, "\(words)")
    }
    let long = MailText.words(String(repeating: "größer ", count: 60))
    let lines = long.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count > 5 && lines.dropFirst().allSatisfy { $0.hasPrefix(" =?utf-8?B?") })
    #expect(lines.allSatisfy { $0.utf8.count <= 76 })
  }

  @Test func addressesAreWhatTheyShouldBe() throws {
    #expect(MailAddress("ann@example.org")?.headerText == "ann@example.org")
    #expect(MailAddress("<ann+gps@example.org>")?.address == "ann+gps@example.org")
    #expect(MailAddress("Ann  Smith <ann@example.org>")?.headerText == "Ann Smith <ann@example.org>")
    let quoted = try #require(MailAddress("\"Smith, Ann\" <ann@mail.example.org>"))
    #expect(quoted.name == "Smith, Ann" && quoted.domain == "mail.example.org")
    #expect(quoted.headerText == "=?utf-8?B?U21pdGgsIEFubg==?= <ann@mail.example.org>")
    let wrong = [
      "", "ann", "ann@", "@example.org", "ann@b@c", "ann smith@example.org", "a@b>\r\nBcc: c@d", "a@b\r\n",
      "a@.b",
      "a..b@c", "a@b,c@d", "a@b, c@d", "<a@b", "a@b\n<c@d>", "Ann\r\nBcc: x@y <a@b>", "\"a\"@b", "größe@b",
      "a@b (c)",
      "a@b SIZE=1", "a@b> NOTIFY=NEVER <c@d",
    ]
    for text in wrong { #expect(MailAddress(text) == nil, "\(text.debugDescription)") }
  }

  /// Python's own reader of mail must find what was written.
  @Test func anotherReaderFindsWhatWasWritten() throws {
    let folder = try TemporaryFolder()
    let from = try #require(MailAddress("Größe, Ann <ann@example.org>"))
    let to = try ["bob@example.org", "Carla <carla@example.org>"].map { try #require(MailAddress($0)) }
    let subject = String(repeating: "Größer\r\nBcc: eve@example.org ", count: 5) + "=?utf-8?B?eA==?="
    let body = "first ü=3D line \n\n.\r\n..dots \nFrom here\n" + String(repeating: "ä\t", count: 100) + "\n"
    let message = MailMessage(
      from: from, to: to, subject: subject, body: body, date: Timestamp(milliseconds: 1_772_323_413_892),
      id: "k-1@example.org", thread: "t@example.org", keys: ["k-1", "k-2\r\nX: y"], isUrgent: true)
    #expect(message.bytes.allSatisfy { $0 < 0x80 })
    #expect(message.bytes.split(separator: 0x0a).allSatisfy { $0.count <= 78 })
    try folder.write("mail", message.bytes)
    let script = """
      import email, email.policy, sys
      mail = email.message_from_binary_file(open("mail", "rb"), policy=email.policy.default)
      assert not mail.defects, mail.defects
      for name in mail.keys():
          assert not mail[name].defects, (name, mail[name].defects)
      print([name.lower() for name in mail.keys()])
      print([repr(mail[name]) for name in ("from", "to", "date", "message-id", "in-reply-to", "references", "auto-submitted")])
      print(mail.get_all("x-fenceline-key"), mail["importance"])
      print(ascii(mail["subject"]))
      print(ascii(mail.get_content()))
      """
    let process = try ChildProcess(
      ["python3", "-c", script], in: folder.path, output: folder.path("out"), error: folder.path("error"))
    try #require(process.status(within: 60) == 0, "\(folder.text("error"))")
    let lines = folder.text("out").split(separator: "\n").map(String.init)
    try #require(lines.count == 5)
    #expect(!lines[0].contains("'bcc'") && !lines[0].contains("'x'"))
    for part in [
      "Größe, Ann", "<ann@example.org>", "bob@example.org, Carla <carla@example.org>",
      "Sun, 01 Mar 2026 00:03:33 +0000", "<k-1@example.org>", "<t@example.org>", "auto-generated",
    ] {
      #expect(lines[1].contains(part), "\(part) in \(lines[1])")
    }
    #expect(lines[2] == "['k-1', 'k-2  X: y'] high")
    let flat = String(repeating: "Gr\\xf6\\xdfer  Bcc: eve@example.org ", count: 5) + "=?utf-8?B?eA==?="
    #expect(lines[3] == "'\(flat)'")
    let tabs = String(repeating: "\\xe4\\t", count: 100)
    #expect(lines[4] == "'first \\xfc=3D line \\n\\n.\\n..dots \\nFrom here\\n\(tabs)\\n\\n'")
  }
}
