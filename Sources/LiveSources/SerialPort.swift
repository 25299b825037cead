import Glibc

/// A serial port that a receiver writes to.
enum SerialPort {
  /// Speeds in bits a second, as termios calls them.
  private static let speeds: [Int: speed_t] = [
    4_800: speed_t(B4800), 9_600: speed_t(B9600), 19_200: speed_t(B19200), 38_400: speed_t(B38400),
    57_600: speed_t(B57600), 115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800),
  ]

  /// The speeds that there are, in bits a second.
  static var allSpeeds: [Int] { speeds.keys.sorted() }

  /// Opens the port, for this process alone, and lets bytes through as they are.
  ///
  /// - Parameters:
  ///   - path: A terminal device.
  ///   - baud: One of ``allSpeeds``.
  /// - Returns: A descriptor that never blocks.
  /// - Throws: `OpeningFailure`, which ``explanation(_:_:)`` puts into words.
  static func open(_ path: String, baud: Int) throws(OpeningFailure) -> Int32 {
    // It neither waits for a modem nor becomes the terminal that controls this process.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw OpeningFailure(errno) }
    do throws(OpeningFailure) {
      var settings = termios()
      guard unsafe tcgetattr(descriptor, &settings) == 0 else { throw OpeningFailure(errno) }
      // Another fenceline would take every second byte away; gpsd locks it by other means, which opening has seen.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw OpeningFailure(errno == EWOULDBLOCK ? EBUSY : errno)
      }
      unsafe cfmakeraw(&settings)
      settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
      settings.c_cflag &= ~tcflag_t(CRTSCTS)
      if let speed = speeds[baud] { unsafe cfsetspeed(&settings, speed) }
      guard unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0 else { throw OpeningFailure(errno) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// What is wrong with a port and what to do.
  static func explanation(_ failure: OpeningFailure, _ path: String) -> String {
    switch failure.code {
    case ENOENT, ENXIO, ENODEV, ENOTDIR: "there is no such device. Plug the receiver in, or check the path."
    case EACCES, EPERM:
      "you are not allowed to. Type 'sudo usermod -aG dialout $USER' and log in again."
    case EBUSY:
      "another program reads it. End that one; if it is gpsd, read from gpsd instead: 'gpsd://localhost\(path)'."
    case ENOTTY, EINVAL: "it is no serial port. Name one such as /dev/ttyUSB0."
    default: "\(failure.reason). Plug the receiver in again."
    }
  }
}
