internal import Glibc

/// When a file is renamed, so that another one begins, and how many old ones are kept.
struct Rotation {
  /// Bytes that a file has at most, unless a single line is longer.
  let size: Int64
  /// How many old ones there are: `NAME.1` is the youngest.
  let keep: Int

  /// Renames a file, and those before it.
  ///
  /// A symbolic link stays, and leads to the new file then.
  ///
  /// - Parameters:
  ///   - path: What it is called.
  ///   - descriptor: The file, which is open and locked.
  /// - Returns: Why that cannot be done; nil where it was.
  func rotate(_ path: String, _ descriptor: Int32) -> String? {
    let name = Rotation.realPath(path, descriptor)
    guard keep > 0 else { return unsafe unlink(name) == 0 ? nil : trouble(path) }
    // The oldest is replaced.
    for number in stride(from: keep - 1, through: 1, by: -1) {
      let older = "\(name).\(number + 1)"
      guard unsafe rename("\(name).\(number)", older) == 0 || errno == ENOENT else {
        return trouble(path, with: older)
      }
    }
    guard unsafe rename(name, name + ".1") == 0 else { return trouble(path, with: name + ".1") }
    LineFile.synchroniseFolder(of: name)
    return nil
  }

  private func trouble(_ path: String, with older: String? = nil) -> String {
    let code = errno
    if let older, code == EISDIR {
      return "Cannot rotate '\(path)': '\(older)' is a folder. Take that away; until then the file grows."
    }
    return "Cannot rotate '\(path)': \(SystemText.reason(code)). It grows until the service may rename it."
  }

  /// The name without symbolic links, where that is another one of the same file.
  private static func realPath(_ path: String, _ descriptor: Int32) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(found) }
    var named = stat()
    var opened = stat()
    let isSame =
      unsafe stat(found, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
      && named.st_dev == opened.st_dev
    return isSame ? unsafe String(cString: found) : path
  }
}
