import FencelineTestSupport
import Glibc

/// Sends datagrams to a port of this machine.
final class DatagramSender {
  private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)

  /// - Throws: ``SystemTrouble`` where there is no such port.
  init(to port: Int) throws {
    guard unsafe Loopback.call(descriptor, port, { unsafe connect($0, $1, $2) }) == 0 else {
      throw SystemTrouble("connect")
    }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.send(descriptor, bytes, bytes.count, 0)
  }
}
