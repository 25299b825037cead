package import FencelineCivilTime
internal import Glibc

/// Why there is no zone to be had.
package struct SystemZoneError: Error, Hashable {
  /// What is wrong.
  package enum Code: Hashable, Sendable {
    /// No zone has that name.
    case unknown
    /// The file of the zone cannot be read or understood.
    case unreadable
  }

  package let code: Code
  /// The rest of a sentence, without a period.
  package let message: String
  /// What was probably meant.
  package let suggestion: String?

  init(_ code: Code, _ message: String, suggestion: String? = nil) {
    self.code = code
    self.message = message
    self.suggestion = suggestion
  }
}

/// The system's time zone database: that of the C library, in /usr/share/zoneinfo or the folder that TZDIR names.
package enum SystemZones {
  /// The zone with a name such as `Europe/Zurich`.
  ///
  /// - Throws: ``SystemZoneError``.
  package static func zone(named name: String) throws(SystemZoneError) -> CivilZone {
    if isName(name) {
      if let zone = try zone(at: "\(folder)/\(name)", named: name) { return zone }
      // It needs no database.
      if name == "UTC" { return .utc }
    }
    let names = names
    guard !names.isEmpty || isFolder else {
      throw SystemZoneError(
        .unreadable, "there is no time zone database in '\(folder)'; install the package tzdata")
    }
    throw SystemZoneError(
      .unknown, "there is no time zone '\(name)'; one is called like Europe/Zurich",
      suggestion: names.first { $0.lowercased().hasSuffix("/" + name.lowercased()) })
  }

  /// The zone in which the C library tells times: that of TZ, else of /etc/localtime, else UTC.
  ///
  /// - Throws: ``SystemZoneError`` where a file is there and is no zone.
  package static func local() throws(SystemZoneError) -> CivilZone {
    guard let variable = unsafe getenv("TZ") else {
      return try zone(at: "/etc/localtime", named: "/etc/localtime") ?? .utc
    }
    let text = unsafe String(cString: variable)
    let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
    if name.hasPrefix("/") || isName(name),
      let zone = try zone(at: name.hasPrefix("/") ? name : "\(folder)/\(name)", named: name)
    {
      return zone
    }
    return CivilZone(posixRule: name) ?? .utc
  }

  /// The names of all zones, where the database lists them.
  package static var names: [String] {
    guard let bytes = try? bytes(of: "\(folder)/tzdata.zi", limit: 4 << 20) else { return [] }
    var names: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // `Z NAME …` is a zone, `L ZONE NAME` another name of one.
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard let place = [UInt8(ascii: "Z"): 1, UInt8(ascii: "L"): 2][line[line.startIndex]],
        words.count > place,
        words[0].count == 1
      else { continue }
      names.append(String(decoding: words[place], as: UTF8.self))
    }
    return names.sorted()
  }

  /// Where the C library looks for zones.
  static var folder: String {
    guard let value = unsafe getenv("TZDIR"), unsafe value.pointee != 0 else { return "/usr/share/zoneinfo" }
    return unsafe String(cString: value)
  }

  private static var isFolder: Bool {
    var status = stat()
    return unsafe stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a text can be the name of a zone; it leads nowhere but into the folder.
  private static func isName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "/_+-".utf8.contains(byte)
    }
    return isPlain && text.utf8.count < 256 && !parts.contains { $0.isEmpty }
  }

  /// The zone of a file; nil where there is no such file.
  private static func zone(at path: String, named name: String) throws(SystemZoneError) -> CivilZone? {
    let found: [UInt8]?
    do { found = try bytes(of: path, limit: 1 << 20) } catch {
      throw SystemZoneError(
        .unreadable,
        "the time zone '\(name)' cannot be read: \(unsafe String(cString: strerror(error.number)))")
    }
    guard let found else { return nil }
    do { return try CivilZone(tzif: found) } catch {
      switch error {
      case .otherContent:
        throw SystemZoneError(.unknown, "'\(name)' is no time zone; one is called like Europe/Zurich")
      case .leapSeconds:
        throw SystemZoneError(
          .unknown,
          "the time zone '\(name)' counts leap seconds, which the system's clock does not; leave out 'right/'"
        )
      case .cutOff, .malformed:
        throw SystemZoneError(
          .unreadable, "the file of the time zone '\(name)' is damaged; install the package tzdata anew")
      }
    }
  }

  private struct SystemError: Error { var number: Int32 }

  /// What a file holds; nil where there is none.
  private static func bytes(of path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      if [ENOENT, ENOTDIR].contains(errno) { return nil }
      throw SystemError(number: errno)
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard status.st_size <= limit else { throw SystemError(number: EFBIG) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let step = unsafe bytes.withUnsafeMutableBytes { all in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: all[count...])
        return unsafe read(file, rest.baseAddress, rest.count)
      }
      guard step >= 0 || errno == EINTR else { throw SystemError(number: errno) }
      guard step != 0 else { break }
      count += max(0, step)
    }
    return Array(bytes[..<count])
  }
}
