import FencelineTestSupport
import FencelineThreads
import Foundation
import Glibc
import Synchronization
import Testing

/// Mounts that nobody else sees, which a child process has made and which go with it.
final class MountNamespace: Sendable {
  /// Whether this machine lets the tests have such: they run as root, and not where that is forbidden.
  static let isAvailable: Bool = {
    guard let child = try? ChildProcess(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]) else {
      return false
    }
    return child.status(within: 20) == 0
  }()

  let folder: TemporaryFolder
  private let keeper: ChildProcess

  /// Begins one.
  ///
  /// - Parameters:
  ///   - script: What a shell does in it: it makes the mounts, writes `ready` to standard output, and stays.
  ///   - folder: Where it works.
  /// - Throws: Where that is not done.
  init(_ script: String, in folder: TemporaryFolder) throws {
    self.folder = folder
    keeper = try ChildProcess(
      ["unshare", "-m", "sh", "-ec", script], in: folder.path, output: folder.path("said"),
      error: folder.path("trouble"))
    for _ in 0..<2000 {
      if folder.text("said").contains("ready\n") { return }
      guard keeper.isRunning else { break }
      usleep(10_000)
    }
    throw SystemTrouble("a namespace of mounts: " + folder.text("trouble"))
  }

  /// The process that keeps it.
  var id: pid_t { keeper.id }

  /// Sends its first process a signal.
  func signal(_ number: Int32) { keeper.signal(number) }

  /// The path by which a file in it is reached from outside.
  func path(_ inside: String) -> String { "/proc/\(keeper.id)/root\(inside)" }

  /// Does something on the calling thread as if in it. The thread stays there: it must be one of the caller's own.
  ///
  /// - Throws: Where the thread cannot go there.
  func enter() throws {
    // The C library shows these to GNU programs alone.
    typealias Unshare = @convention(c) (Int32) -> Int32
    typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
    let all = unsafe dlopen(nil, RTLD_NOW)
    guard let first = unsafe dlsym(all, "unshare"), let second = unsafe dlsym(all, "setns") else {
      throw SystemTrouble("setns")
    }
    let unshare = unsafe unsafeBitCast(first, to: Unshare.self)
    let setns = unsafe unsafeBitCast(second, to: SetNamespace.self)
    let descriptor = unsafe open("/proc/\(keeper.id)/ns/mnt", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    // CLONE_FS: a thread that shares its folders with others must not leave them; CLONE_NEWNS.
    guard descriptor >= 0, unshare(0x200) == 0, setns(descriptor, 0x20000) == 0 else {
      throw SystemTrouble("entering the namespace")
    }
  }
}
