internal import Glibc

/// Notices that the local time zone may be another one: that its link points elsewhere, or that the file of the zone was replaced or edited,
/// as an upgrade of the time zone database does.
///
/// It is used by one thread. Every folder on the way to the file is watched, links and all, so that nothing on it can be changed unnoticed;
/// and the file itself, which may have a name elsewhere. What the kernel tells is only a reason to look; whether something has changed is seen
/// by looking.
///
/// - Source: inotify(7).
final class ZoneWatch {
  /// poll(2) finds it ready where there is a reason to look.
  let descriptor: Int32
  private let path: String
  private var watches: Set<Int32> = []
  private var seen = Look()

  /// What leads to a file, and what it is.
  private struct Look: Equatable {
    var target = ""
    var device: dev_t = 0
    var inode: ino_t = 0
    var size: off_t = 0
    /// Seconds and nanoseconds of the last change of the content, and of anything.
    var times: [Int] = []
  }

  /// The kernel's own limit of links on a way.
  private static let mostLinks = 40
  private static let changes = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF)

  /// Watches a file, whether it is there or not; nil where the system has no descriptor or no watch left.
  ///
  /// - Parameter path: Its path from the root.
  init?(_ path: String = "/etc/localtime") {
    self.path = path
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    seen = look()
    guard !watches.isEmpty else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Looks again.
  ///
  /// - Returns: Whether something has changed since the last look.
  func take() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
    let now = look()
    defer { seen = now }
    return now != seen
  }

  /// Goes the way to the file as the kernel does, and watches each folder before it looks for a name in it: what changes later is told.
  private func look() -> Look {
    var fresh: Set<Int32> = []
    var folder = ""
    var names = Array(path.split(separator: "/").map(String.init).reversed())
    var links = 0
    while let name = names.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        continue
      }
      watch(folder.isEmpty ? "/" : folder, &fresh)
      guard let target = Self.target(of: folder + "/" + name) else {
        folder += "/" + name
        continue
      }
      links += 1
      guard links <= Self.mostLinks else { break }
      if target.hasPrefix("/") { folder = "" }
      names += target.split(separator: "/").map(String.init).reversed()
    }
    watch(folder, &fresh)
    for old in watches.subtracting(fresh) { inotify_rm_watch(descriptor, old) }
    watches = fresh
    var look = Look(target: folder)
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      (look.device, look.inode, look.size) = (status.st_dev, status.st_ino, status.st_size)
      look.times = [
        status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
      ]
    }
    return look
  }

  private func watch(_ path: String, _ fresh: inout Set<Int32>) {
    let watch = unsafe inotify_add_watch(descriptor, path, Self.changes)
    if watch >= 0 { fresh.insert(watch) }
  }

  /// Where a link leads; nil where there is none of that name.
  private static func target(of link: String) -> String? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(link, &text, text.count)
    return count > 0 ? String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}

@available(*, unavailable)
extension ZoneWatch: Sendable {}
