import FencelineCivilTime
import Glibc

/// `SEEK_DATA` of <linux/fs.h>, which the system's module does not show.
private let seekData: Int32 = 3

/// The bytes of a file or of standard input, as they lie there.
struct ByteSource: ~Copyable {
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private let name: LogName
  /// Bytes handed out.
  private(set) var consumed: Int64 = 0
  /// Bytes from there to the file's end when it was opened; nil where that is not known.
  let size: Int64?
  /// Whether the file is one hole, as a failed disk image is: it has a length but no content.
  let isHollow: Bool

  init(_ name: LogName) throws(TrackLogError) {
    self.name = name
    if name.isStandardInput {
      descriptor = STDIN_FILENO
      ownsDescriptor = false
    } else {
      descriptor = unsafe open(name.path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
      ownsDescriptor = true
    }
    guard descriptor >= 0 else {
      size = nil
      isHollow = false
      throw ByteSource.failure(errno, name)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      size = nil
      isHollow = false
      throw ByteSource.failure(code, name)
    }
    let kind = status.st_mode & S_IFMT
    let regular = kind == S_IFREG
    // Standard input may have been read by another program before.
    let start = regular ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
    size = regular ? max(0, Int64(status.st_size) - Int64(start)) : nil
    isHollow =
      regular && status.st_size > 0 && start == 0
      && lseek(descriptor, 0, seekData) == -1 && errno == ENXIO
    guard kind != S_IFDIR else { throw ByteSource.failure(EISDIR, name) }
  }

  deinit {
    if ownsDescriptor, descriptor >= 0 { close(descriptor) }
  }

  /// Fills `buffer` from `start` with as much as there is at the moment.
  ///
  /// - Returns: Bytes read; 0 at the end.
  /// - Throws: `TrackLogError`, also where the file ends before the place at which it ended when it was opened. It may have grown.
  mutating func read(into buffer: inout [UInt8], from start: Int = 0) throws(TrackLogError) -> Int {
    while true {
      let descriptor = descriptor
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if count >= 0 {
        consumed += Int64(count)
        if count == 0, start < buffer.count, let size, consumed < size {
          throw TrackLogError(
            .damaged,
            "Cannot read \(name.phrase) to its end: it has become shorter meanwhile. What came before is kept."
          )
        }
        return count
      }
      if errno == EAGAIN {
        // Standard input may have been left non-blocking by another program.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&waiting, 1, -1)
        continue
      }
      guard errno == EINTR else { throw ByteSource.failure(errno, name) }
    }
  }

  static func failure(_ code: Int32, _ name: LogName) -> TrackLogError {
    switch code {
    case ENOENT, ENOTDIR:
      .init(.cannotRead, "Cannot read \(name.phrase): there is no such file. Check the path.")
    case EISDIR:
      .init(.cannotRead, "Cannot read \(name.phrase): it is a directory. Name the files in it.")
    case EACCES, EPERM:
      .init(
        .notPermitted,
        "Cannot read \(name.phrase): you are not allowed to. Change its permissions or run as its owner.")
    default:
      .init(
        .cannotRead,
        "Cannot read \(name.phrase): \(systemMessage(code)). Check the disk or device it is on.")
    }
  }

  private static func systemMessage(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    let message = unsafe String(cString: text)
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}
