internal import Glibc

/// When a file is renamed, so that another one begins, and how many old ones are kept.
struct Rotation {
  /// Bytes that a file has at most, unless a single line is longer.
  let size: Int64
  /// How many old ones there are: `NAME.1` is the youngest.
  let keep: Int

  /// Renames a file, and those before it.
  ///
  /// Nothing but regular files is renamed or replaced. A symbolic link stays, and leads to the new file then.
  ///
  /// - Parameters:
  ///   - path: What it is called.
  ///   - descriptor: The file, which is open and locked.
  /// - Returns: Why that cannot be done; nil where it was.
  func rotate(_ path: String, _ descriptor: Int32) -> String? {
    let name = Rotation.realPath(path, descriptor)
    guard keep > 0 else { return unsafe unlink(name) == 0 ? nil : trouble(path) }
    // Before anything is renamed: somebody else's folder is neither moved on nor half of the files.
    for number in 1...keep {
      if let obstacle = Rotation.obstacle("\(name).\(number)") {
        return "Cannot rotate '\(path)': \(obstacle). Take that away; until then the file grows."
      }
    }
    // The oldest is replaced.
    for number in stride(from: keep - 1, through: 0, by: -1) {
      let younger = number == 0 ? name : "\(name).\(number)"
      guard unsafe rename(younger, "\(name).\(number + 1)") == 0 || (number > 0 && errno == ENOENT) else {
        return trouble(path)
      }
    }
    LineFile.synchroniseFolder(of: name)
    return nil
  }

  /// What has the name of an old file and is none; nil where there is no such thing. A link to a file is as good as that.
  private static func obstacle(_ name: String) -> String? {
    var status = stat()
    guard unsafe stat(name, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR ? "'\(name)' is a folder" : "'\(name)' is no regular file"
  }

  private func trouble(_ path: String) -> String {
    "Cannot rotate '\(path)': \(SystemText.reason(errno)). It grows until the service may rename it."
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
