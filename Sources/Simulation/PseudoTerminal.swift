internal import Glibc

/// A pseudo-terminal that looks like a receiver on a serial line.
///
/// It stays when a reader closes it and is opened again, as a cable does; what nobody reads is lost.
package final class PseudoTerminal {
  /// Why there is none.
  package struct Failure: Error, Equatable {
    /// A sentence that names what could not be made and says what to do.
    package var message: String
  }

  /// The device that a reader opens.
  package let path: String
  private let link: String?
  private let master: Int32
  /// Kept open, since the last reader that closes it would hang the line up.
  private let line: Int32

  /// Makes a pseudo-terminal that everyone may open, as gpsd has given up its rights before it opens a device again.
  ///
  /// - Parameter link: Where a symbolic link to it is to stand; one that is there already is replaced, a file is not.
  /// - Throws: ``Failure``.
  package init(link: String?) throws(Failure) {
    var (master, line): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard unsafe openpty(&master, &line, &name, nil, nil) == 0 else {
      throw Failure(message: "Cannot make a pseudo-terminal: \(Self.reason). Is /dev/pts mounted?")
    }
    let path = Self.text(name.prefix { $0 != 0 })
    guard fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK) == 0, Self.makeRaw(line),
      unsafe chmod(path, 0o666) == 0
    else { throw Failure(message: "Cannot use the pseudo-terminal '\(path)': \(Self.reason).") }
    if let link {
      if Self.isLink(link) { unsafe unlink(link) }
      guard unsafe symlink(path, link) == 0 else {
        throw Failure(message: "Cannot make the link '\(link)': \(Self.reason). Name another place.")
      }
    }
    self.master = master
    self.line = line
    self.path = path
    self.link = link
  }

  deinit {
    if let link, target(of: link) == path { unsafe unlink(link) }
    close(line)
    close(master)
  }

  /// Sends bytes. Where the line is full nobody reads: what was sent before is dropped, as on a wire.
  package func send(_ text: String) {
    discardInput()
    var rest = Array(text.utf8)[...]
    var hasFlushed = false
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        guard !hasFlushed else { return }
        hasFlushed = true
        tcflush(line, TCIFLUSH)
      }
    }
  }

  /// gpsd asks the receiver what it is; nobody answers.
  private func discardInput() {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while unsafe read(master, &bytes, bytes.count) > 0 {}
  }

  private static func makeRaw(_ line: Int32) -> Bool {
    var settings = termios()
    guard unsafe tcgetattr(line, &settings) == 0 else { return false }
    unsafe cfmakeraw(&settings)
    return unsafe tcsetattr(line, TCSANOW, &settings) == 0
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 128)
    let count = unsafe readlink(link, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return Self.text(bytes[..<count])
  }

  private static func text(_ bytes: ArraySlice<CChar>) -> String {
    String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static var reason: String {
    let text = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

@available(*, unavailable)
extension PseudoTerminal: Sendable {}
