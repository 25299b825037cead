import FencelineHTTPCalling
import FencelineHTTPServing
import FencelineTestSupport
import Glibc
import Testing

@Suite("Local client") struct LocalClientTests {
  let folder: TemporaryFolder
  var path: String { folder.path("socket") }

  init() throws { folder = try TemporaryFolder() }

  private func code(_ body: () throws -> Void) -> LocalClientError.Code? {
    do { try body() } catch let error as LocalClientError { return error.code } catch {}
    return nil
  }

  @Test func whereNobodyListensItSaysSo() throws {
    let client = LocalClient(unixSocket: path)
    #expect(code { _ = try client.get("/") } == .nobodyListens)
    #expect(code { try client.events("/") { _ in true } } == .nobodyListens)
    // A socket that someone has left behind.
    try listen { descriptor in
      close(descriptor)
      #expect(code { _ = try client.get("/") } == .nobodyListens)
    }
    // No socket at all.
    unsafe unlink(path)
    try folder.write("socket", "")
    #expect(code { _ = try client.get("/") } == .nobodyListens)
    #expect(code { _ = try LocalClient(unixSocket: path + "/below").get("/") } == .nobodyListens)
  }

  @Test func whoListensAndDoesNotAnswerIsNotWaitedForForEver() throws {
    try listen { descriptor in
      let client = LocalClient(unixSocket: path)
      #expect(code { _ = try client.get("/", patience: 100) } == .noAnswer)
      close(descriptor)
    }
  }

  @Test func anAnswerThatIsNoHTTPIsAFault() throws {
    for answer in ["nonsense\r\n\r\n", "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"] {
      try listen { descriptor in
        let server = BackgroundThread {
          let client = accept(descriptor, nil, nil)
          var request = [UInt8](repeating: 0, count: 4096)
          _ = unsafe recv(client, &request, request.count, 0)
          _ = unsafe send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
          close(client)
        }
        let client = LocalClient(unixSocket: path)
        #expect(code { _ = try client.get("/") } == .fault, "\(answer)")
        server.join()
        close(descriptor)
      }
      unsafe unlink(path)
    }
  }

  @Test func aProxyInTheEnvironmentIsNotAsked() throws {
    let server = try HTTPServer(unixSocket: path) { _ in .plain("here", status: 200) }
    unsafe setenv("http_proxy", "http://127.0.0.1:1", 1)
    defer { unsafe unsetenv("http_proxy") }
    #expect(try LocalClient(unixSocket: path).get("/").status == 200)
    server.stop()
  }

  @Test func anAnswerWithoutEndIsCutOff() throws {
    let size = LocalClient.maximumBody
    let server = try HTTPServer(unixSocket: path) { request in
      .body(
        status: 200, type: "text/plain",
        [UInt8](repeating: 32, count: request.path == "/most" ? size : size + 1))
    }
    let client = LocalClient(unixSocket: path)
    #expect(try client.get("/most").body.count == size)
    #expect(code { _ = try client.get("/more") } == .fault)
    server.stop()
  }

  @Test func whatIsPostedArrivesWhole() throws {
    let server = try HTTPServer(unixSocket: path) { request in
      .body(
        status: request.method == "POST" ? 201 : 405, type: request.headers["content-type"] ?? "",
        request.body)
    }
    let client = LocalClient(unixSocket: path)
    // An empty one, one with a byte that ends C's texts, and the longest that a server takes.
    for body in ["", "{\"a\":\"\0ü\"}", String(repeating: "x", count: HTTPRequest.maximumBody)] {
      let answer = try client.post("/a?b", body)
      #expect(answer.status == 201 && answer.body == Array(body.utf8))
    }
    #expect(try client.post("/a", String(repeating: "x", count: HTTPRequest.maximumBody + 1)).status == 413)
    server.stop()
    #expect(code { _ = try client.post("/", "") } == .nobodyListens)
  }

  private func listen(_ body: (Int32) throws -> Void) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && Glibc.listen(descriptor, 8) == 0)
    try body(descriptor)
  }
}
