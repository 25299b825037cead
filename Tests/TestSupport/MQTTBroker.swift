internal import Glibc
internal import Synchronization

/// A real mosquitto of a test's own, on a port that nobody else has.
public final class MQTTBroker: Sendable {
  /// Its port on 127.0.0.1.
  public let port: Int
  /// What it keeps, and the certificates.
  public let folder: TemporaryFolder

  private let process = Mutex<ChildProcess?>(nil)

  /// Sets a broker up and starts it. It keeps sessions and retained messages where it is stopped.
  ///
  /// - Parameters:
  ///   - lines: More lines of its configuration; `FOLDER` stands for its folder.
  ///   - files: Files in its folder, by their names.
  /// - Throws: ``SystemTrouble`` where it does not run.
  public init(_ lines: [String] = ["allow_anonymous true"], files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    port = try MQTTBroker.freePort()
    for (name, text) in files { try folder.write(name, text) }
    let settings =
      [
        "user root", "listener \(port) 127.0.0.1", "persistence true", "persistence_location FOLDER/",
        "autosave_interval 1", "autosave_on_changes true", "max_queued_messages 1000000",
        "log_dest file FOLDER/log",
      ] + lines
    try folder.write(
      "conf", settings.map { $0.replacing("FOLDER", with: folder.path) }.joined(separator: "\n") + "\n")
    try start()
  }

  deinit { kill() }

  /// Starts it, again or for the first time, and waits until it takes clients.
  ///
  /// - Throws: ``SystemTrouble`` where it does not run.
  public func start() throws {
    let child = try ChildProcess(
      ["mosquitto", "-c", folder.path("conf")],
      environment: ["PATH": "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"], error: folder.path("error"))
    process.withLock { $0 = child }
    for _ in 0..<1000 where child.isRunning {
      if answers { return }
      usleep(10_000)
    }
    throw SystemTrouble("mosquitto: \(folder.text("error")) \(folder.text("log"))")
  }

  /// Ends it without giving it a chance to do anything more.
  public func kill() { end(SIGKILL) }

  /// Ends it as the system does; it writes down what it keeps.
  public func stop() { end(SIGTERM) }

  private func end(_ signal: Int32) {
    let child = process.withLock { process in
      defer { process = nil }
      return process
    }
    child?.signal(signal)
    // One that is held would never hear of it.
    child?.signal(SIGCONT)
    _ = child?.status(within: 10)
  }

  /// Keeps it from running on, or lets it run on; its connections stay.
  public func hold(_ isHeld: Bool) {
    process.withLock { $0?.signal(isHeld ? SIGSTOP : SIGCONT) }
  }

  /// A port that nobody uses, and that no connection gets by itself while the broker is away for a while.
  private static func freePort() throws -> Int {
    for _ in 0..<100 {
      let port = Int.random(in: 12_000..<32_000)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      if unsafe Loopback.call(descriptor, port, { unsafe bind($0, $1, $2) }) == 0 { return port }
    }
    throw SystemTrouble("bind")
  }

  private var answers: Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return unsafe Loopback.call(descriptor, port) { unsafe connect($0, $1, $2) } == 0
  }

  /// Publishes something by mosquitto_pub, and waits until it has.
  ///
  /// - Parameter words: Its arguments beside the port.
  /// - Throws: ``SystemTrouble`` where it has not.
  public func publish(_ words: String...) throws {
    let child = try ChildProcess(
      ["mosquitto_pub", "-h", "127.0.0.1", "-p", String(port)] + words, error: folder.path("pub-error"))
    guard child.status(within: 20) == 0 else {
      throw SystemTrouble("mosquitto_pub: \(folder.text("pub-error"))")
    }
  }

  /// Begins to listen to topics by mosquitto_sub, and waits until it does.
  ///
  /// - Parameters:
  ///   - topics: Topics, `#` for all.
  ///   - arguments: More of its arguments.
  /// - Returns: What it receives.
  /// - Throws: ``SystemTrouble`` where it does not run.
  public func listen(to topics: String..., arguments: [String] = []) throws -> MQTTListener {
    let name = "sub-\(UInt64.random(in: 0...UInt64.max))"
    let words =
      // What is written to a file would wait until there is more of it.
      [
        "stdbuf", "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", String(port), "-V", "5", "-d", "-F",
        "<%t>%r %p",
      ]
      + topics.flatMap { ["-t", $0] } + arguments
    let child = try ChildProcess(words, output: folder.path(name), error: folder.path(name + "-error"))
    let listener = MQTTListener(child, folder, name)
    for _ in 0..<1000 {
      if folder.text(name).contains("Subscribed") { return listener }
      usleep(10_000)
    }
    throw SystemTrouble("mosquitto_sub: \(folder.text(name)) \(folder.text(name + "-error"))")
  }

  /// Makes an authority, and by it certificates for 127.0.0.1 and for a client: `ca.pem`, `server.pem`, `server.key`, `client.pem` and `client.key`
  /// in a folder.
  ///
  /// - Throws: ``SystemTrouble`` where openssl does not.
  public static func certificates(in folder: TemporaryFolder) throws {
    func openssl(_ line: String) throws {
      let words = ["openssl"] + line.split(separator: " ").map(String.init)
      let child = try ChildProcess(words, in: folder.path, error: folder.path("openssl-error"))
      guard child.status(within: 60) == 0 else {
        throw SystemTrouble("openssl: \(folder.text("openssl-error"))")
      }
    }
    let new = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    try openssl("req -x509 \(new) -keyout ca.key -out ca.pem -subj /CN=Authority")
    for name in ["server", "client"] {
      try openssl("req \(new) -keyout \(name).key -out \(name).csr -subj /CN=\(name)")
      try folder.write("\(name).ext", "subjectAltName=IP:127.0.0.1\n")
      try openssl(
        "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile \(name).ext -out \(name).pem"
      )
    }
  }
}

/// What a mosquitto_sub has received.
public final class MQTTListener: Sendable {
  private let process: ChildProcess
  private let folder: TemporaryFolder
  private let name: String

  init(_ process: ChildProcess, _ folder: TemporaryFolder, _ name: String) {
    self.process = process
    self.folder = folder
    self.name = name
  }

  /// Every message so far, in order: topic, whether it was retained, and text.
  public var messages: [(topic: String, isRetained: Bool, text: String)] {
    folder.text(name).split(separator: "\n").compactMap { line in
      guard line.first == "<", let end = line.firstIndex(of: ">") else { return nil }
      let rest = line[line.index(after: end)...]
      return (String(line[..<end].dropFirst()), rest.first == "1", String(rest.dropFirst(2)))
    }
  }

  /// The texts of all messages on a topic.
  public func texts(on topic: String) -> [String] {
    messages.filter { $0.topic == topic }.map(\.text)
  }

  /// Waits until something is so.
  ///
  /// - Returns: Whether it became so within half a minute.
  public func waits(until condition: (MQTTListener) -> Bool) -> Bool {
    for _ in 0..<3000 {
      if condition(self) { return true }
      usleep(10_000)
    }
    return false
  }
}
