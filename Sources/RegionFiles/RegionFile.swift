internal import FencelineGeofencing
internal import Glibc

/// Files of regions as the system keeps them.
package enum RegionFile {
  /// The largest file that is read, in bytes: room for some million regions.
  private static let largest = 1 << 30

  /// The content of a file.
  ///
  /// - Parameter path: The file; `-` is standard input.
  /// - Returns: Its bytes.
  /// - Throws: ``RegionFileError`` where it cannot be read or is larger than 1 GiB.
  package static func contents(of path: String) throws(RegionFileError) -> [UInt8] {
    let doing = "Cannot read '\(path.printable)'"
    let file = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw RegionFileError(doing, errno, or: .cannotRead) }
    defer { if file != 0 { close(file) } }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw RegionFileError(doing, errno, or: .cannotRead) }
    guard status.st_size <= largest else {
      throw RegionFileError(.content, "It is larger than \(largest >> 20) MiB.")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(file, &chunk, chunk.count)
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw RegionFileError(doing, errno, or: .cannotRead)
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= largest else {
        throw RegionFileError(.content, "It is larger than \(largest >> 20) MiB.")
      }
    }
  }

  /// Writes a file as a whole: where that does not work, what was there stays. A file that is replaced keeps its permissions, and
  /// a symbolic link goes on pointing to it.
  ///
  /// - Parameters:
  ///   - text: Its content.
  ///   - path: The file; a device or pipe is given the text as it is.
  /// - Throws: ``RegionFileError``.
  package static func write(_ text: String, to path: String) throws(RegionFileError) {
    do { try write(to: path) { $0(text) } } catch let error as RegionFileError { throw error } catch {
      preconditionFailure("nothing else throws")
    }
  }

  /// Writes a file that is made piece by piece, as ``write(_:to:)`` does a text.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Gives its content to the function that it is given; where it throws, what was there stays.
  /// - Throws: ``RegionFileError``, or what `body` throws.
  package static func write(to path: String, _ body: (_ write: (String) -> Void) throws -> Void) throws {
    let doing = "Cannot write '\(path.printable)'"
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    guard !isDatabase(path) else {
      throw RegionFileError(.cannotCreate, "\(doing): it is a database. Name another file.")
    }
    let isReplaced = !exists || status.st_mode & S_IFMT == S_IFREG
    let target = exists ? resolved(path) : path
    let draft = isReplaced ? "\(target).\(getpid()).part" : target
    guard let stream = unsafe fopen(draft, isReplaced ? "wxe" : "we") else {
      throw RegionFileError(doing, errno, or: .cannotCreate)
    }
    var number: Int32 = 0
    func check(_ isDone: Bool) {
      if !isDone, number == 0 { number = errno }
    }
    var failure: (any Error)?
    do {
      try body { text in check(unsafe fwrite(text, 1, text.utf8.count, stream) == text.utf8.count) }
    } catch {
      failure = error
    }
    check(unsafe fflush(stream) == 0)
    if exists, isReplaced { check(unsafe fchmod(fileno(stream), status.st_mode & 0o777) == 0) }
    if isReplaced { check(unsafe fsync(fileno(stream)) == 0) }
    check(unsafe fclose(stream) == 0)
    if isReplaced, number == 0, failure == nil { check(unsafe rename(draft, target) == 0) }
    guard number != 0 || failure != nil else { return }
    if isReplaced { unsafe unlink(draft) }
    if let failure { throw failure }
    throw RegionFileError(doing, number, or: .cannotWrite)
  }

  /// Whether a file holds an SQLite database or its log, which nobody means to replace by a text.
  private static func isDatabase(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 16)
    guard unsafe pread(file, &head, head.count, 0) == head.count else { return false }
    return head.starts(with: "SQLite format 3\0".utf8) || head.starts(with: [0x37, 0x7f, 0x06])
  }

  /// Makes a folder and those above it, where they are missing.
  ///
  /// - Parameter path: The folder.
  /// - Throws: ``RegionFileError``.
  package static func makeFolder(_ path: String) throws(RegionFileError) {
    var status = stat()
    guard unsafe stat(path, &status) != 0 else { return }
    if let slash = path.dropLast().lastIndex(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
    }
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw RegionFileError("Cannot make the folder '\(path.printable)'", errno, or: .cannotCreate)
    }
  }

  /// The path without symbolic links.
  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// Why a file gives no regions, or takes none.
package struct RegionFileError: Error, Hashable, Sendable {
  /// The kinds that callers tell apart.
  package enum Code: Hashable, Sendable {
    /// The content is no file of regions.
    case content
    case cannotRead
    case cannotCreate
    case cannotWrite
    case notPermitted
  }

  /// What kind of failure it is.
  package var code: Code
  /// A sentence; for ``Code/content`` one that stands behind the file's name: `It is empty.`
  package var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The system's words for an error number.
  init(_ doing: String, _ number: Int32, or code: Code) {
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    self.code = number == EACCES || number == EPERM ? .notPermitted : code
    message = "\(doing): \(reason.prefix(1).lowercased() + reason.dropFirst())."
  }
}
