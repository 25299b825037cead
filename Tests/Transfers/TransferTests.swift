import CFencelineCurl
import FencelineTestSupport
import FencelineTransfers
import Glibc
import Testing

/// What a name leads to is only known when a connection is made.
@Suite("Transfer", .timeLimit(.minutes(1))) struct TransferTests {
  /// A server that counts its connections and says that there is nothing.
  private final class Server: Sendable {
    let descriptor: Int32
    let port: Int
    init() throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      try #require(unsafe Loopback.call(descriptor, 0, { unsafe bind($0, $1, $2) }) == 0)
      try #require(listen(descriptor, 8) == 0)
      port = Loopback.port(of: descriptor)
    }
    deinit { close(descriptor) }

    /// Answers one request.
    func answer() {
      let client = accept(descriptor, nil, nil)
      var request = [UInt8](repeating: 0, count: 4096)
      _ = unsafe recv(client, &request, request.count, 0)
      let answer = "HTTP/1.1 204 Nothing\r\n\r\n"
      _ = unsafe send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
      close(client)
    }

    /// Whether nobody waits to be let in.
    var isUnasked: Bool {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&request, 1, 0) == 0
    }
  }

  private func trouble(_ transfer: Transfer, _ server: Server, leadingTo address: String, refusing: Bool)
    -> TransferError?
  {
    transfer.reset(refusesLocal: refusing)
    transfer.set(CURLOPT_URL, "http://rebound.example:\(server.port)/")
    // As if a name server had said so.
    transfer.set(
      CURLOPT_RESOLVE, ["-rebound.example:\(server.port)", "rebound.example:\(server.port):\(address)"])
    transfer.set(CURLOPT_TIMEOUT_MS, 5000)
    transfer.set(CURLOPT_CONNECTTIMEOUT_MS, 100)
    do throws(TransferError) {
      try transfer.finish("server", connectLimit: 100, timeLimit: 5000)
      return nil
    } catch { return error }
  }

  @Test func aNameThatLeadsHereIsRefusedWhenItIsConnectedTo() throws {
    let server = try Server()
    let transfer = try #require(Transfer())
    let thread = BackgroundThread { server.answer() }
    // Where it is allowed it works, so it is not the name that is refused.
    #expect(trouble(transfer, server, leadingTo: "127.0.0.1", refusing: false) == nil)
    thread.join()
    // It led away first (nobody has the addresses of documentation), and then here.
    let away = try #require(trouble(transfer, server, leadingTo: "192.0.2.1", refusing: true))
    #expect(away.code != .localTarget)
    for address in ["127.0.0.1", "127.0.0.2", "[::ffff:127.0.0.1]", "[::1]", "169.254.169.254", "0.0.0.0"] {
      let here = try #require(trouble(transfer, server, leadingTo: address, refusing: true), "\(address)")
      #expect(here.code == .localTarget, "\(address): \(here)")
      #expect(here.message.contains("--allow-local"))
    }
    #expect(server.isUnasked)
  }
}
