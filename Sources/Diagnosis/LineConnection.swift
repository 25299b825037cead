internal import Glibc

/// A connection that gives lines, and never waits for longer than it is told.
final class LineConnection {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Why there is no connection.
  struct Refusal: Error {
    /// The system's words, in lower case.
    var reason: String
  }

  /// Connects over TCP.
  ///
  /// - Parameters:
  ///   - host: A name or an address; looking a name up may take as long as the system's resolver does.
  ///   - port: A number.
  ///   - seconds: How long to wait for each address of the host.
  /// - Throws: ``Refusal``.
  init(host: String, port: String, within seconds: Double) throws(Refusal) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, port, &hints, &list)
    guard result == 0 else {
      let text = unsafe gai_strerror(result).map { unsafe String(cString: $0) } ?? "unknown host"
      throw Refusal(reason: text.prefix(1).lowercased() + text.dropFirst())
    }
    defer { unsafe freeaddrinfo(list) }
    var last: Int32 = ECONNREFUSED
    var next = unsafe list
    while let address = unsafe next {
      let descriptor = unsafe LineConnection.connect(address.pointee, seconds)
      if descriptor >= 0 {
        self.descriptor = descriptor
        return
      }
      last = -descriptor
      unsafe next = address.pointee.ai_next
    }
    throw Refusal(reason: systemMessage(last))
  }

  deinit { close(descriptor) }

  /// - Returns: A descriptor, or the negated number of the error.
  private static func connect(_ address: addrinfo, _ seconds: Double) -> Int32 {
    let type = unsafe address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = unsafe socket(address.ai_family, type, address.ai_protocol)
    guard descriptor >= 0 else { return -errno }
    if unsafe Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
    var number = errno
    if number == EINPROGRESS {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      number = ETIMEDOUT
      if unsafe poll(&request, 1, Int32(seconds * 1000)) > 0 {
        var size = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
      }
    }
    guard number != 0 else { return descriptor }
    close(descriptor)
    return -number
  }

  /// Sends a line that fits into the system's buffer.
  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// The next line.
  ///
  /// - Parameter deadline: In seconds of ``now``.
  /// - Returns: The line without its end; nil where none comes in time.
  func line(until deadline: Double) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return Array(buffer[..<end])
      }
      let rest = deadline - LineConnection.now
      // A line of gpsd's has 10 KB at most.
      guard rest > 0, buffer.count < 1 << 20 else { return nil }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, Int32(rest * 1000) + 1) > 0 else { return nil }
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      buffer += chunk[..<count]
    }
  }

  /// Monotonic seconds.
  static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
