import Glibc
import FencelineTestSupport
import Synchronization
import Testing

/// A server of a test's own on 127.0.0.1, which writes to the client that came last.
final class SampleServer: Sendable {
  let port: Int
  private let listener: Int32
  private let clients = Mutex<[Int32]>([])

  init(backlog: Int32 = 8, port wanted: Int = 0) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let bound = unsafe Loopback.call(listener, wanted) { unsafe bind($0, $1, $2) }
    try #require(listener >= 0 && bound == 0)
    try #require(listen(listener, backlog) == 0)
    port = Loopback.port(of: listener)
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
  }

  deinit {
    hangUp()
    close(listener)
  }

  /// Waits for the next client.
  func accept() async throws {
    for _ in 0..<2_000 {
      let client = Glibc.accept(listener, nil, nil)
      if client >= 0 {
        // A gpsd that another test starts would keep it open.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return clients.withLock { $0.append(client) }
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw SystemTrouble("accept")
  }

  func write(_ bytes: [UInt8]) {
    clients.withLock { clients in
      if let client = clients.last {
        _ = unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// Ends every connection.
  func hangUp() {
    clients.withLock { clients in
      for client in clients { close(client) }
      clients = []
    }
  }
}

/// A client of a test's own.
final class SampleClient: Sendable {
  private let descriptor: Int32

  /// Connects to a port on 127.0.0.1, or begins to.
  init(_ port: Int, kind: __socket_type = SOCK_STREAM) throws {
    descriptor = socket(
      AF_INET, Int32(kind.rawValue) | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(descriptor >= 0)
    _ = unsafe Loopback.call(descriptor, port) { unsafe connect($0, $1, $2) }
  }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    var tries = 0
    while unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0, tries < 1_000 {
      tries += 1
      usleep(1_000)
    }
  }

  /// All that has come so far.
  func read() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return all }
      all += buffer[..<count]
    }
  }

  func close() {
    Glibc.close(descriptor)
  }
}
