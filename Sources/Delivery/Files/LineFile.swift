internal import FencelineThreads
internal import Glibc

/// A file to which lines are appended, by several programs perhaps: all lines of a call or none.
///
/// Each call takes the file that has the name then, so that another program can rename it away. A file that ends in the middle of a line,
/// whoever has written that, gets the end of the line first: nothing of another program's is taken away.
///
/// Programs that write to it side by side are kept apart by flock(2), and by `O_APPEND` those that know nothing of it.
struct LineFile: ~Copyable {
  /// Why nothing was appended: a sentence, and what to do.
  struct Trouble: Error {
    let sentence: String
  }

  /// How many milliseconds are waited for another program that has the file locked, or does not read a pipe on.
  static let patience: Int64 = 10_000

  let path: String
  /// When it is renamed; nil for never.
  let rotation: Rotation?
  /// Whether to wait for nothing any more.
  private let isStopped: @Sendable () -> Bool
  /// -1 while it is not open.
  private(set) var descriptor: Int32 = -1
  private var isRegular = false
  /// Whether a pipe has got the beginning of a line alone.
  private var isMidLine = false

  /// A file, which is opened when there is something to write.
  init(path: String, rotation: Rotation?, isStopped: @escaping @Sendable () -> Bool) {
    self.path = path
    self.rotation = rotation
    self.isStopped = isStopped
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Appends lines, and returns when the disk has them.
  ///
  /// - Parameter lines: Whole lines, with their ends.
  /// - Returns: Why the file could not be rotated, although it is time; nil where it was, or is not.
  /// - Throws: ``Trouble``; then nothing of them is in the file.
  mutating func append(_ lines: [UInt8]) throws(Trouble) -> String? {
    let end = MonotonicClock.now + LineFile.patience
    try seize(until: end)
    guard isRegular else {
      try push(lines, until: end)
      return nil
    }
    defer { release() }
    var complaint: String?
    // Another writer may have filled the new one at once.
    while let rotation, let size, size > 0, size + Int64(lines.count) > rotation.size, complaint == nil {
      complaint = rotation.rotate(path, descriptor)
      if complaint == nil { try followRotation(until: end) }
    }
    try add(lines)
    return complaint
  }

  // MARK: Regular files

  private mutating func add(_ lines: [UInt8]) throws(Trouble) {
    guard let before = size else { throw trouble(errno) }
    let bytes = endsMidLine(before) ? [UInt8(ascii: "\n")] + lines : lines
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes[done...].withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = count == 0 ? EIO : errno
        undo(to: before, done)
        throw trouble(code)
      }
      done += count
    }
    guard fdatasync(descriptor) == 0 else {
      let code = errno
      undo(to: before, done)
      throw trouble(code)
    }
  }

  /// Takes away what was written, unless another program that asks for no lock has written behind it.
  private func undo(to before: Int64, _ written: Int) {
    guard size == before + Int64(written) else { return }
    _ = ftruncate(descriptor, off_t(before))
  }

  /// Bytes; nil where that cannot be asked.
  private var size: Int64? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Whether the last line has no end. Where the file may be written and not read, it is taken for whole.
  private func endsMidLine(_ size: Int64) -> Bool {
    var last: UInt8 = 0
    return unsafe size > 0 && pread(descriptor, &last, 1, off_t(size - 1)) == 1 && last != UInt8(ascii: "\n")
  }

  /// Opens the file that takes the place of the renamed one, for the same people.
  private mutating func followRotation(until end: Int64) throws(Trouble) {
    var old = stat()
    _ = unsafe fstat(descriptor, &old)
    close()
    try seize(until: end)
    guard size == 0 else { return }
    if fchown(descriptor, old.st_uid, old.st_gid) == 0 { _ = fchmod(descriptor, old.st_mode & 0o777) }
  }

  // MARK: Pipes and devices

  private mutating func push(_ lines: [UInt8], until end: Int64) throws(Trouble) {
    var rest = (isMidLine ? [UInt8(ascii: "\n")] + lines : lines)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
        isMidLine = !rest.isEmpty
      } else if errno == EAGAIN, MonotonicClock.now < end, !isStopped() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, 50)
      } else if errno != EINTR {
        let code = errno
        close()
        throw trouble(code)
      }
    }
  }

  // MARK: Opening

  /// Opens the file that has the name now, unless it is open, and locks it.
  private mutating func seize(until end: Int64) throws(Trouble) {
    while true {
      if descriptor >= 0, !isCurrent { close() }
      if descriptor < 0 { try open() }
      guard isRegular else { return }
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
        guard MonotonicClock.now < end, !isStopped() else {
          throw Trouble(
            sentence:
              "Cannot write to '\(path)': another program has it locked. End that one, or name another file.")
        }
        _ = poll(nil, 0, 10)
      }
      // Whoever had it locked may have renamed it.
      if isCurrent { return }
      guard MonotonicClock.now < end, !isStopped() else { throw trouble(EAGAIN) }
    }
  }

  /// Whether what is open has the name.
  private var isCurrent: Bool {
    var named = stat()
    var opened = stat()
    return unsafe stat(path, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
      && named.st_dev == opened.st_dev
  }

  private mutating func open() throws(Trouble) {
    // It is looked at first, since some devices do something as soon as they are opened.
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    guard isThere || errno == ENOENT else { throw trouble(errno) }
    let kind = isThere ? status.st_mode & S_IFMT : S_IFREG
    guard kind == S_IFREG || kind == S_IFIFO || LineFile.isMemoryDevice(status) else {
      throw Trouble(
        sentence: kind == S_IFDIR
          ? "Cannot write to '\(path)': it is a folder. Name a file in it."
          : "Cannot write to '\(path)': it is a device or a socket. Name a file, or a pipe that somebody reads."
      )
    }
    let flags = O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    if kind == S_IFREG {
      // To be read are the ends of lines alone.
      descriptor = unsafe Glibc.open(path, flags | O_RDWR | O_CREAT, 0o600)
      if descriptor < 0, errno == EACCES { descriptor = unsafe Glibc.open(path, flags | O_WRONLY) }
    } else {
      descriptor = unsafe Glibc.open(path, flags | O_WRONLY)
    }
    guard descriptor >= 0 else { throw trouble(errno) }
    isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard isRegular == (kind == S_IFREG) else {
      close()
      throw trouble(EAGAIN)
    }
    if !isThere { LineFile.synchroniseFolder(of: path) }
  }

  /// Whether it is one of `null`, `zero` and `full`.
  ///
  /// - Source: Linux allocated devices, character device 1.
  private static func isMemoryDevice(_ status: stat) -> Bool {
    let device = UInt64(status.st_rdev)
    let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
    let minor = device & 0xff | device >> 12 & ~0xff
    return status.st_mode & S_IFMT == S_IFCHR && major == 1 && [3, 5, 7].contains(minor)
  }

  /// Sees that a name survives a power cut.
  static func synchroniseFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    let descriptor = unsafe Glibc.open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    Glibc.close(descriptor)
  }

  private func release() {
    if descriptor >= 0 { _ = flock(descriptor, LOCK_UN) }
  }

  private mutating func close() {
    Glibc.close(descriptor)
    descriptor = -1
  }

  private func trouble(_ code: Int32) -> Trouble {
    let (reason, advice): (String, String) =
      switch code {
      case ENOSPC, EDQUOT: ("there is no room left", "Make room, or keep fewer old files with --keep.")
      case EFBIG: ("it has become too long", "Rotate it with --rotate-size.")
      case ENXIO, EPIPE: ("nobody reads the pipe", "Start what reads it, or name a file.")
      case EAGAIN: ("it takes nothing", "See what reads or renames it.")
      case ENOENT: ("its folder is not there", "Make the folder.")
      case EACCES, EPERM, EROFS: ("that is not allowed", "Let the service's user write there.")
      default:
        (SystemText.reason(code), "Name another file.")
      }
    return Trouble(sentence: "Cannot write to '\(path)': \(reason). \(advice)")
  }
}
