internal import Glibc

/// The few calls into the C library, all of this module's pointers among them.
package enum System {
  /// A variable of the environment; nil where it is not set or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Columns of the terminal behind a descriptor, 0 if it does not tell; nil if there is no terminal.
  static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return 0 }
    return Int(size.ws_col)
  }

  /// Writes some of the bytes.
  ///
  /// - Returns: How many, or the negated `errno`.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
    while true {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another program has made the terminal that we share non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
      default: return -Int(errno)
      }
    }
  }

  static let brokenPipe = EPIPE

  /// What the system calls an error, in lower case: `no space left on device`.
  static func message(for code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    let message = unsafe String(cString: text)
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}
