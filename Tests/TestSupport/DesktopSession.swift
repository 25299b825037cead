internal import FencelineThreads
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A desktop of a test's own: an X server that shows on no screen, a session bus, and a notification server on it.
public final class DesktopSession: Sendable {
  /// The notification servers that are tested with.
  public enum Server: CaseIterable, Sendable {
    case dunst, notificationDaemon

    fileprivate var program: String {
      switch self {
      case .dunst: "/usr/bin/dunst"
      case .notificationDaemon: "/usr/lib/notification-daemon/notification-daemon"
      }
    }

    /// By what its windows are found.
    fileprivate var window: [String] {
      switch self {
      case .dunst: ["--class", "^Dunst$"]
      case .notificationDaemon: ["--name", "^Notification$"]
      }
    }
  }

  private struct Processes {
    var screen: ChildProcess?
    var bus: ChildProcess?
    var server: ChildProcess?
  }

  private let server: Server
  private let folder: TemporaryFolder
  private let processes = Mutex(Processes())
  private let display = Mutex("")

  /// The address of its bus, which stays the same.
  public var address: String { "unix:path=" + folder.path("bus") }

  /// Starts all of it.
  ///
  /// - Parameters:
  ///   - server: Which one; nil for none.
  ///   - options: Lines for dunst's configuration.
  ///   - isActivatable: Whether the bus starts it on demand; then it is not started here.
  /// - Throws: Where one of them does not run.
  public init(_ server: Server? = nil, options: String = "", isActivatable: Bool = false) throws {
    folder = try TemporaryFolder()
    self.server = server ?? .dunst
    try FileManager.default.createDirectory(
      atPath: folder.path("dunst"), withIntermediateDirectories: true)
    try folder.write(
      "dunst/dunstrc",
      "[global]\nnotification_limit = 5\nmouse_left_click = do_action\nmouse_right_click = close_current\n\(options)\n"
    )
    if server != nil { try startScreen() }
    if let server, isActivatable { try install(server.program) }
    try startBus()
    if server != nil, !isActivatable { try startServer() }
  }

