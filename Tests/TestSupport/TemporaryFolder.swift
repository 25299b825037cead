internal import FoundationEssentials
internal import Glibc

/// A folder of a test's own, which is gone with everything in it when the test lets go of it.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Makes an empty folder.
  ///
  /// - Throws: What the system says where it cannot be made.
  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/fenceline-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of something in the folder, whether it is there or not.
  public func path(_ name: String) -> String {
    path + "/" + name
  }

  /// Writes a file into the folder.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - bytes: What it holds.
  /// - Returns: Its path.
  /// - Throws: What the system says where it cannot be written.
  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Writes a file of text into the folder.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - text: What it holds.
  /// - Returns: Its path.
  /// - Throws: What the system says where it cannot be written.
  @discardableResult
  public func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  /// Reads a file of text in the folder.
  ///
  /// Foundation leaks its buffer where a file is empty, which the address sanitizer takes for a fault.
  ///
  /// - Parameter name: The name of the file.
  /// - Returns: What it holds; nothing where it cannot be read.
  public func text(_ name: String) -> String {
    let descriptor = unsafe open(path(name), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &part, part.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += part[..<count]
    }
  }

  /// The names in the folder, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The permission bits of a file in the folder; nil where there is none.
  ///
  /// - Parameter name: The name of the file.
  /// - Returns: Such as 0o600.
  public func mode(_ name: String) -> Int? {
    var status = stat()
    return unsafe stat(path(name), &status) == 0 ? Int(status.st_mode & 0o777) : nil
  }
}
