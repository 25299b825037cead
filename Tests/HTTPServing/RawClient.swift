import Glibc
import Testing

/// A client that sends what it likes and reads when it likes.
final class RawClient {
  private let descriptor: Int32
  private(set) var received = ""

  /// Connects to a socket with a short path.
  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0, "cannot connect: \(errno)")
  }

  deinit { close(descriptor) }

  /// Sends text; gives up where the server has gone.
  ///
  /// - Returns: Whether all of it was taken.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Says that no more requests will come; answers are read on.
  func endRequests() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads until a text has come, or the end; for ten seconds at most.
  ///
  /// - Returns: Whether it has come.
  @discardableResult
  func read(until text: String?) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while text.map({ !received.contains($0) }) ?? true {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, 10_000) > 0 else { return false }
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return text == nil }
      received += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return true
  }

  /// The status of the answer.
  var status: String {
    String(received.prefix { !$0.isNewline }.split(separator: " ").dropFirst().first ?? "")
  }
}
