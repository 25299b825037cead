internal import Glibc

/// A Unix socket that listens under a path of any length, for its owner alone.
struct UnixListener: Sendable {
  /// Its descriptor; whoever serves it closes it.
  let descriptor: Int32
  private let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Makes a socket in place of whatever socket has the path.
  ///
  /// It is made under another name in the same folder and renamed: so it never bears its name without listening, a dead server's
  /// socket is replaced in one step, and only the short name has to fit into `sun_path`.
  init(path: String) throws(HTTPServerError) {
    let split = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = split == path.startIndex ? "." : String(path[..<split])
    let name = String(path[split...])
    let directory = unsafe open(folder, O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw HTTPServerError(path, systemError: errno) }
    defer { close(directory) }
    var status = stat()
    if unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT != S_IFSOCK
    {
      throw HTTPServerError(path, "something else has that name", "Move it away.")
    }
    let temporary = ".fenceline-socket-\(getpid())"
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw HTTPServerError(path, systemError: errno) }
    self.path = path
    // The mode of a socket that is not bound yet becomes that of its file: at no moment may anyone else connect.
    guard fchmod(descriptor, 0o600) == 0,
      unsafe unlinkat(directory, temporary, 0) == 0 || errno == ENOENT,
      UnixListener.bind(descriptor, to: "/proc/self/fd/\(directory)/\(temporary)"),
      listen(descriptor, 64) == 0,
      unsafe fstatat(directory, temporary, &status, AT_SYMLINK_NOFOLLOW) == 0,
      unsafe renameat(directory, temporary, directory, name) == 0
    else {
      let number = errno
      unsafe unlinkat(directory, temporary, 0)
      close(descriptor)
      throw HTTPServerError(path, systemError: number)
    }
    (device, inode) = (status.st_dev, status.st_ino)
  }

  private static func bind(_ descriptor: Int32, to path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      unsafe room.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { return false }
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe Glibc.bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Closes it, where nobody serves it.
  func abandon() {
    removeName()
    close(descriptor)
  }

  /// Takes the name away, unless another server has it by now.
  func removeName() {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
    unsafe unlink(path)
  }
}
