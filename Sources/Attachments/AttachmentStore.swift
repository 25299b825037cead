internal import CFencelineCrypto
internal import Glibc

/// A file that has been stored for a notification.
package struct StoredAttachment: Hashable, Sendable {
  /// The SHA-256 of the content in 64 small hexadecimal digits, by which the store knows it.
  package var hash: String
  /// By its content.
  package var type: AttachmentType
  /// In bytes.
  package var size: Int
  /// What the file was called, without its folder.
  package var originalName: String
}

/// The files that go with notifications, kept beside the database as long as a notification needs them.
///
/// A file is named by its content, so that the same content is kept once: `PATH-attachments/ab/cdef…`. The file that was added stays where it
/// is, and may be changed or removed; the copy stays as it was. A store is used by one thread at a time; several processes may use the same
/// folder at once, for whoever changes it holds a lock on it. A process that is killed leaves no half of a file behind, at most one
/// `unfinished`, which the next one replaces.
///
/// ```swift
/// let store = AttachmentStore(database: "/var/lib/fenceline/fenceline.db")
/// let photo = try store.add(path: "gate.jpg")
/// try store.path(of: photo.hash)  // /var/lib/fenceline/fenceline.db-attachments/3f/786850…
/// ```
package final class AttachmentStore {
  private let database: String
  private let folder: String

  private static let unfinished = "unfinished"

  /// The store of a database. Its folder is made when the first file is added.
  ///
  /// - Parameter path: The database, by any name where it is there.
  package init(database path: String) {
    let trueName = unsafe realpath(path, nil)
    defer { unsafe free(trueName) }
    database = unsafe trueName.map { unsafe String(cString: $0) } ?? path
    folder = database + "-attachments"
  }

  /// Checks a file and copies it.
  ///
  /// When this returns, the copy survives a power cut.
  ///
  /// - Parameter path: The file that is to be attached.
  /// - Returns: By what it is known from now on; until it is referenced, the grace of ``collect(olderThan:keeping:)`` protects it.
  /// - Throws: ``AttachmentError``.
  package func add(path: String) throws(AttachmentError) -> StoredAttachment {
    let file = try AttachmentFile(reading: path)
    let hash = Self.hash(file.bytes)
    let place = location(of: hash)
    try makeFolder(folder)
    let lock = try Lock(folder)
    defer { lock.release() }
    if !refresh(place.path, file.bytes) {
      try makeFolder(place.folder)
      try write(file.bytes, to: place)
    }
    return StoredAttachment(hash: hash, type: file.type, size: file.bytes.count, originalName: file.name)
  }

  /// Where a file is, for whoever shows it.
  ///
  /// - Parameter hash: Of ``StoredAttachment``.
  /// - Returns: A path in the store; the file is not to be changed.
  /// - Throws: ``AttachmentError`` where the store does not have it.
  package func path(of hash: String) throws(AttachmentError) -> String {
    var status = stat()
    guard Self.isHash(hash), unsafe lstat(location(of: hash).path, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { throw AttachmentError(missing: hash, in: folder) }
    return location(of: hash).path
  }

  /// Removes the files that nobody needs.
  ///
  /// - Parameters:
  ///   - seconds: The grace in which a file that was added may be waiting for its reference; a younger one is kept. What
  ///     cannot be removed is left for another time.
  ///   - keep: Whether a file is referenced, by its hash; asked for the older ones only, without a lock.
  /// - Returns: How many files were removed, and their bytes.
  /// - Throws: What `keep` throws; nothing more is removed then.
  @discardableResult
  package func collect<Failure>(
    olderThan seconds: Int, keeping keep: (String) throws(Failure) -> Bool
  ) throws(Failure) -> (files: Int, bytes: Int) {
    var removed = (files: 0, bytes: 0)
    for first in Self.names(in: folder) where first.utf8.count == 2 {
      for rest in Self.names(in: folder + "/" + first) where Self.isHash(first + rest) {
        let path = location(of: first + rest).path
        guard Self.size(of: path, olderThan: seconds) != nil, try !keep(first + rest) else { continue }
        guard let lock = try? Lock(folder) else { continue }
        defer { lock.release() }
        // Somebody may have added it once more since.
        guard let size = Self.size(of: path, olderThan: seconds), unsafe unlink(path) == 0 else { continue }
        removed.files += 1
        removed.bytes += size
      }
    }
    if let lock = try? Lock(folder) {
      // Whoever writes it holds the lock, so nobody does.
      unsafe unlink(folder + "/" + Self.unfinished)
      lock.release()
    }
    return removed
  }

  /// Whether a file is there with this content; then it is as young as one that was just added.
  private func refresh(_ path: String, _ bytes: [UInt8]) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard contents(of: file, upTo: bytes.count, expected: bytes.count) == bytes else { return false }
    return futimens(file, nil) == 0
  }

  private func write(_ bytes: [UInt8], to place: (folder: String, path: String)) throws(AttachmentError) {
    let temporary = folder + "/" + Self.unfinished
    unsafe unlink(temporary)
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw AttachmentError(store: folder, systemError: errno) }
    let isWritten = Self.write(bytes, to: file) && fsync(file) == 0
    let number = errno
    giveToOwner(file)
    close(file)
    guard isWritten else {
      unsafe unlink(temporary)
      throw AttachmentError(store: folder, systemError: number)
    }
    guard unsafe rename(temporary, place.path) == 0, Self.synchronise(place.folder) else {
      let number = errno
      unsafe unlink(temporary)
      throw AttachmentError(store: folder, systemError: number)
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Makes a folder for its owner alone, where it is missing.
  private func makeFolder(_ path: String) throws(AttachmentError) {
    if unsafe mkdir(path, 0o700) == 0 {
      let made = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      if made >= 0 {
        giveToOwner(made)
        close(made)
      }
      let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      guard Self.synchronise(parent) else { throw AttachmentError(store: folder, systemError: errno) }
    } else if errno != EEXIST {
      throw AttachmentError(store: folder, systemError: errno)
    }
  }

  /// Makes what has happened to the names in a folder survive a power cut.
  private static func synchronise(_ path: String) -> Bool {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return false }
    let result = fsync(folder)
    let number = errno
    close(folder)
    errno = number
    return result == 0
  }

  /// What root makes beside the database of another user is for that user to read and write.
  private func giveToOwner(_ file: Int32) {
    guard geteuid() == 0 else { return }
    var status = stat()
    let parent = database.lastIndex(of: "/").map { String(database[...$0]) } ?? "."
    guard unsafe stat(database, &status) == 0 || stat(parent, &status) == 0, status.st_uid != 0 else {
      return
    }
    _ = fchown(file, status.st_uid, status.st_gid)
  }

  private func location(of hash: String) -> (folder: String, path: String) {
    let inner = "\(folder)/\(hash.prefix(2))"
    return (inner, "\(inner)/\(hash.dropFirst(2))")
  }

  /// The size of a file that has not been touched for so many seconds; nil for a younger one, and where there is none.
  private static func size(of path: String, olderThan seconds: Int) -> Int? {
    var status = stat()
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      now.tv_sec - status.st_mtim.tv_sec > seconds
    else { return nil }
    return Int(status.st_size)
  }

  private static func names(in folder: String) -> [String] {
    guard let list = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(list) }
    var names: [String] = []
    while let entry = unsafe readdir(list) {
      names.append(
        unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
          unsafe String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }

  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func hash(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let isDone = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, EVP_sha256(), nil)
    }
    precondition(isDone == 1, "libcrypto knows SHA-256")
    var text = ""
    for byte in digest {
      let digits = String(byte, radix: 16)
      text += digits.utf8.count == 1 ? "0" + digits : digits
    }
    return text
  }
}

@available(*, unavailable)
extension AttachmentStore: Sendable {}

/// The right to change a store, which one at a time has, of all threads and processes.
@safe private struct Lock {
  private let descriptor: Int32

  /// Waits for it.
  init(_ folder: String) throws(AttachmentError) {
    descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw AttachmentError(store: folder, systemError: errno) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let number = errno
        close(descriptor)
        throw AttachmentError(store: folder, systemError: number)
      }
    }
  }

  func release() { close(descriptor) }
}
