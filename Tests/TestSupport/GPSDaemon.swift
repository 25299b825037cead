internal import Glibc
internal import Synchronization

/// A real gpsd of a test's own, on a port that nobody else has.
public final class GPSDaemon: Sendable {
  /// Its port on 127.0.0.1.
  public let port: Int

  private let folder: TemporaryFolder
  private let process = Mutex<pid_t>(0)

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
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // Whatever else is open here is none of its business: by the ends of pipes others see that a program has ended.
    for descriptor in 3..<min(1024, Int32(sysconf(Int32(_SC_OPEN_MAX)))) {
      unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    // The threads of tests block signals, which it would inherit.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // Its segment of shared memory would outlast it: every daemon of the tests has the same one.
    var environment = unsafe [strdup("GPSD_SHM_KEY=0x46454e43"), nil]
    defer { unsafe free(environment[0]) }
    var child = pid_t()
    let code = unsafe posix_spawn(&child, program, &actions, &attributes, &arguments, &environment)
    guard code == 0 else {
      errno = code
      throw SystemTrouble("gpsd")
    }
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
      defer { process = 0 }
      return process
    }
    guard child > 0 else { return }
    kill(child, SIGTERM)
    // One that is held would never hear of it.
    kill(child, SIGCONT)
    for _ in 0..<500 {
      if waitpid(child, nil, WNOHANG) != 0 { return }
      usleep(10_000)
    }
    kill(child, SIGKILL)
    _ = waitpid(child, nil, 0)
  }

  /// Keeps it from running on, or lets it run on; its connections stay.
  ///
  /// - Parameter isHeld: Whether it stands still.
  public func hold(_ isHeld: Bool) {
    process.withLock { process in
      if process > 0 { kill(process, isHeld ? SIGSTOP : SIGCONT) }
    }
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
