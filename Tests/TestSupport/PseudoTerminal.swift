internal import Glibc
internal import Synchronization

/// A serial line: what a test writes to it comes out at ``path``, as it would from a receiver.
///
/// It can be pulled out and plugged in again; the path stays the same.
public final class PseudoTerminal: Sendable {
  /// Where the other end is.
  public let path: String

  private let folder: TemporaryFolder
  private let master = Mutex<Int32>(-1)

  /// A line that is plugged in.
  ///
  /// - Parameter name: The last part of its path.
  /// - Throws: ``SystemTrouble`` where the system gives none.
  public init(_ name: String = "ttyGPS") throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    try plugIn()
  }

  deinit {
    pullOut()
  }

  /// Pulls it out: whoever reads the other end sees that it is gone.
  public func pullOut() {
    master.withLock { master in
      if master >= 0 { close(master) }
      master = -1
    }
    _ = unsafe unlink(path)
  }

  /// Plugs it in.
  ///
  /// - Throws: ``SystemTrouble`` where the system gives no pseudo-terminal.
  public func plugIn() throws {
    pullOut()
    // posix_openpt, unlockpt and ptsname are no part of what Swift sees of the C library; this is what they do.
    let descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard descriptor >= 0, unsafe ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
      unsafe ioctl(descriptor, 0x8004_5430, &number) == 0
    else { throw SystemTrouble("/dev/ptmx") }
    let name = "/dev/pts/\(number)"
    // gpsd has given up its rights when it opens it again. Bytes pass as they are, and are not sent back.
    let other = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var settings = termios()
    guard other >= 0, unsafe tcgetattr(other, &settings) == 0 else { throw SystemTrouble("open") }
    unsafe cfmakeraw(&settings)
    unsafe tcsetattr(other, TCSANOW, &settings)
    close(other)
    guard unsafe chmod(name, 0o666) == 0, unsafe symlink(name, path) == 0 else {
      throw SystemTrouble("symlink")
    }
    master.withLock { $0 = descriptor }
  }

  /// Writes; what nobody reads is lost when the line is full.
  ///
  /// - Parameter bytes: What to write.
  public func write(_ bytes: [UInt8]) {
    master.withLock { master in
      var rest = bytes[...]
      while master >= 0, !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(master, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Writes text.
  ///
  /// - Parameter text: What to write.
  public func write(_ text: String) {
    write(Array(text.utf8))
  }
}

/// A call to the system that a test relies on and that has failed.
public struct SystemTrouble: Error, CustomStringConvertible {
  /// What was called and what the system says.
  public let description: String

  /// What the system has just said of a call.
  ///
  /// - Parameter call: Its name.
  public init(_ call: String) {
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? ""
    description = "\(call): \(reason)"
  }
}
