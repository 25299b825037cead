import FencelineDelivery
import FencelineHTTPCalling
import FencelineJSONText
import FencelineTestSupport
import FencelineTransfers
import Glibc
import Synchronization
import Testing

/// Against a server of its own, over the loopback interface.
@Suite("Web client", .timeLimit(.minutes(2))) struct WebClientTests {
  let peer: Peer

  init() throws { peer = try Peer("web_server") }

  private func request(_ path: String, port: Int? = nil, scheme: String = "http") throws -> WebRequest {
    WebRequest("GET", try #require(WebAddress("\(scheme)://127.0.0.1:\(port ?? peer.port)\(path)")))
  }

  private func failure(_ request: WebRequest, _ client: WebClient = local) -> TransferError? {
    do throws(TransferError) {
      _ = try client.send(request)
      return nil
    } catch { return error }
  }

  private static var local: WebClient { WebClient(agent: "test/1", allowsLocal: true) }

  @Test func whatIsSentArrives() throws {
    var request = WebRequest(
      "PUT", try #require(WebAddress("http://127.0.0.1:\(peer.port)/a?b=c")),
      headers: [("X-Room", "12"), ("X-Room", "größer")], body: Array("{\"a\":\"ü\0\"}".utf8))
    let client = Self.local
    #expect(try client.send(request).status == 204)
    request.method = "POST"
    request.body = []
    #expect(try client.send(request).status == 204)
    let got = peer.requests
    try #require(got.count == 2)
    #expect(got[0]["method"]?.text == "PUT" && got[0]["path"]?.text == "/a?b=c")
    #expect(got[0].headers("x-room") == ["12", "größer"] && got[0].header("user-agent") == "test/1")
    #expect(got[0]["body"]?.text == "{\"a\":\"ü\0\"}" && got[0].header("expect") == nil)
    #expect(got[1]["method"]?.text == "POST" && got[1].header("content-length") == "0")
    // One connection for both.
    #expect(got[0]["connection"] == got[1]["connection"])
  }

  @Test func manyThreadsShareOneClient() throws {
    let client = Self.local
    let count = Mutex(0)
    let request = try request("/")
    let threads = (0..<8).map { _ in
      BackgroundThread {
        for _ in 0..<20 where (try? client.send(request))?.status == 204 { count.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(count.withLock { $0 } == 160 && peer.requests.count == 160)
    #expect(Set(peer.requests.map { $0["connection"] }).count <= 8)
  }

  @Test func aHugeAnswerCostsNeitherTimeNorMemory() throws {
    let answer = try Self.local.send(request("/huge/500"))
    #expect(answer.status == 500 && answer.isCut && answer.body.count == WebClient.mostBody)
    #expect(until { peer.log.contains { $0["huge"] != nil } })
    let sizes = peer.log.compactMap { $0["huge"]?.number }
    let sent = try #require(sizes.first)
    // What fits into the buffers on the way, not 2 GB.
    #expect(sent < 67_108_864)
  }

  @Test func whatGoesWrongIsSaidInWords() throws {
    let nobody = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(nobody) }
    // Bound and not listening: nobody else takes the port.
    try #require(unsafe Loopback.call(nobody, 0, { unsafe bind($0, $1, $2) }) == 0)
    let refused = try #require(failure(try request("/", port: Loopback.port(of: nobody))))
    #expect(refused.code == .unreachable && refused.message.contains("refused the connection"))
    for path in ["/reset", "/half"] {
      let broken = try #require(failure(try request(path)), "\(path)")
      #expect(broken == TransferError(.brokenOff, "The connection to the server broke off."), "\(path)")
    }
    #expect(try failure(request("/nonsense"))?.code == .protocolFault)
    let name = try #require(WebAddress("http://no-such-name.invalid/"))
    #expect(failure(WebRequest("GET", name))?.message == "The name of the server could not be resolved.")
    let encrypted = try #require(failure(try request("/", scheme: "https")))
    #expect(encrypted.code == .encryption && encrypted.message.contains("perhaps it offers none"))
    var proxied = try request("/")
    proxied.proxy = "http://no-such-name.invalid:1"
    #expect(failure(proxied)?.message == "The name of the proxy could not be resolved.")
  }

  @Test func whoDoesNotAnswerIsNotWaitedFor() throws {
    var hanging = try request("/hang")
    hanging.timeLimit = 300
    let error = try #require(failure(hanging))
    #expect(error == TransferError(.timedOut, "The server did not answer in full within 0.3 s."))
    // A queue of connections that is full: nothing comes about.
    let full = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(full) }
    try #require(unsafe Loopback.call(full, 0, { unsafe bind($0, $1, $2) }) == 0 && listen(full, 0) == 0)
    let port = Loopback.port(of: full)
    var fillers: [Int32] = []
    defer { for filler in fillers { close(filler) } }
    for _ in 0..<4 {
      let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      _ = unsafe Loopback.call(filler, port, { unsafe connect($0, $1, $2) })
      fillers.append(filler)
    }
    var unheard = try request("/", port: port)
    unheard.connectLimit = 400
    #expect(failure(unheard)?.message == "No connection to the server came about within 0.4 s.")
  }

  @Test func anotherThreadEndsIt() throws {
    let client = Self.local
    let request = try request("/hang")
    let ends = Mutex<TransferError?>(nil)
    let thread = BackgroundThread {
      do throws(TransferError) { _ = try client.send(request) } catch { ends.withLock { $0 = error } }
    }
    #expect(until { peer.requests.count == 1 })
    client.stop()
    thread.join()
    #expect(ends.withLock { $0?.code } == .stopped)
    // Its connection is closed, and nothing begins any more.
    #expect(until { peer.log.contains { $0["hung"] != nil } })
    #expect(failure(request, client)?.code == .stopped)
    #expect(peer.requests.count == 1)
  }

  @Test func aRedirectIsToldAndNotFollowed() throws {
    let answer = try Self.local.send(request("/redirect"))
    #expect(answer.status == 301 && answer.redirectHost == "elsewhere.example")
    #expect(peer.requests.count == 1)
  }

  @Test func whenToComeBackIsRead() throws {
    let client = Self.local
    #expect(try client.send(request("/retry/120")).retryAfter == 120)
    #expect(try client.send(request("/retry/0")).retryAfter == nil)
    #expect(try client.send(request("/retry/soon")).retryAfter == nil)
    let seconds = try #require(try client.send(request("/retry-date/100")).retryAfter)
    #expect((90...100).contains(seconds))
    #expect(try client.send(request("/retry-date/-100")).retryAfter == nil)
    #expect(try client.send(request("/status/503")).retryAfter == nil)
  }

  @Test func nothingGoesToThisMachineUnlessAllowed() throws {
    let client = WebClient(agent: "test/1")
    let hosts = [
      "127.0.0.1", "localhost", "LOCALHOST.", "a.localhost", "2130706433", "0x7f000001", "0177.0.0.1",
      "127.1",
      "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
      "user@127.0.0.1", "example.org@127.0.0.1", "127%2E0.0.1", "%31%32%37.0.0.1",
    ]
    for host in hosts {
      guard let address = WebAddress("http://\(host):\(peer.port)/") else { continue }
      let error = try #require(failure(WebRequest("GET", address), client), "\(host)")
      #expect(error.code == .localTarget, "\(host): \(error)")
    }
    let sixth = try Peer("web_server", ["--v6"])
    let address = try #require(WebAddress("http://[::1]:\(sixth.port)/"))
    #expect(failure(WebRequest("GET", address), client)?.code == .localTarget)
    // Digits of other widths are none to libcurl.
    if let wide = WebAddress("http://１２７.0.0.1:\(peer.port)/") {
      #expect(failure(WebRequest("GET", wide), client) != nil)
    }
    // None of them has come through, not even as a connection.
    #expect(peer.log.isEmpty && sixth.log.isEmpty)
    #expect(try Self.local.send(WebRequest("GET", address)).status == 204)
  }

  @Test func aPrivateAuthorityIsTrustedWhereItIsNamed() throws {
    let certificates = try Certificates()
    let right = try Peer("web_server", ["--tls"] + certificates.issue("right", for: "IP:127.0.0.1"))
    let wrong = try Peer("web_server", ["--tls"] + certificates.issue("wrong", for: "DNS:elsewhere.example"))
    let trusting = WebClient(agent: "test/1", trusting: certificates.authority, allowsLocal: true)
    let request = try request("/", port: right.port, scheme: "https")
    #expect(try trusting.send(request).status == 204)
    let unknown = try #require(failure(request))
    #expect(unknown.code == .untrusted && unknown.message.contains("certificate"))
    let other = try #require(failure(try self.request("/", port: wrong.port, scheme: "https"), trusting))
    #expect(other.message == "The certificate of the server is not trusted: it was issued for another name.")
    let missing = WebClient(agent: "test/1", trusting: certificates.folder.path("none"), allowsLocal: true)
    #expect(failure(request, missing)?.code == .setup)
    #expect(right.requests.count == 1 && wrong.requests.isEmpty)
  }

  @Test func aProxyIsAskedWhereItIsNamedAndNotOtherwise() throws {
    let certificates = try Certificates()
    let encrypted = try Peer("web_server", ["--tls"] + certificates.issue("right", for: "IP:127.0.0.1"))
    let proxy = try Proxy(tunnelsTo: encrypted.port)
    unsafe setenv("http_proxy", "http://127.0.0.1:1", 1)
    defer { unsafe unsetenv("http_proxy") }
    #expect(try Self.local.send(request("/direct")).status == 204)
    var proxied = try request("/through")
    proxied.proxy = "http://127.0.0.1:\(proxy.port)"
    #expect(try Self.local.send(proxied).status == 204)
    // tinyproxy adds it.
    #expect(peer.requests.map { $0.header("via") != nil } == [false, true])
    let client = WebClient(agent: "test/1", trusting: certificates.authority, allowsLocal: true)
    var tunnelled = try request("/tunnel", port: encrypted.port, scheme: "https")
    tunnelled.proxy = proxied.proxy
    tunnelled.headers = [("X-Secret", "for the server")]
    #expect(try client.send(tunnelled).status == 204)
    #expect(
      proxy.log.contains("CONNECT 127.0.0.1:\(encrypted.port)") && !proxy.log.contains("for the server"))
    // It may be here itself, and what it is asked for may not.
    #expect(failure(proxied, WebClient(agent: "test/1"))?.code == .localTarget)
    // It lets nothing through to ports that it does not know.
    var barred = try request("/", port: peer.port, scheme: "https")
    barred.proxy = proxied.proxy
    let error = try #require(failure(barred, client))
    #expect(error.message == "The proxy does not let it through: it answered 403.", "\(error)")
  }
}

/// tinyproxy, as Debian has it.
private final class Proxy: Sendable {
  let folder: TemporaryFolder
  let port: Int
  private let process: ChildProcess

  var log: String { folder.text("log") }

  init(tunnelsTo target: Int) throws {
    folder = try TemporaryFolder()
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(unsafe Loopback.call(probe, 0, { unsafe bind($0, $1, $2) }) == 0)
    port = Loopback.port(of: probe)
    close(probe)
    let settings = """
      Port \(port)
      Listen 127.0.0.1
      Allow 127.0.0.1
      ConnectPort \(target)
      Timeout 30
      LogFile "\(folder.path("log"))"
      LogLevel Connect
      """
    try folder.write("settings", settings)
    process = try ChildProcess(["tinyproxy", "-d", "-c", folder.path("settings")])
    let port = port
    let isUp = until {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(client) }
      return unsafe Loopback.call(client, port, { unsafe connect($0, $1, $2) }) == 0
    }
    try #require(isUp)
  }
}
