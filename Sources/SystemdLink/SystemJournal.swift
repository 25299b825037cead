internal import CFencelineSystemd
internal import Glibc

/// systemd's journal.
package enum SystemJournal {
  /// Whether somebody can take entries now.
  package enum Readiness: Hashable, Sendable {
    case ready
    /// It has not read what was sent before: another entry would have to wait.
    case busy
    /// There is none; a sentence says why.
    case missing(String)
  }

  /// Where it takes entries.
  ///
  /// - Source: systemd, Native Journal Protocol.
  private static let socketPath = "/run/systemd/journal/socket"

  /// Asks whether there is a journal that takes entries: libsystemd says nothing where there is none, and waits for one that hangs.
  ///
  /// - Parameter milliseconds: How long to wait for one that is busy.
  /// - Returns: How it is.
  package static func readiness(within milliseconds: Int32) -> Readiness {
    let descriptor = connected()
    guard descriptor >= 0 else { return .missing(sentence(-descriptor)) }
    defer { close(descriptor) }
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0 ? .ready : .busy
  }

  /// A socket that is connected with the journal; negative, the number of the system's error, where there is none.
  private static func connected() -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return -errno }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: socketPath.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, size)
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      return -code
    }
    return descriptor
  }

  private static func sentence(_ code: Int32) -> String {
    let reason =
      switch code {
      case ENOENT, ECONNREFUSED: "it does not run"
      default: unsafe strerror(code).map { unsafe String(cString: $0).lowercased() } ?? "error \(code)"
      }
    return "Cannot write to systemd's journal: \(reason). See 'systemctl status systemd-journald'."
  }

  /// Sends an entry without waiting, and says where nobody is there to take it: ``write(_:)`` does not, and a journal that was
  /// ``Readiness/ready`` may have gone.
  ///
  /// An entry that is too long for a datagram goes by ``write(_:)``.
  ///
  /// - Parameter fields: Its fields by their names: capital letters, digits and underscores.
  /// - Returns: 0, or the number of the system's error: `EAGAIN` where it would have to wait.
  /// - Source: systemd, Native Journal Protocol.
  package static func send(_ fields: [(name: String, value: String)]) -> Int32 {
    var text: [UInt8] = []
    for (name, value) in fields {
      text += name.utf8
      if value.utf8.contains(UInt8(ascii: "\n")) {
        text.append(UInt8(ascii: "\n"))
        let length = UInt64(value.utf8.count)
        for shift in stride(from: 0, to: 64, by: 8) {
          text.append(UInt8(truncatingIfNeeded: length >> shift))
        }
      } else {
        text.append(UInt8(ascii: "="))
      }
      text += value.utf8
      text.append(UInt8(ascii: "\n"))
    }
    let descriptor = connected()
    guard descriptor >= 0 else { return -descriptor }
    defer { close(descriptor) }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = unsafe text.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
    guard count < 0 else { return 0 }
    return errno == EMSGSIZE || errno == ENOBUFS ? write(fields) : errno
  }

  /// Writes an entry.
  ///
  /// - Parameter fields: Its fields by their names: capital letters, digits and underscores.
  /// - Returns: 0, or the number of the system's error. It is 0 as well where there is no journal at all.
  package static func write(_ fields: [(name: String, value: String)]) -> Int32 {
    var text: [UInt8] = []
    var lengths: [Int] = []
    for (name, value) in fields {
      let field = Array("\(name)=\(value)".utf8)
      text += field
      lengths.append(field.count)
    }
    return unsafe text.withUnsafeMutableBytes { text in
      var pieces: [iovec] = unsafe []
      var start = 0
      for length in lengths {
        unsafe pieces.append(iovec(iov_base: text.baseAddress?.advanced(by: start), iov_len: length))
        start += length
      }
      return unsafe -sd_journal_sendv(pieces, Int32(pieces.count))
    }
  }
}
