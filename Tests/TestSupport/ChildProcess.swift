internal import Dispatch
public import Glibc
internal import Synchronization

/// A program that a test has started. It inherits nothing of the tests but the folder in which it works: no descriptor below 1,024, by whose end
/// others would see that a program has ended, and no signals that are blocked or ignored.
///
/// It is waited for as soon as it ends, and it goes with this object, with all that it has started.
public final class ChildProcess: Sendable {
  /// Its process id, and that of its group.
  public let id: pid_t

  private let end: End

  /// More than tests ever have open.
  private static let mostDescriptors = max(3, min(1024, Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))))

  /// How it has ended, once it has.
  private final class End: Sendable {
    let status = Mutex<Int32?>(nil)
    let signal = DispatchSemaphore(value: 0)
  }

  /// Starts a program. It reads nothing, and writes to files.
  ///
  /// - Parameters:
  ///   - words: The program, which is looked for in `PATH` where it is no path, and its arguments.
  ///   - environment: All of its variables; nil for those of the tests.
  ///   - folder: Where it works; nil for where the tests do.
  ///   - output: The file for its standard output.
  ///   - error: The file for its standard error.
  /// - Throws: ``SystemTrouble`` where it cannot be started.
  public init(
    _ words: [String], environment: [String: String]? = nil, in folder: String? = nil,
    output: String = "/dev/null", error: String = "/dev/null"
  ) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, file) in [(0, "/dev/null"), (1, output), (2, error)] as [(Int32, String)] {
      unsafe posix_spawn_file_actions_addopen(
        &actions, descriptor, file, O_RDWR | O_CREAT | O_APPEND | O_NOCTTY, 0o600)
    }
    for descriptor in 3..<ChildProcess.mostDescriptors {
      unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    let words = (folder.map { ["/usr/bin/env", "--chdir", $0] } ?? []) + words
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables = unsafe (environment ?? [:]).map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var child = pid_t()
    let code = unsafe variables.withUnsafeMutableBufferPointer { variables in
      unsafe posix_spawnp(
        &child, words[0], &actions, &attributes, &arguments,
        environment == nil ? environ : variables.baseAddress)
    }
    guard code == 0 else {
      errno = code
      throw SystemTrouble(words[0])
    }
    id = child
    end = End()
    BackgroundThread { [end, id] in
      var information = unsafe siginfo_t()
      while unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
      end.status.withLock { status in
        // What it has left running goes with it, as long as its number is its own.
        kill(-id, SIGKILL)
        var word: Int32 = 0
        _ = unsafe waitpid(id, &word, 0)
        status = word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F
      }
      end.signal.signal()
    }.detach()
  }

  deinit {
    end.status.withLock { status in
      if status == nil { kill(-id, SIGKILL) }
    }
    _ = status(within: 10)
  }

  /// Whether it has not ended.
  public var isRunning: Bool { end.status.withLock { $0 == nil } }

  /// Sends it a signal, if it still runs.
  ///
  /// - Parameter number: Which one.
  public func signal(_ number: Int32) {
    end.status.withLock { status in
      if status == nil { kill(id, number) }
    }
  }

  /// Waits for the end.
  ///
  /// - Parameter seconds: For how long at most.
  /// - Returns: The exit status, or 128 and the number of the signal that has ended it, as shells say it; nil where it still runs.
  public func status(within seconds: Double) -> Int32? {
    if end.signal.wait(timeout: .now() + seconds) == .success { end.signal.signal() }
    return end.status.withLock { $0 }
  }
}
