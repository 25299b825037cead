internal import Glibc

/// An IP address, to tell whether it leads away from this machine.
package struct InternetAddress: Hashable, Sendable {
  /// 4 or 16 bytes, as they go over the network.
  package let bytes: [UInt8]

  /// An address of 4 or 16 bytes; nil for any other number.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// What people write: `192.0.2.1`, `2001:db8::1`. Nil where it is none; a zone is none.
  package init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
      self.bytes = Array(bytes[..<4])
    } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
      self.bytes = bytes
    } else {
      return nil
    }
  }

  /// Whether it is this machine, or something on the same link that no router leads to: loopback, unspecified or link-local, also within
  /// IPv6 addresses that stand for one of IPv4.
  ///
  /// - Source: RFC 6890, tables 1-20; RFC 4291, 2.5.5 (IPv4 within IPv6); RFC 6052 (64:ff9b::/96); RFC 3056 (2002::/16).
  package var isLocal: Bool {
    if bytes.count == 4 { return Self.isLocal(v4: bytes[...]) }
    if bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 { return true }
    let zeros = bytes.prefix { $0 == 0 }.count
    // ::, ::1 and all that stands for an address of IPv4, in the old form and in the one of today.
    if zeros >= 12 { return bytes[12...] == [0, 0, 0, 1] || Self.isLocal(v4: bytes[12...]) }
    if zeros == 10, bytes[10...11] == [0xff, 0xff] { return Self.isLocal(v4: bytes[12...]) }
    if bytes[..<12] == [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0] {
      return Self.isLocal(v4: bytes[12...])
    }
    if bytes[..<2] == [0x20, 0x02] { return Self.isLocal(v4: bytes[2..<6]) }
    return false
  }

  private static func isLocal(v4 bytes: ArraySlice<UInt8>) -> Bool {
    let first = bytes[bytes.startIndex]
    return first == 0 || first == 127 || first == 169 && bytes[bytes.startIndex + 1] == 254
  }

  /// Whether it is this machine itself.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }
}
