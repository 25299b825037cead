internal import Glibc

/// Who holds a lock on the journal, for messages: SQLite itself does not tell.
enum LockHolder {
  /// A holder other than this process, as `fenceline (process 123)`; nil where none is found.
  ///
  /// Locks of a database in WAL mode are on its `-shm` file, those taken while it changes mode on the file itself. The kernel's
  /// list is read rather than the files opened: closing a file drops every lock that this process has on it.
  static func describe(_ path: String) -> String? {
    let inodes = [path, path + "-shm"].compactMap(inode)
    for line in lines(ofFile: "/proc/locks") where !inodes.isEmpty {
      // 1: POSIX  ADVISORY  WRITE 123 fe:00:4567 120 120
      let fields = line.split(separator: " ")
      guard fields.count >= 6, fields[1] == "POSIX", let process = Int32(fields[4]), process != getpid(),
        inodes.contains(where: { fields[5].hasSuffix(":\($0)") })
      else { continue }
      let name = lines(ofFile: "/proc/\(process)/comm").first ?? "another program"
      return "\(name) (process \(process))"
    }
    return nil
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}

/// A process that writes a run, so that a run whose writer is gone can be told from one that is still being written.
enum ProcessMark {
  /// This process.
  static var own: String { mark(of: getpid()) ?? "\(getpid())" }

  /// Whether the process that a mark stands for still runs.
  static func isAlive(_ mark: String) -> Bool {
    guard let process = mark.split(separator: " ").first.flatMap({ Int32($0) }) else { return false }
    return self.mark(of: process) == mark
  }

  /// Process number, start time in ticks since boot, and the boot: no two processes share all three.
  private static func mark(of process: Int32) -> String? {
    guard let status = lines(ofFile: "/proc/\(process)/stat").first, let end = status.lastIndex(of: ")")
    else {
      return nil
    }
    // The name, in brackets, may hold anything; the start time is the 20th field behind it.
    let fields = status[status.index(after: end)...].split(separator: " ")
    guard fields.count > 19 else { return nil }
    let boot = lines(ofFile: "/proc/sys/kernel/random/boot_id").first ?? ""
    return "\(process) \(fields[19]) \(boot)"
  }
}

/// The lines of a small file of the kernel's; none where it cannot be read.
private func lines(ofFile path: String) -> [String] {
  guard let file = unsafe fopen(path, "re") else { return [] }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe fread(&chunk, 1, chunk.count, file)
    guard count > 0 else { break }
    bytes += chunk[..<count]
  }
  return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}
