internal import Glibc

/// A file that somebody wants to attach, as it is when it is read.
struct AttachmentFile {
  let type: AttachmentType
  let bytes: [UInt8]
  /// The last part of its path.
  let name: String

  private static let advice =
    "Name an image (JPEG, GIF, PNG), a sound (AIFF, WAV, MP3, M4A) or a movie (MPEG, MP4, AVI)."

  /// Reads a file and checks that it can be attached.
  ///
  /// - Throws: ``AttachmentError``.
  init(reading path: String) throws(AttachmentError) {
    bytes = try Self.read(path)
    name = path.split(separator: "/").last.map(String.init) ?? path
    guard !bytes.isEmpty else {
      throw AttachmentError(.attachmentInvalidFileSize, attaching: path, "the file is empty", Self.advice)
    }
    guard let type = AttachmentType(of: bytes) else {
      throw AttachmentError(
        .attachmentUnrecognizedType, attaching: path, "it is no image, sound or movie that can be attached",
        Self.advice)
    }
    self.type = type
    guard bytes.count <= type.limit else {
      throw AttachmentError(
        .attachmentInvalidFileSize, attaching: path,
        "it has \(bytes.count) bytes, and \(Self.plural(type.kind)) may have \(type.limit >> 20) MB",
        "Make it smaller.")
    }
    do { try type.check(bytes) } catch {
      throw AttachmentError(
        .attachmentCorrupt, attaching: path,
        error == .cutOff
          ? "the \(type) is cut off"
          : "it begins like a \(type), and is damaged or something else further on",
        "Save or download it again.")
    }
  }

  private static func plural(_ kind: AttachmentType.Kind) -> String {
    kind == .audio ? "a sound" : "an \(kind)"
  }

  private static func read(_ path: String) throws(AttachmentError) -> [UInt8] {
    func refuse(_ reason: String, _ advice: String = advice) -> AttachmentError {
      AttachmentError(.attachmentInvalidURL, attaching: path, reason, advice)
    }
    guard !path.isEmpty else { throw refuse("the path is empty") }
    guard !path.utf8.contains(0) else { throw refuse("no file has such a name") }
    var status = stat()
    // Before it is opened: to open some devices does something.
    guard unsafe stat(path, &status) == 0 else {
      throw refuse(systemMessage(errno), "Name a file that is there and can be read.")
    }
    try requireFile(status, path)
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw refuse(systemMessage(errno), "Make it readable for this user.") }
    defer { close(file) }
    guard unsafe fstat(file, &status) == 0 else { throw refuse(systemMessage(errno)) }
    try requireFile(status, path)
    guard let bytes = contents(of: file, upTo: AttachmentType.largest, expected: Int(status.st_size)) else {
      throw refuse(systemMessage(errno), "Copy it to another disk and try again.")
    }
    return bytes
  }

  private static func requireFile(_ status: stat, _ path: String) throws(AttachmentError) {
    let other: String
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard status.st_size <= AttachmentType.largest else {
        throw AttachmentError(
          .attachmentInvalidFileSize, attaching: path,
          "it has \(status.st_size) bytes, and nothing may have more than \(AttachmentType.largest >> 20) MB",
          "Make it smaller.")
      }
      return
    case S_IFDIR: other = "a folder"
    case S_IFIFO: other = "a pipe"
    case S_IFSOCK: other = "a socket"
    default: other = "a device"
    }
    throw AttachmentError(
      .attachmentInvalidURL, attaching: path, "it is \(other) and not a file", advice)
  }
}

/// Reads a file from its beginning.
///
/// - Parameters:
///   - file: Its descriptor.
///   - limit: How many bytes it may have; of a longer one at least one more is given.
///   - expected: How many it should have.
/// - Returns: What it holds; nil where it cannot be read, with `errno` set.
func contents(of file: Int32, upTo limit: Int, expected: Int) -> [UInt8]? {
  var bytes: [UInt8] = []
  var room = min(expected, limit) + 1
  while bytes.count <= limit {
    var error: Int32 = 0
    let part = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let result = unsafe read(file, buffer.baseAddress, buffer.count)
      error = result < 0 ? errno : 0
      count = max(0, result)
    }
    guard error == 0 || error == EINTR else {
      errno = error
      return nil
    }
    if part.isEmpty, error == 0 { break }
    if bytes.isEmpty { bytes = part } else { bytes += part }
    room = 65_536
  }
  return bytes
}
