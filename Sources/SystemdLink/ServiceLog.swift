internal import Glibc

/// The log of a service: entries with fields where standard error goes to systemd's journal, lines on standard error elsewhere.
///
/// Coordinates and the titles of places never belong into it.
package struct ServiceLog: Sendable {
  /// How bad it is, by the numbers of syslog.
  package enum Level: Int, Sendable, CaseIterable {
    case error = 3, warning, notice, info, debug

    /// Its name: `warning`.
    package var name: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .notice: "notice"
      case .info: "info"
      case .debug: "debug"
      }
    }
  }

  /// What an entry is about beside its words, to be found by: `journalctl FENCELINE_DEVICE=van`.
  package enum Field: Hashable, Sendable {
    /// A device's name.
    case device(String)
    /// A region's id.
    case region(String)
    /// What has happened: `entry`, `signal lost`.
    case event(String)

    fileprivate var assignment: (name: String, value: String) {
      switch self {
      case .device(let name): ("FENCELINE_DEVICE", name)
      case .region(let id): ("FENCELINE_REGION", id)
      case .event(let name): ("FENCELINE_EVENT", name)
      }
    }
  }

  /// What kind of entry it is, the same in every version: `journalctl MESSAGE_ID=…`.
  package enum Message: String, Sendable, CaseIterable {
    /// A perimeter was crossed.
    case crossing = "a8d3c9e6b76e4a688b625efb693768c5"
    /// A source has lost its signal or has it back.
    case signal = "62f1801d81a8417a93dc7c3c5960234f"
    /// A notification has become due.
    case notification = "5d0f6f3b1a0c4b7e9d3c0a5c7f2be8a4"
    /// Something is wrong that somebody should mend.
    case problem = "81fcb7d034094c248c6b244f9d3c3d28"
  }

  /// Where the entries go.
  private enum Target: Sendable { case journal, lines(descriptor: Int32, hasTimes: Bool) }

  private let target: Target
  private let finest: Level

  /// The log of this process.
  ///
  /// - Parameter finest: The least important level that is written.
  package init(finest: Level = .info) {
    self.finest = finest
    // A terminal's lines bear the time; whatever else reads standard error puts its own before each.
    target = ServiceLog.isJournal(2) ? .journal : .lines(descriptor: 2, hasTimes: isatty(2) == 1)
  }

  /// Lines on a descriptor.
  init(descriptor: Int32, hasTimes: Bool) {
    finest = .debug
    target = .lines(descriptor: descriptor, hasTimes: hasTimes)
  }

  /// Writes an entry.
  ///
  /// - Parameters:
  ///   - level: How bad it is.
  ///   - message: A sentence.
  ///   - kind: What kind of entry it is.
  ///   - fields: What it is about.
  package func write(_ level: Level, _ message: String, kind: Message? = nil, _ fields: Field...) {
    guard level.rawValue <= finest.rawValue else { return }
    switch target {
    case .journal:
      var assignments = [
        (name: "MESSAGE", value: message), ("PRIORITY", String(level.rawValue)),
        ("SYSLOG_IDENTIFIER", "fenceline"),
      ]
      if let kind { assignments.append(("MESSAGE_ID", kind.rawValue)) }
      if SystemJournal.write(assignments + fields.map(\.assignment)) != 0 {
        ServiceLog.print("<\(level.rawValue)>" + ServiceLog.oneLine(message), to: 2)
      }
    case .lines(let descriptor, let hasTimes):
      let time = hasTimes ? ServiceLog.clock() + " " : ""
      ServiceLog.print("\(time)\(level.name): \(ServiceLog.oneLine(message))", to: descriptor)
    }
  }

  /// Whether a descriptor leads to systemd's journal, which tells device and inode of the stream that it has made.
  ///
  /// - Source: systemd.exec(5), `$JOURNAL_STREAM`.
  private static func isJournal(_ descriptor: Int32) -> Bool {
    guard let stream = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// Names may come from anywhere; a line is a line.
  private static func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          // Controls, line ends and what turns the direction of writing.
          switch scalar.value {
          case ..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: " "
          default: scalar
          }
        }))
  }

  private static func clock() -> String {
    var now = time(nil)
    var parts = unsafe tm()
    unsafe localtime_r(&now, &parts)
    let numbers = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    return numbers.map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
  }

  private static func print(_ text: String, to descriptor: Int32) {
    // One call, so that lines of several threads do not mix.
    let line = Array((text + "\n").utf8)
    _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
