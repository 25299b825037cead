import FencelineHTTPCalling
import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineHTTPServing

@Suite("HTTP server") struct HTTPServerTests {
  let folder: TemporaryFolder
  var path: String { folder.path("socket") }

  init() throws { folder = try TemporaryFolder() }

  /// Says what it was asked.
  private func echo(_ path: String? = nil) throws -> HTTPServer {
    try HTTPServer(unixSocket: path ?? self.path) { request in
      let query = request.query.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",")
      let text =
        "\(request.method) \(request.path) [\(query)] \(request.headers["x-test"] ?? "-") \(request.body.count)"
      return .plain(text, status: request.path == "/missing" ? 404 : 200)
    }
  }

  private func ask(_ request: String) throws -> RawClient {
    let client = try RawClient(path)
    client.send(request)
    client.read(until: nil)
    return client
  }

  @Test func aRequestArrivesWithEverythingInIt() throws {
    let server = try echo()
    let client = LocalClient(unixSocket: path)
    let answer = try client.get("/a%20b/c?x=1&y=%26%20&z&x=2")
    #expect(answer.status == 200)
    #expect(String(decoding: answer.body, as: UTF8.self) == "GET /a b/c [x=2,y=& ,z=] - 0\n")
    #expect(try client.get("/missing").status == 404)
    let post = try ask(
      "POST / HTTP/1.1\r\nHost: x\r\nX-Test: yes\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    #expect(post.status == "200" && post.received.hasSuffix("POST / [] yes 5\n"))
    server.stop()
  }

  @Test func aBodyThatIsTooLongIsRefused() throws {
    let server = try echo()
    let most = HTTPRequest.maximumBody
    for (length, status) in [(most, "200"), (most + 1, "413"), (Int.max, "413")] {
      let client = try RawClient(path)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n")
      if status == "200" { client.send(String(repeating: "x", count: length)) }
      client.read(until: "\r\n\r\n")
      #expect(client.status == status, "\(length)")
    }
    // In pieces, without the length beforehand; and without an end.
    let piece = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
    let chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    let long = try RawClient(path)
    long.send(chunked + String(repeating: piece, count: 17) + "0\r\n\r\n")
    long.read(until: "\r\n\r\n")
    #expect(long.status == "413")
    let endless = try RawClient(path)
    endless.send(chunked)
    var sent = 0
    while sent < 1000, endless.send(piece) { sent += 1 }
    #expect(sent < 300)
    #expect(try LocalClient(unixSocket: path).get("/").status == 200)
    server.stop()
  }

  @Test func theSocketIsItsOwnersWhateverTheUmask() async throws {
    // The umask is the whole process's: a process of its own keeps it from other tests.
    await #expect(processExitsWith: .success) {
      umask(0)
      let folder = try TemporaryFolder()
      let server = try HTTPServer(unixSocket: folder.path("socket")) { _ in .plain("", status: 200) }
      #expect(folder.mode("socket") == 0o600)
      server.stop()
      #expect(folder.names == [])
      // Once more does nothing.
      server.stop()
    }
  }

  @Test func aDeadServersSocketIsReplacedAndNothingElseIs() throws {
    try folder.write("socket", "a file of someone's")
    let error = #expect(throws: HTTPServerError.self) { try echo() }
    #expect(
      error?.message == "Cannot listen on '\(path)': something else has that name. Move it away.")
    unsafe unlink(path)
    let first = try echo()
    let second = try echo()
    // The first one leaves the second one's socket alone.
    first.stop()
    #expect(try LocalClient(unixSocket: path).get("/").status == 200)
    second.stop()
    #expect(folder.names == [])
  }

  @Test func aPathMayBeLongerThanASocketsAddress() throws {
    let deep = folder.path + "/" + String(repeating: "d", count: 200)
    unsafe mkdir(deep, 0o700)
    let long = deep + "/" + String(repeating: "s", count: 200)
    let server = try echo(long)
    #expect(try LocalClient(unixSocket: long).get("/").status == 200)
    server.stop()
    #expect(throws: LocalClientError.self) { try LocalClient(unixSocket: long).get("/") }
  }

  @Test func aFolderThatIsNotThereIsSaidToBe() throws {
    let error = #expect(throws: HTTPServerError.self) { try echo(folder.path("none/socket")) }
    #expect(error?.code == .cannotListen)
    #expect(
      error?.message.hasSuffix("no such file or directory. The folder must exist and have room.") == true)
  }

  @Test func hostileClientsNeitherStopNorBlockIt() throws {
    let server = try echo()
    for request in [
      "", "\r\n\r\n", "GET", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
      "GET /%zz%00%ff HTTP/1.1\r\nHost: x\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n",
      "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\n",
    ] {
      let client = try RawClient(path)
      client.send(request)
    }
    let huge = try RawClient(path)
    huge.send("GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n")
    huge.read(until: "\r\n\r\n")
    #expect(huge.status == "431" || huge.status == "413")
    #expect(try LocalClient(unixSocket: path).get("/").status == 200)
    server.stop()
  }

  @Test func aCrowdThatSaysNothingIsTurnedAwayInTime() throws {
    let server = try echo()
    // More than are served at once; the others wait in the queue of the socket.
    let crowd = try (0..<(HTTPServer.maximumClients + 20)).map { _ in try RawClient(path) }
    for client in crowd { client.send("GET / HT") }
    #expect(try LocalClient(unixSocket: path).get("/", patience: 30_000).status == 200)
    #expect(crowd[0].read(until: nil))
    server.stop()
  }
}
