import FencelineDelivery
import FencelineHTTPCalling
import FencelineJSONText
import FencelineNotifying
import FencelineTestSupport
import Glibc
import Testing

/// Against a server of its own, over the loopback interface.
@Suite("Webhook", .timeLimit(.minutes(2))) struct WebhookTests {
  let peer: Peer
  let folder: TemporaryFolder

  init() throws {
    peer = try Peer("web_server")
    folder = try TemporaryFolder()
  }

  private func carrier(_ path: String = "/events", _ values: [String: [String]] = [:]) throws -> any Carrier {
    var all = values
    if values["url-file"] == nil, values["url-env"] == nil {
      all["url"] = ["http://127.0.0.1:\(peer.port)\(path)"]
    }
    all["allow-local"] = ["true"]
    return try ChannelKind.webhook.chatCarrier(
      all,
      environment: ["HOOK": "http://127.0.0.1:\(peer.port)/from-environment", "BAD": "ftp://hidden.example/"])
  }

  @Test func aCrossingGoesAsACloudEvent() throws {
    #expect(try carrier().outcome(Samples.crossing()) == .done)
    let request = try #require(peer.requests.first)
    #expect(request["method"]?.text == "POST" && request["path"]?.text == "/events")
    #expect(request.header("content-type") == "application/cloudevents+json")
    #expect(request.header("idempotency-key") == "k-1" && request.header("user-agent") == "fenceline/1.2")
    #expect(request.header("webhook-signature") == nil)
    let line = """
      {"specversion":"1.0","id":"k-1","source":"/fenceline","type":"org.fenceline.crossing.entry",\
      "time":"2026-03-01T00:03:33.892Z","subject":"office","datacontenttype":"application/json",\
      "data":{"kind":"entry","region":"office","device":"phone"}}
      """
    #expect(request["body"]?.text == line)
  }

  @Test func aNotificationIsOneToo() throws {
    #expect(
      try carrier("/", ["source": ["https://boat.example/"], "method": ["PUT"]]).outcome(
        Samples.notification()) == .done)
    let request = try #require(peer.requests.first)
    #expect(request["method"]?.text == "PUT")
    let event = try JSONNode(parsing: Array((request["body"]?.text ?? "").utf8))
    #expect(
      event["type"]?.text == "org.fenceline.notification" && event["source"]?.text == "https://boat.example/")
    // It is about no device and no region, and a subject may not be empty.
    #expect(event["subject"] == nil && event["data"]?["title"]?.text == "Buy milk")
  }

  @Test func anotherAttemptSaysTheSame() throws {
    let carrier = try carrier()
    var parcel = Samples.crossing()
    for attempt in 1...3 {
      parcel.attempt = attempt
      #expect(try carrier.outcome(parcel) == .done)
    }
    #expect(Set(peer.requests.map { $0["body"] }).count == 1)
    #expect(Set(peer.requests.map { $0.header("idempotency-key") }) == ["k-1"])
    #expect(Set(peer.requests.map { $0["connection"] }).count == 1)
  }

  @Test(
    arguments: [
      ("/status/200", "done"), ("/status/202", "done"), ("/status/204", "done"), ("/status/410", "gone"),
      ("/status/400", "refused"), ("/status/405", "refused"), ("/status/411", "refused"),
      ("/status/413", "refused"),
      ("/status/414", "refused"), ("/status/415", "refused"), ("/status/422", "refused"),
      ("/status/401", "failed"),
      ("/status/403", "failed"), ("/status/404", "failed"), ("/status/408", "failed"),
      ("/status/409", "failed"),
      ("/status/429", "failed"), ("/status/500", "failed"), ("/status/502", "failed"),
      ("/status/503", "failed"),
      ("/status/304", "failed"), ("/retry/120", "failed after 120.0"),
      ("/retry/999999", "failed after 86400.0"),
      ("/reset", "failed"), ("/half", "failed"), ("/nonsense", "failed"), ("/huge/500", "failed"),
      ("/huge/200", "done"),
    ] as [(String, String)])
  func answersAreUnderstood(_ path: String, _ expected: String) throws {
    let outcome = try carrier(path).outcome(Samples.crossing())
    let result =
      switch outcome.result {
      case .done: "done"
      case .gone: "gone"
      case .refused: "refused"
      case .failed(let after): after.map { "failed after \($0)" } ?? "failed"
      case .postponed: "postponed"
      }
    #expect(result == expected)
    #expect(
      outcome.detail.isEmpty == (expected == "done")
        && (outcome.detail.isEmpty || outcome.detail.hasSuffix(".")))
    if expected != "done", path.hasPrefix("/status/") { #expect(outcome.detail.contains(path.suffix(3))) }
  }

  @Test func aRedirectNamesTheHostAlone() throws {
    let outcome = try carrier("/redirect").outcome(Samples.crossing())
    #expect(
      outcome.detail
        == "The server answered 301 and points elsewhere to 'elsewhere.example'. Redirects are not followed: set the new URL."
    )
    #expect(peer.requests.count == 1)
  }

  @Test func whoHangsIsGivenUpInTime() throws {
    let carrier = try carrier("/hang", ["timeout": ["1"]])
    let outcome = try carrier.outcome(Samples.crossing())
    #expect(outcome == .failed("The server did not answer in full within 1 s."))
  }

  @Test func stoppingIsNoFailure() throws {
    let carrier = try carrier("/hang")
    let thread = BackgroundThread {
      _ = until { !peer.requests.isEmpty }
      carrier.stop()
    }
    #expect(try carrier.outcome(Samples.crossing()).result == .postponed(seconds: 0))
    thread.join()
  }

  @Test func itIsSignedAsOthersSign() throws {
    let secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "c2Vjb25kIHNlY3JldCwgb2xkZXI="]
    let file = try folder.write("secret", secrets.joined(separator: "\n") + "\n\n")
    let outcome = try carrier("/", ["secret-file": [file]]).outcome(
      Samples.notification(title: "größer \"\\\n"))
    #expect(outcome == .done)
    let request = try #require(peer.requests.first)
    let id = try #require(request.header("webhook-id"))
    let moment = try #require(request.header("webhook-timestamp"))
    #expect(id == "n-1" && abs((Int(moment) ?? 0) - time(nil)) < 60)
    // Python's own HMAC says the same.
    try folder.write("signed", "\(id).\(moment).\(request["body"]?.text ?? "")")
    let script = """
      import base64, hashlib, hmac, sys
      for secret in sys.argv[1:]:
          key = base64.b64decode(secret.removeprefix("whsec_"))
          print("v1," + base64.b64encode(hmac.digest(key, open("signed", "rb").read(), hashlib.sha256)).decode())
      """
    let process = try ChildProcess(
      ["python3", "-c", script] + secrets, in: folder.path, output: folder.path("signatures"))
    #expect(process.status(within: 60) == 0)
    let signatures = folder.text("signatures").split(separator: "\n").joined(separator: " ")
    #expect(signatures.count > 90 && request.header("webhook-signature") == signatures)
  }

  @Test func aSecretThatIsNoneIsNotRepeated() throws {
    for text in ["hush!\n", "whsec_\n", "\n", "Zm9v\nhush!\n"] {
      let file = try folder.write("secret", text)
      let outcome = try carrier("/", ["secret-file": [file]]).outcome(Samples.crossing())
      guard case .failed = outcome.result else {
        Issue.record("\(text.debugDescription) was taken")
        continue
      }
      #expect(!outcome.detail.contains("hush") && outcome.detail.hasSuffix("."))
    }
    #expect(peer.requests.isEmpty)
  }

  @Test func theURLCanBeASecret() throws {
    let file = try folder.write("url", "http://127.0.0.1:\(peer.port)/echo/T0KEN\nleft out\n")
    let outcome = try carrier("", ["url-file": [file]]).outcome(Samples.crossing())
    #expect(outcome.detail == "The server answered 500.")
    #expect(try carrier("", ["url-env": ["HOOK"]]).outcome(Samples.crossing()) == .done)
    #expect(peer.requests.map { $0["path"]?.text } == ["/echo/T0KEN", "/from-environment"])
    for (name, value) in [("url-env", "NONE"), ("url-env", "BAD"), ("url-file", folder.path("none"))] {
      let outcome = try carrier("", [name: [value]]).outcome(Samples.crossing())
      guard case .failed = outcome.result else {
        Issue.record("\(value) was taken")
        continue
      }
      #expect(
        !outcome.detail.contains("hidden.example") && outcome.detail.hasSuffix("."), "\(outcome.detail)")
    }
  }

  @Test func whatTheServerRepeatsHoldsNoSecret() throws {
    let headers = try folder.write("headers", "Authorization: Bearer s3cr3t-token\n\nX-Key: 0ther-secret\n")
    let outcome = try carrier("/echo", ["headers-file": [headers], "header": ["X-Room: 12", "X-Room: 13"]])
      .outcome(Samples.crossing())
    let request = try #require(peer.requests.first)
    #expect(
      request.header("authorization") == "Bearer s3cr3t-token" && request.header("x-key") == "0ther-secret")
    #expect(request.headers("x-room") == ["12", "13"])
    let output = try #require(outcome.output)
    #expect(output.contains("\"x-room\", \"12\"") && output.contains("…"))
    #expect(!output.contains("s3cr3t") && !output.contains("0ther"))
  }

  @Test func aSecretHeaderCannotBringAnother() throws {
    let texts = [
      "no colon\n", "X Y: z\n", ": z\n", "X-A:\n", "Content-Length: 3\n", "X-A: b\u{0}c\n",
      "X-A: b\u{1b}[2J\n",
    ]
    for text in texts {
      let file = try folder.write("headers", text)
      let outcome = try carrier("/", ["headers-file": [file]]).outcome(Samples.crossing())
      guard case .failed = outcome.result else {
        Issue.record("\(text.debugDescription) was taken")
        continue
      }
    }
    #expect(peer.requests.isEmpty)
  }

  @Test func aTemplateIsFilledAndCannotBeBrokenOutOf() throws {
    let text = """
      {"text": "{title}: {body}", "at": "{at}", "where": [{latitude}, {longitude}], "n": {number}, "all": {json}, \
      "who": "{device}/{region}/{kind}/{type}/{level}/{key}{app}{identifier}", "{}": {"a": 1}}
      """
    let file = try folder.write("template", text)
    let title = "\",\"admin\":true,\"x\":\"\\\n{body}\u{2028}"
    let carrier = try carrier("/", ["template-file": [file]])
    #expect(try carrier.outcome(Samples.crossing(title: title)) == .done)
    let request = try #require(peer.requests.first)
    #expect(request.header("content-type") == "application/json")
    let filled = try JSONNode(parsing: Array((request["body"]?.text ?? "").utf8))
    #expect(filled["text"]?.text == title + ": phone came in" && filled["admin"] == nil)
    #expect(filled["who"]?.text == "phone/office/entry/crossing.entry/active/k-1")
    #expect(filled["where"]?.elements?.map(\.number) == [52.5, 13.25] && filled["n"]?.isNull == true)
    #expect(filled["all"]?["kind"]?.text == "entry" && filled["{}"]?["a"]?.number == 1)
  }

  @Test func formsAndPlainTextsHaveTheirOwnWay() throws {
    let file = try folder.write("template", "title={title}&n={number}&where={latitude}\n")
    let title = "a&b=c d+ü%\n"
    let form = try carrier(
      "/", ["template-file": [file], "content-type": ["application/x-www-form-urlencoded"]])
    let plain = try carrier("/", ["template-file": [file], "content-type": ["text/plain; charset=utf-8"]])
    let markup = try carrier("/", ["template-file": [file], "content-type": ["text/xml"]])
    #expect(try form.outcome(Samples.notification(title: title)) == .done)
    #expect(try plain.outcome(Samples.notification(title: title)) == .done)
    #expect(try markup.outcome(Samples.notification(title: "<a b='c'>&\"")) == .done)
    #expect(
      peer.requests.map { $0["body"]?.text } == [
        "title=a%26b%3Dc%20d%2B%C3%BC%25%0A&n=12&where=\n", "title=\(title)&n=12&where=\n",
        "title=&lt;a b=&#39;c&#39;&gt;&amp;&quot;&n=12&where=\n",
      ])
  }

  @Test func whatIsWrongIsSaidAtOnce() throws {
    let kind = ChannelKind.webhook
    let url = ["https://example.org/hook"]
    func trouble(_ values: [String: [String]]) -> String { kind.trouble(values) ?? "nothing" }
    #expect(kind.trouble(["url": url]) == nil)
    #expect(trouble([:]).contains("has no URL"))
    #expect(trouble(["url": url, "url-env": ["X"]]).contains("several URLs"))
    #expect(
      trouble(["url": ["ftp://example.org/"]]).contains("'ftp://example.org/' is none of http or https"))
    for text in [
      "http://2130706433/", "http://[::ffff:127.0.0.1]/", "http://localhost/", "http://169.254.169.254/",
    ] {
      #expect(trouble(["url": [text]]).contains("--allow-local"), "\(text)")
      #expect(kind.trouble(["url": [text], "allow-local": ["true"]]) == nil, "\(text)")
    }
    let login = trouble(["url": ["https://ann:hush@example.org/"]])
    #expect(login.contains("--headers-file") && !login.contains("hush"))
    for header in ["Authorization: Bearer hush", "Cookie: hush", "X-API-Key: hush", "X-Auth-Token: hush"] {
      let sentence = trouble(["url": url, "header": [header]])
      #expect(sentence.contains("--headers-file") && !sentence.contains("hush"), "\(sentence)")
    }
    let injected = [
      "X: a\r\nY: b", "X: a\nY: b", "X\nY: b", "X", "X:", "X: ", ": a", "X : a", "Content-Type: a/b",
      "X: a\0b",
    ]
    for header in injected {
      #expect(kind.trouble(["url": url, "header": [header]]) != nil, "\(header.debugDescription)")
    }
    #expect(kind.trouble(["url": url, "header": ["X-Room: 12", "X:a:b"]]) == nil)
    for (name, value, words) in [
      ("timeout", "0.5", "out of bounds"), ("timeout", "601", "out of bounds"),
      ("content-type", "text/plain", "CloudEvents are JSON"),
      ("content-type", "json", "no content type"), ("content-type", "a/b\r\nX: y", "no content type"),
      ("source", "a b", "no URI"), ("proxy", "proxy.example", "no URL of a proxy"),
      ("proxy", "ftp://a", "no URL of a proxy"),
      ("template-file", folder.path("none"), "Cannot read"),
    ] {
      #expect(trouble(["url": url, name: [value]]).contains(words), "\(name) \(value)")
    }
    let proxy = trouble(["url": url, "proxy": ["http://ann:hush@proxy.example:1"]])
    #expect(proxy.contains("--proxy-file") && !proxy.contains("hush"))
    for (text, words) in [
      ("{\"a\": \"{titel}\"}", "'{titel}'"), ("{\"a\": {title}}", "no JSON when it is filled"),
      ("", "no JSON"),
    ] {
      let file = try folder.write("template", text)
      #expect(trouble(["url": url, "template-file": [file]]).contains(words), "\(text)")
    }
  }

  @Test func afterOneThatFailsItsDeviceWaits() throws {
    let carrier = try carrier("/status/500")
    let parcels = [1, 2].map { Samples.crossing(key: "k-\($0)", number: $0) }
    let other = Samples.crossing(key: "k-3", device: "boat", number: 3)
    #expect(Set(carrier.outcomes(parcels + [other]).keys) == [1, 3])
  }

  @Test func itsOptionsAreDeclared() {
    let names = ChannelKind.webhook.parameters.map(\.name)
    #expect(Set(names).count == names.count && ChannelKind.webhook.targets.allSatisfy(\.isOptional))
    #expect(ChannelKind.named("webhook") != nil)
  }
}