  private var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_CONFIG_HOME": folder.path,
      "XDG_RUNTIME_DIR": folder.path, "DISPLAY": display.withLock { $0 },
      "DBUS_SESSION_BUS_ADDRESS": address, "NO_AT_BRIDGE": "1", "LANG": "C.UTF-8",
    ]
  }

  private func startScreen() throws {
    let log = folder.path("display")
    let screen = try ChildProcess(
      ["/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"], output: log)
    processes.withLock { $0.screen = screen }
    try wait("an X server") { folder.text("display").hasSuffix("\n") }
    display.withLock { $0 = ":" + folder.text("display").filter(\.isNumber) }
  }

  /// Lets the bus start a program on demand as the notification server.
  public func install(_ program: String) throws {
    let variables = environment.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    try folder.write(
      "org.freedesktop.Notifications.service",
      "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/usr/bin/env \(variables) \(program)\n")
    if processes.withLock({ $0.bus != nil }) { _ = try ask("ReloadConfig") }
  }

  /// Starts the bus, again perhaps.
  public func startBus() throws {
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
      <servicedir>\(folder.path)</servicedir>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
      <allow own="*"/></policy></busconfig>
      """
    try folder.write("bus.conf", configuration)
    let bus = try ChildProcess(
      ["/usr/bin/dbus-daemon", "--config-file=" + folder.path("bus.conf"), "--nofork", "--nopidfile"],
      environment: environment, error: folder.path("bus.log"))
    processes.withLock { $0.bus = bus }
    try wait("a bus") { try !ask("GetId").isEmpty }
  }

  /// Kills the bus; who is connected loses the connection.
  public func killBus() {
    let bus = processes.withLock { processes in
      defer { processes.bus = nil }
      return processes.bus
    }
    bus?.signal(SIGKILL)
    _ = bus?.status(within: 5)
    unsafe unlink(folder.path("bus"))
  }

  /// Keeps the bus, or the server, from running on, or lets it run on.
  public func hold(bus: Bool = false, server: Bool = false, _ isHeld: Bool) {
    processes.withLock { processes in
      if bus { processes.bus?.signal(isHeld ? SIGSTOP : SIGCONT) }
      if server { processes.server?.signal(isHeld ? SIGSTOP : SIGCONT) }
    }
  }

  /// Starts the notification server, again perhaps.
  ///
  /// - Parameter words: Another program that takes its name; nil for the server.
  /// - Throws: Where it does not take the name.
  public func startServer(_ words: [String]? = nil) throws {
    let server = try ChildProcess(
      words ?? [server.program], environment: environment, error: folder.path("server.log"))
    processes.withLock { $0.server = server }
    try wait("a notification server") {
      try ask("NameHasOwner", "string:org.freedesktop.Notifications").contains("true")
    }
  }

  /// What the bus says to a call of its own.
  private func ask(_ method: String, _ arguments: String...) throws -> String {
    try run(
      ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"]
        + ["org.freedesktop.DBus." + method] + arguments)
  }

  /// Kills the notification server.
  public func killServer() {
    let server = processes.withLock { processes in
      defer { processes.server = nil }
      return processes.server
    }
    server?.signal(SIGKILL)
    _ = server?.status(within: 5)
  }

  /// What a program says in this session.
  @discardableResult
  public func run(_ words: String...) throws -> String {
    try run(words)
  }

  /// What a program says in this session.
  public func run(_ words: [String]) throws -> String {
    let file = "said-\(UUID().uuidString)"
    let child = try ChildProcess(
      words, environment: environment, output: folder.path(file), error: folder.path("errors"))
    _ = child.status(within: 20)
    return folder.text(file)
  }

  /// How many notifications dunst has, on the screen or waiting for room there.
  public func count() throws -> Int {
    (Int(try run("dunstctl", "count", "displayed").filter(\.isNumber)) ?? -1)
      + (Int(try run("dunstctl", "count", "waiting").filter(\.isNumber)) ?? 0)
  }

  /// How many windows with notifications are on the screen.
  public func windows() throws -> [String] {
    try run(["xdotool", "search", "--onlyvisible"] + server.window).split(separator: "\n").map(String.init)
  }

  /// Clicks into the first window, as soon as there is one.
  ///
  /// - Parameters:
  ///   - right: How far from its right edge, in pixels.
  ///   - place: How far from its upper edge, or from its lower one where that is negative.
  ///   - button: 1 for the left button of the mouse.
  /// - Throws: Where there is no window.
  public func click(right: Int, _ place: Int, button: Int = 1) throws {
    try wait("a window") { try !windows().isEmpty }
    guard let window = try windows().first else { throw SystemTrouble("a window") }
    var sizes: [String: Int] = [:]
    for line in try run("xdotool", "getwindowgeometry", "--shell", window).split(separator: "\n") {
      let parts = line.split(separator: "=")
      if parts.count == 2 { sizes[String(parts[0])] = Int(parts[1]) }
    }
    guard let width = sizes["WIDTH"], let height = sizes["HEIGHT"] else { throw SystemTrouble("its size") }
    try run(
      "xdotool", "mousemove", "--window", window, String(width - right),
      String(place < 0 ? height + place : place), "click", String(button))
  }

  /// A picture of the screen as PNG, as soon as nothing moves there.
  public func screenshot() throws -> [UInt8] {
    var (last, pictures): ([UInt8], Int) = ([], 0)
    try wait("the screen to rest") {
      pictures += 1
      let file = folder.path("screen-\(pictures).png")
      try run("import", "-window", "root", "-strip", "png:" + file)
      let picture = Array(try Data(contentsOf: URL(filePath: file)))
      defer { last = picture }
      return picture == last
    }
    return last
  }

  /// Waits until something is so, for twenty seconds at most.
  public func wait(_ what: String, until isSo: () throws -> Bool) throws {
    let end = MonotonicClock.now + 20_000
    while try !isSo() {
      guard MonotonicClock.now < end else { throw SystemTrouble("waiting for " + what) }
      usleep(10_000)
    }
  }
}
