import FencelineJSONText
import FencelineNotifying
import FencelineTestSupport
import Glibc
import Synchronization
import Testing

@testable import FencelineDelivery

/// Against a server that does what ntfy's documentation says: Debian and PyPI have no ntfy.
@Suite("ntfy", .timeLimit(.minutes(2))) struct NtfyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func carrier(
    _ peer: Peer, _ values: [String: [String]] = [:],
    answered: @escaping @Sendable (ChannelContext.Answer) -> Void = { _ in },
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> any Carrier {
    var all = values
    all["topic"] = ["http://127.0.0.1:\(peer.port)/phones"]
    all["allow-local"] = ["true"]
    return try ChannelKind.ntfy.chatCarrier(
      all, environment: ["TOKEN": "tk_hush"], answered: answered, warn: warn)
  }

  private func body(_ request: JSONNode) throws -> JSONNode {
    try JSONNode(parsing: Array((request["body"]?.text ?? "").utf8))
  }

  @Test func aNotificationIsPublished() throws {
    let peer = try Peer("ntfy_server")
    let carrier = try carrier(peer, ["tags": ["house, dog"], "click": ["https://example.org/map"]])
    #expect(try carrier.outcome(Samples.notification(title: "Größe \"\n", body: "a\nb")) == .done)
    let request = try #require(peer.requests.first)
    #expect(request["path"]?.text == "/" && request.header("content-type") == "application/json")
    #expect(request.header("authorization") == nil)
    #expect(
      request["body"]?.text
        == #"{"topic":"phones","message":"a\nb","title":"Größe \"\n","priority":3,"tags":["house","dog"],"click":"https://example.org/map"}"#
    )
  }

  @Test func urgencyIsAPriority() throws {
    let peer = try Peer("ntfy_server")
    let carrier = try carrier(peer)
    for level in InterruptionLevel.allCases {
      #expect(try carrier.outcome(Samples.notification(level: level)) == .done)
    }
    #expect(try peer.requests.map { try body($0)["priority"]?.number } == [2, 3, 4, 5])
    #expect(try carrier.outcome(Samples.crossing()) == .done)
    let crossing = try body(try #require(peer.requests.last))
    #expect(
      crossing["tags"]?.elements?.map(\.text) == ["inbox_tray"] && crossing["title"]?.text == "Entered office"
    )
  }

  @Test func aTextThatIsTooLongIsCut() throws {
    let peer = try Peer("ntfy_server")
    let text = String(repeating: "ü€😀", count: 5000)
    #expect(try carrier(peer).outcome(Samples.notification(title: text, body: text)) == .done)
    let sent = try body(try #require(peer.requests.first))
    let message = try #require(sent["message"]?.text)
    #expect(message.utf8.count <= 4096 && message.utf8.count > 3900 && message.hasSuffix("…"))
    #expect(text.hasPrefix(message.dropLast()))
    #expect((sent["title"]?.text ?? text).utf8.count <= 500)
    // A title alone is the text.
    #expect(try carrier(peer).outcome(Samples.notification(title: "Only this", body: "")) == .done)
    let alone = try body(try #require(peer.requests.last))
    #expect(alone["message"]?.text == "Only this" && alone["title"] == nil)
  }

  @Test func itLogsIn() throws {
    let peer = try Peer("ntfy_server", ["--token", "tk_hush"])
    #expect(try carrier(peer, ["token-env": ["TOKEN"]]).outcome(Samples.notification()) == .done)
    let outcome = try carrier(peer).outcome(Samples.notification())
    #expect(outcome.result == .failed(after: nil) && outcome.detail == "The server answered 403.")
    let file = try folder.write("password", "gehëim\n")
    let named = try carrier(peer, ["user": ["ann"], "password-file": [file]])
    #expect(try named.outcome(Samples.notification()).result == .failed(after: nil))
    #expect(peer.requests.last?.header("authorization") == "Basic YW5uOmdlaMOraW0=")
    let broken = try folder.write("token", "tk\u{1}x\n")
    #expect(
      try carrier(peer, ["token-file": [broken]]).outcome(Samples.notification()).detail.contains(
        "characters"))
  }

  @Test func aPictureGoesAlong() throws {
    let peer = try Peer("ntfy_server")
    let picture = try folder.write("stored", (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let attachments = [
      NotificationAttachment(identifier: "s", hash: "1", type: "audio/wav", size: 1, name: "a.wav"),
      NotificationAttachment(
        identifier: "p", hash: "2", type: "image/png", size: 70_000, name: "Tür\r\nX: y.png"),
    ]
    let parcel = Samples.notification(
      title: "Größe\r\nX: y", body: "a\nb \\ =?utf-8?Q?x?=", level: .critical, files: ["/nowhere", picture],
      attachments: attachments)
    let carrier = try carrier(peer, ["attach": ["true"], "tags": ["größe"]])
    #expect(try carrier.outcome(parcel) == .done)
    let request = try #require(peer.requests.first)
    #expect(request["method"]?.text == "PUT" && request["path"]?.text == "/phones")
    #expect(request.header("priority") == "5" && request.header("content-length") == "70000")
    #expect(request.header("x") == nil)
    let published = try #require(peer.log.compactMap { $0["published"] }.first)
    #expect(
      published["title"]?.text == "Größe\r\nX: y" && published["message"]?.text == "a\nb \\ =?utf-8?Q?x?=")
    #expect(published["filename"]?.text == "Tür\r\nX: y.png")
    let process = try ChildProcess(["sha256sum", picture], output: folder.path("sum"))
    #expect(process.status(within: 60) == 0)
    #expect(request["digest"]?.text == String(folder.text("sum").prefix(64)))
  }

  @Test func whereThePictureIsNotTakenTheTextIs() throws {
    let peer = try Peer("ntfy_server", ["--no-attachments"])
    let picture = try folder.write("stored", [1, 2, 3])
    let attachment = NotificationAttachment(
      identifier: "p", hash: "2", type: "image/png", size: 3, name: "a.png")
    let carrier = try carrier(peer, ["attach": ["true"]])
    let refused = try carrier.outcome(Samples.notification(files: [picture], attachments: [attachment]))
    #expect(refused == CarryOutcome(.done, "The picture was left out: The server answered 400."))
    let missing = try carrier.outcome(Samples.notification(files: ["/nowhere"], attachments: [attachment]))
    #expect(missing.result == .done && missing.detail.contains("cannot be read"))
    #expect(peer.requests.map { $0["method"]?.text } == ["PUT", "POST", "POST"])
  }

  private func press(_ button: JSONNode) throws {
    let body = try #require(button["body"]?.text)
    try folder.write("body", body)
    var words = [
      "curl", "-sf", "-X", button["method"]?.text ?? "", "--data-binary", "@\(folder.path("body"))",
    ]
    if let login = button["headers"]?["Authorization"]?.text { words += ["-H", "Authorization: \(login)"] }
    let process = try ChildProcess(words + [try #require(button["url"]?.text)])
    #expect(process.status(within: 60) == 0)
  }

  @Test func aButtonComesBackOnceAndOnlyFromHere() throws {
    let peer = try Peer("ntfy_server", ["--token", "tk_hush"])
    let answers = Mutex<[ChannelContext.Answer]>([])
    let address = "http://127.0.0.1:\(peer.port)/answers"
    let carrier = try carrier(
      peer, ["answers": [address], "answers-token-env": ["TOKEN"], "token-env": ["TOKEN"]],
      answered: { answer in answers.withLock { $0.append(answer) } })
    try carrier.start()
    defer { carrier.stop() }
    let actions = [
      NotificationAction(identifier: "reply", title: "Reply", textInput: .init()),
      NotificationAction(identifier: "snooze", title: "Snöoze"),
      NotificationAction(identifier: "done", title: "Done"),
      NotificationAction(identifier: "third", title: "Third"),
      NotificationAction(identifier: "fourth", title: "4"),
    ]
    #expect(try carrier.outcome(Samples.notification(number: 12, actions: actions)) == .done)
    let published = try body(try #require(peer.requests.first))
    let buttons = try #require(published["actions"]?.elements)
    #expect(buttons.map { $0["label"]?.text } == ["Snöoze", "Done", "Third"])
    #expect(buttons.allSatisfy { $0["action"]?.text == "http" && $0["url"]?.text == address })
    #expect(until { peer.log.contains { $0["subscribed"] != nil } })

    // Forged: by its action, its number, its code, and nonsense of all kinds.
    let body = try #require(buttons[0]["body"]?.text)
    let code = try #require(try JSONNode(parsing: Array(body.utf8))["code"]?.text)
    let forged = [
      #"{"notification":12,"action":"done","code":"\#(code)"}"#,
      #"{"notification":13,"action":"snooze","code":"\#(code)"}"#,
      #"{"notification":12,"action":"snooze","code":""}"#, #"{"notification":12,"action":"snooze"}"#,
      #"{"notification":12.5,"action":"snooze","code":"\#(code)"}"#, "snooze", "{",
      String(repeating: "x", count: 200_000),
    ]
    for text in forged {
      try folder.write("forged", text)
      let words = [
        "curl", "-sf", "-H", "Authorization: Bearer tk_hush", "--data-binary", "@\(folder.path("forged"))",
        address,
      ]
      #expect(try ChildProcess(words).status(within: 60) == 0)
    }
    // Twice each, and once more after the connection has broken off.
    for button in [buttons[0], buttons[0], buttons[1], buttons[1]] { try press(button) }
    let expected = [
      ChannelContext.Answer(notification: 12, action: "snooze"),
      ChannelContext.Answer(notification: 12, action: "done"),
    ]
    #expect(until { answers.withLock { $0.count } >= 2 })
    try folder.write("x", "")
    try peer.folder.write("cut", "")
    #expect(until { peer.log.count { $0["subscribed"] != nil } >= 2 })
    for button in buttons { try press(button) }
    #expect(until { answers.withLock { $0.count } >= 3 })
    #expect(answers.withLock { $0 } == expected + [ChannelContext.Answer(notification: 12, action: "third")])
    // It has gone on behind what it had.
    let subscriptions = peer.log.filter { $0["subscribed"] != nil }
    #expect(Int(subscriptions[0]["since"]?.text ?? "") != nil)
    #expect(subscriptions[1]["since"]?.text?.hasPrefix("m0000") == true)
    #expect(
      subscriptions.allSatisfy { $0["authorization"]?.text == "Bearer tk_hush" && $0["form"]?.text == "json" }
    )
  }

  @Test func whatCannotBeHeardIsToldOnceAndEndsAtOnce() throws {
    let peer = try Peer("ntfy_server", ["--token", "tk_other"])
    let warnings = Mutex<[String]>([])
    let carrier = try carrier(
      peer, ["answers": ["http://127.0.0.1:\(peer.port)/answers"], "token-env": ["TOKEN"]],
      warn: { warning in warnings.withLock { $0.append(warning) } })
    try carrier.start()
    #expect(until { peer.log.count { $0["subscribed"] != nil } >= 2 })
    carrier.stop()
    let expected = "Answers to channel 'chat' are not heard: The server answered 403."
    #expect(warnings.withLock { $0 } == [expected])
    // Also where there is nothing but silence to wait for.
    let silent = try Peer("ntfy_server", ["--keepalive", "1000"])
    let listening = try self.carrier(silent, ["answers": ["http://127.0.0.1:\(silent.port)/answers"]])
    try listening.start()
    #expect(until { silent.log.contains { $0["subscribed"] != nil } })
    listening.stop()
  }

  @Test func whereNoSignOfLifeComesItBeginsAnew() throws {
    let silent = try Peer("ntfy_server", ["--keepalive", "1000"])
    let alive = try Peer("ntfy_server", ["--keepalive", "0.2"])
    let warnings = Mutex<[String]>([])
    var listeners: [NtfyListener] = []
    for peer in [silent, alive] {
      let setup = ChannelSetup(name: "chat", values: ["allow-local": ["true"]])
      let context = ChannelContext(
        version: "1", warn: { warning in warnings.withLock { $0.append(warning) } })
      let access = try WebAccess(setup, context)
      let address = try access.address("http://127.0.0.1:\(peer.port)/answers", isSecret: false, login: "")
      listeners.append(NtfyListener(access, try #require(NtfyTopic(address)), silence: 2) { [] })
    }
    for listener in listeners { try listener.start() }
    func subscriptions(_ peer: Peer) -> Int { peer.log.count { $0["subscribed"] != nil } }
    #expect(until { subscriptions(silent) >= 2 && subscriptions(alive) >= 1 })
    for listener in listeners { listener.stop() }
    #expect(subscriptions(alive) == 1)
    #expect(warnings.withLock { $0.allSatisfy { $0.contains("within 2 s") } && !$0.isEmpty })
  }

  @Test func whatIsWrongIsSaidAtOnce() throws {
    let kind = ChannelKind.ntfy
    func trouble(_ values: [String: [String]]) -> String { kind.trouble(values) ?? "nothing" }
    let topic = ["https://ntfy.example/phones"]
    #expect(kind.trouble(["topic": topic]) == nil)
    for text in [
      "", "ntfy.sh/phones", "https://ntfy.sh", "https://ntfy.sh/", "https://ntfy.sh/a b",
      "https://ntfy.sh/a?b", "https://ntfy.sh/ä",
    ] {
      #expect(kind.trouble(["topic": [text]]) != nil, "\(text)")
    }
    #expect(trouble(["topic": ["http://127.0.0.1/phones"]]).contains("--allow-local"))
    let login = trouble(["topic": ["https://ann:hush@ntfy.example/phones"]])
    #expect(login.contains("--password-file") && !login.contains("hush"))
    #expect(trouble(["topic": topic, "user": ["ann"]]).contains("go together"))
    #expect(
      trouble(["topic": topic, "user": ["a"], "password-env": ["X"], "token-env": ["X"]]).contains(
        "a token and a user"))
    #expect(trouble(["topic": topic, "answers": topic]).contains("another topic"))
    #expect(
      trouble(["topic": topic, "answers": ["https://elsewhere.example/answers"]]).contains("same server"))
    #expect(trouble(["topic": topic, "answers-token-env": ["X"]]).contains("--answers"))
    #expect(trouble(["topic": topic, "click": ["map"]]).contains("no URL"))
    #expect(trouble(["topic": topic, "tags": ["a,b\r\nc"]]).contains("no tags"))
    let names = kind.parameters.map(\.name)
    #expect(Set(names).count == names.count)
  }
}
