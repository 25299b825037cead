internal import Glibc
internal import Synchronization

/// A real gpsd of a test's own, on a port that nobody else has.
public final class GPSDaemon: Sendable {
  /// Its port on 127.0.0.1.
  public let port: Int

  private let folder: TemporaryFolder
  private let process = Mutex<ChildProcess?>(nil)

  /// Whether gpsd is installed.
  public static var isInstalled: Bool { program != nil }

  private static var program: String? {
    ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd"].first { unsafe access($0, X_OK) == 0 }
  }

  /// Starts a gpsd and waits until it takes clients.
  ///
  /// - Parameter paths: The receivers that it has from the start.
  /// - Throws: ``SystemTrouble`` where it does not run.
  public init(_ paths: String...) throws {
    folder = try TemporaryFolder()
    port = try GPSDaemon.freePort()
    try start(paths)
  }

  deinit {
    stop()
  }

  /// Starts it again.
  ///
  /// - Parameter paths: The receivers that it has from the start.
  /// - Throws: ``SystemTrouble`` where it does not run.
  public func start(_ paths: [String]) throws {
    guard let program = GPSDaemon.program else { throw SystemTrouble("gpsd") }
    let control = folder.path("control")
    _ = unsafe unlink(control)
    let words = [program, "-N", "-n", "-b", "-F", control, "-S", String(port)] + paths
    // Its segment of shared memory would outlast it: every daemon of the tests has the same one.
    let child = try ChildProcess(words, environment: ["GPSD_SHM_KEY": "0x46454e43"])
    process.withLock { $0 = child }
    var isReady = answers
    for _ in 0..<500 where !isReady {
      usleep(10_000)
      isReady = answers
    }
    guard isReady else { throw SystemTrouble("gpsd on port \(port)") }
  }

  /// Ends it.
  public func stop() {
    let child = process.withLock { process in
      defer { process = nil }
      return process
    }
    child?.signal(SIGTERM)
    // One that is held would never hear of it.
    child?.signal(SIGCONT)
    _ = child?.status(within: 5)
  }

  /// Keeps it from running on, or lets it run on; its connections stay.
  ///
  /// - Parameter isHeld: Whether it stands still.
  public func hold(_ isHeld: Bool) {
    process.withLock { $0?.signal(isHeld ? SIGSTOP : SIGCONT) }
  }

  /// Gives it a receiver more, as udev does.
  ///
  /// - Parameter path: Where the receiver is.
  /// - Throws: ``SystemTrouble`` where gpsd cannot be told.
  public func add(_ path: String) throws {
    try tell("+\(path)\r\n")
  }

  /// Takes a receiver away from it, as udev does.
  ///
  /// - Parameter path: Where the receiver is.
  /// - Throws: ``SystemTrouble`` where gpsd cannot be told.
  public func remove(_ path: String) throws {
    try tell("-\(path)\r\n")
  }

  private func tell(_ line: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(folder.path("control").utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let connected = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    var answer = [UInt8](repeating: 0, count: 64)
    guard connected == 0, unsafe write(descriptor, line, line.utf8.count) > 0,
      unsafe read(descriptor, &answer, answer.count) > 0
    else { throw SystemTrouble("gpsd's control socket") }
  }

  private var answers: Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return unsafe Loopback.call(descriptor, port) { unsafe connect($0, $1, $2) } == 0
  }

  /// A port of TCP that nobody uses at the moment.
  ///
  /// - Returns: Its number.
  /// - Throws: ``SystemTrouble`` where there is none.
  public static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard unsafe Loopback.call(descriptor, 0, { unsafe bind($0, $1, $2) }) == 0 else {
      throw SystemTrouble("bind")
    }
    return Loopback.port(of: descriptor)
  }
}
