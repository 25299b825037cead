public import Glibc

/// Addresses on 127.0.0.1.
public enum Loopback: Sendable {
  /// Calls `use` with a socket and the address of a port, as `bind` and `connect` want them.
  ///
  /// - Parameters:
  ///   - descriptor: A socket of IPv4.
  ///   - port: The port; 0 for any.
  ///   - use: What to call.
  /// - Returns: What `use` does.
  public static func call(
    _ descriptor: Int32, _ port: Int, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe use(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// The port that a socket has.
  ///
  /// - Parameter descriptor: A socket of IPv4.
  /// - Returns: Its port; 0 where it has none.
  public static func port(of descriptor: Int32) -> Int {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
