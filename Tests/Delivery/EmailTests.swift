import FencelineJSONText
import FencelineNotifying
import FencelineTestSupport
import Glibc
import Synchronization
import Testing

@testable import FencelineDelivery

/// Against aiosmtpd, over the loopback interface.
@Suite("E-mail", .timeLimit(.minutes(2))) struct EmailTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func setup(
    _ peer: Peer, _ values: [String: [String]] = [:], scheme: String = "smtp", host: String = "127.0.0.1"
  )
    -> ChannelSetup
  {
    var all = [
      "server": ["\(scheme)://\(host):\(peer.port)"], "from": ["Boat <boat@example.org>"],
      "to": ["ann@example.org"],
    ]
    all.merge(values) { $1 }
    return ChannelSetup(name: "mail", values: all)
  }

  private func carrier(_ setup: ChannelSetup, clock: Clock = Clock()) throws -> EmailCarrier {
    try EmailCarrier(
      setup, ChannelContext(version: "1", environment: { $0 == "PASSWORD" ? "hush" : nil }),
      now: { clock.now })
  }

  @Test func oneEventIsOneMail() throws {
    let peer = try Peer("mail_server")
    let carrier = try carrier(setup(peer, ["to": ["ann@example.org", "Bob <bob@example.org>"]]))
    #expect(try carrier.outcome(Samples.crossing(title: "Größe\r\nBcc: eve@example.org")) == .done)
    let mail = try #require(peer.log.first)
    #expect(mail["sender"]?.text == "boat@example.org")
    #expect(mail["to"]?.elements?.map(\.text) == ["ann@example.org", "bob@example.org"])
    #expect(mail.header("subject") == "Größe  Bcc: eve@example.org" && mail.header("bcc") == nil)
    #expect(mail.header("from") == "Boat <boat@example.org>" && mail.header("x-fenceline-key") == "k-1")
    #expect(
      mail.header("message-id") == "<k-1@example.org>" && mail.header("auto-submitted") == "auto-generated")
    #expect(
      mail["body"]?.text == "phone came in\n\n2026-03-01 00:03:33 UTC\n" && mail["defects"]?.number == 0)
    #expect(mail.header("importance") == nil)
  }

  @Test func thoseOfARegionAreOneThread() throws {
    let peer = try Peer("mail_server")
    let carrier = try carrier(setup(peer, ["digest": ["0"]]))
    let parcels = [
      Samples.crossing(key: "a", device: "1", number: 1), Samples.crossing(key: "b", device: "2", number: 2),
      Samples.crossing(key: "c", region: "home", device: "3", number: 3),
      Samples.notification(key: "d", number: 4, thread: "office"), Samples.notification(key: "e", number: 5),
    ]
    #expect(carrier.outcomes(parcels).values.allSatisfy { $0 == .done })
    let threads = peer.log.map { $0.header("references") }
    try #require(threads.count == 5)
    #expect(threads[0] != nil && threads[0] == threads[1] && threads[0] != threads[2] && threads[4] == nil)
    #expect(threads[3] != nil && threads[3] != threads[0])
    #expect(peer.log.map { $0.header("in-reply-to") } == threads)
  }

  @Test func soonAfterwardsTheyAreCollected() throws {
    let peer = try Peer("mail_server")
    let clock = Clock()
    let carrier = try carrier(setup(peer), clock: clock)
    #expect(try carrier.outcome(Samples.crossing()) == .done)
    clock.advance(100_000)
    let second = try carrier.outcome(Samples.crossing(key: "k-2", number: 2))
    #expect(second.result == .postponed(seconds: 200))
    // What is urgent goes, and takes along what stands before it, but not what others have.
    let parcels = [
      Samples.crossing(key: "k-2", title: "Second", number: 2),
      Samples.crossing(key: "o-1", device: "other", number: 3),
      Samples.crossing(key: "k-4", title: "Urgent", number: 4, level: .timeSensitive),
      Samples.crossing(key: "k-5", number: 5),
    ]
    let outcomes = carrier.outcomes(parcels)
    #expect(outcomes[2] == .done && outcomes[4] == .done)
    #expect(
      outcomes[3]?.result == .postponed(seconds: 200) && outcomes[5]?.result == .postponed(seconds: 200))
    #expect(peer.log.map { $0.header("subject") } == ["Entered office", "Second", "Urgent"])
    #expect(peer.log.map { $0.header("importance") } == [nil, nil, "high"])
    // The mail with the second began it anew.
    clock.advance(299_999)
    #expect(try carrier.outcome(parcels[1]).result == .postponed(seconds: 0.001))
    clock.advance(1)
    let rest = (6...20).map {
      Samples.crossing(key: "k-\($0)", title: "Event \($0)", device: "d\($0 % 3)", number: $0)
    }
    #expect(carrier.outcomes(rest).values.allSatisfy { $0 == .done })
    try #require(peer.log.count == 4)
    let digest = peer.log[3]
    #expect(digest.header("subject") == "15 events, the last: Event 20")
    #expect(digest.headers("x-fenceline-key") == (6...20).map { "k-\($0)" })
    let body = digest["body"]?.text ?? ""
    #expect(body.hasPrefix("2026-03-01 00:03:33 UTC\nEvent 6\nphone came in\n\n2026"))
    #expect(digest.header("references") != nil)
  }

  @Test func encryptionIsRequiredAndChecked() throws {
    let certificates = try Certificates()
    let files = try certificates.issue("mail", for: "IP:127.0.0.1")
    let wrapped = try Peer("mail_server", ["--wrapped", "--login", "boat", "hush", "--tls"] + files)
    let login = ["user": ["boat"], "password-env": ["PASSWORD"], "ca-file": [certificates.authority]]
    #expect(try carrier(setup(wrapped, login, scheme: "smtps")).outcome(Samples.crossing()) == .done)
    #expect(wrapped.log.first?["encrypted"] == JSONNode(line: 1, content: .boolean(true)))
    #expect(wrapped.log.first?["login"]?.text == "boat")
    let unknown = try carrier(setup(wrapped, scheme: "smtps")).outcome(Samples.crossing())
    #expect(unknown.detail.hasPrefix("The certificate of the mail server is not trusted"))
    #expect(unknown.result == .failed(after: nil) && wrapped.log.count == 1)
  }

  /// By another name than that of this machine, since there nobody listens on the way.
  @Test func withoutEncryptionNothingIsSaid() throws {
    let certificates = try Certificates()
    let files = try certificates.issue("mail", for: "IP:0.0.0.0")
    let plain = try Peer("mail_server")
    let upgraded = try Peer("mail_server", ["--login", "boat", "hush", "--tls"] + files)
    let refused = try carrier(setup(plain, host: "0.0.0.0")).outcome(Samples.crossing())
    #expect(refused.result == .failed(after: nil) && plain.log.isEmpty)
    #expect(refused.detail.contains("TLS could not be agreed on"), "\(refused.detail)")
    #expect(
      try carrier(setup(plain, ["plain": ["true"]], host: "0.0.0.0")).outcome(Samples.crossing()) == .done)
    let login = ["user": ["boat"], "password-env": ["PASSWORD"], "ca-file": [certificates.authority]]
    let outcome = try carrier(setup(upgraded, login, host: "0.0.0.0")).outcome(Samples.crossing())
    #expect(outcome == .done)
    #expect(upgraded.log.first?["encrypted"] == JSONNode(line: 1, content: .boolean(true)))
    // Without the authority, and with a wrong password.
    #expect(
      try carrier(setup(upgraded, host: "0.0.0.0")).outcome(Samples.crossing()).detail.contains("not trusted")
    )
    let wrong = try folder.write("password", "wr0ng\n")
    var other = login
    other["password-env"] = nil
    other["password-file"] = [wrong]
    let denied = try carrier(setup(upgraded, other, host: "0.0.0.0")).outcome(Samples.crossing())
    #expect(denied.result == .failed(after: nil))
    #expect(denied.detail == "The mail server does not take the user's name or password (535).")
    #expect(denied.output?.contains("wr0ng") != true && upgraded.log.count == 1)
  }

  @Test func whoWantsALoginIsTold() throws {
    let peer = try Peer("mail_server", ["--login", "boat", "hush"])
    let outcome = try carrier(setup(peer)).outcome(Samples.crossing())
    #expect(outcome.detail == "The mail server wants a user's name and password (530).")
    #expect(outcome.result == .failed(after: nil))
    let login = ["user": ["boat"], "password-env": ["PASSWORD"]]
    #expect(try carrier(setup(peer, login)).outcome(Samples.crossing()) == .done)
    let missing = ["user": ["boat"], "password-env": ["NONE"]]
    #expect(try carrier(setup(peer, missing)).outcome(Samples.crossing()).detail.contains("'NONE'"))
  }

  @Test(
    arguments: [
      ("content-451", "failed", "does not take the mail (451)"),
      ("content-554", "refused", "does not take the mail (554)"),
      ("sender-552", "refused", "does not take the mail (552)"),
      ("sender-450", "failed", "does not take the sender (450)"),
      ("sender-553", "failed", "does not take the sender (553)"),
      ("greeting-421", "failed", "takes nothing now (421)"),
      ("greeting-554", "failed", "takes nothing now (554)"),
      ("reset", "failed", "broke off"), ("hang", "failed", "did not answer in full within 1 s"),
    ] as [(String, String, String)])
  func whatIsNotTakenIsTold(_ how: String, _ expected: String, _ words: String) throws {
    let peer = try Peer("mail_server", ["--ill", how])
    let outcome = try carrier(setup(peer, ["timeout": ["1"]])).outcome(Samples.crossing())
    #expect(outcome.result == (expected == "failed" ? .failed(after: nil) : .refused), "\(outcome)")
    #expect(outcome.detail.contains(words), "\(outcome.detail)")
    let code = how.split(separator: "-").dropFirst().first.map(String.init)
    #expect(outcome.output?.prefix(3).description == code)
  }

  @Test func afterAFailureNothingElseIsTried() throws {
    let peer = try Peer("mail_server", ["--ill", "content-451"])
    let carrier = try carrier(setup(peer, ["digest": ["0"]]))
    let parcels = (1...5).map { Samples.crossing(key: "k-\($0)", device: "d\($0)", number: $0) }
    #expect(carrier.outcomes(parcels).keys.sorted() == [1] && peer.log.count == 1)
    // Nothing was sent, so that the next goes at once.
    let again = try self.carrier(setup(peer))
    #expect(try again.outcome(parcels[0]).result == .failed(after: nil))
    #expect(try again.outcome(parcels[0]).result == .failed(after: nil))
  }

  @Test func onlyThoseWhoHaveItNotAreTriedAgain() throws {
    let peer = try Peer("mail_server")
    let to = ["no-one@example.org", "ann@example.org", "later@example.org"]
    let carrier = try carrier(setup(peer, ["to": to]))
    let first = try carrier.outcome(Samples.crossing())
    #expect(first.result == .failed(after: nil))
    #expect(
      first.detail
        == "The mail server takes nothing for 'later@example.org' (451) as yet; the others have it.")
    let clockless = try self.carrier(setup(peer, ["to": ["no-one@example.org", "ann@example.org"]]))
    let partly = try clockless.outcome(Samples.crossing())
    #expect(partly.result == .done)
    #expect(
      partly.detail == "The mail server takes nothing for 'no-one@example.org' (550); the others have it.")
    try peer.folder.write("open", "")
    // It is urgent now, lest it be collected.
    #expect(try carrier.outcome(Samples.crossing(level: .critical)) == .done)
    let recipients = peer.log.map { $0["to"]?.elements?.map(\.text) }
    #expect(recipients == [["ann@example.org"], ["ann@example.org"], ["later@example.org"]])
    #expect(Set(peer.log.map { $0.header("message-id") }).count == 1)
  }

  @Test func whereNobodyIsTakenItIsTriedAgain() throws {
    let peer = try Peer("mail_server")
    let never = try carrier(setup(peer, ["to": ["no-1@example.org", "no-2@example.org"]])).outcome(
      Samples.crossing())
    #expect(
      never.result == .failed(after: nil) && never.detail == "The mail server takes no recipient (550).")
    let later = try carrier(setup(peer, ["to": ["later@example.org", "no-2@example.org"]])).outcome(
      Samples.crossing())
    #expect(later.result == .failed(after: nil) && peer.log.isEmpty)
  }

  @Test func stoppingIsNoFailure() throws {
    let peer = try Peer("mail_server", ["--ill", "hang"])
    let carrier = try carrier(setup(peer))
    let thread = BackgroundThread {
      _ = until { !peer.log.isEmpty }
      carrier.stop()
    }
    #expect(try carrier.outcome(Samples.crossing()).result == .postponed(seconds: 0))
    thread.join()
  }

  @Test func nobodyListensThere() throws {
    let outcome: CarryOutcome
    do {
      let peer = try Peer("mail_server")
      let setup = setup(peer)
      peer.process.signal(SIGKILL)
      _ = peer.process.status(within: 30)
      outcome = try carrier(setup).outcome(Samples.crossing())
    }
    #expect(outcome == .failed("The mail server refused the connection: nobody listens there."))
  }

  @Test func whatIsWrongIsSaidAtOnce() {
    let right = [
      "server": ["smtps://mail.example.org"], "from": ["boat@example.org"], "to": ["ann@example.org"],
    ]
    func trouble(_ name: String, _ value: [String]?) -> String {
      var values = right
      values[name] = value
      return ChannelKind.email.trouble(values) ?? "nothing"
    }
    #expect(ChannelKind.email.trouble(right) == nil)
    #expect(trouble("server", ["mail.example.org"]).contains("no mail server"))
    #expect(trouble("server", ["https://mail.example.org"]).contains("no mail server"))
    let login = trouble("server", ["smtps://ann:hush@mail.example.org"])
    #expect(login.contains("--password-file") && !login.contains("hush"))
    #expect(trouble("from", nil).contains("--from") && trouble("to", nil).contains("--to"))
    #expect(trouble("from", ["boat"]).contains("no mail address"))
    #expect(
      trouble("to", ["ann@example.org", "a@b\r\nRCPT TO:<eve@example.org>"]).contains("no mail address"))
    #expect(
      trouble("user", ["ann"]).contains("go together")
        && trouble("password-env", ["X"]).contains("go together"))
    #expect(
      trouble("digest", ["90000"]).contains("90000") && trouble("timeout", ["0"]).contains("out of bounds"))
    let readable = [
      "server": ["smtp://mail.example.org"], "from": ["boat@example.org"], "to": ["ann@example.org"],
      "user": ["ann"], "password-env": ["X"], "plain": ["true"],
    ]
    #expect(ChannelKind.email.trouble(readable)?.contains("read the password") == true)
    let names = ChannelKind.email.parameters.map(\.name)
    #expect(Set(names).count == names.count)
  }
}

/// A clock that a test sets.
private final class Clock: Sendable {
  private let milliseconds = Mutex<Int64>(5000)
  var now: Int64 { milliseconds.withLock { $0 } }
  func advance(_ by: Int64) { milliseconds.withLock { $0 += by } }
}
