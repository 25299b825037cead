/// One event of a stream of server-sent events.
package struct ServerEvent: Hashable, Sendable {
  /// Its name; `message` where the server gives none.
  package var name: String
  /// The last id that the server has given, with this event or one before it; nil where it has given none.
  package var id: String?
  /// Its content, lines between newlines.
  package var data: String

  /// An event.
  package init(name: String, id: String? = nil, data: String) {
    self.name = name
    self.id = id
    self.data = data
  }
}

/// Reads a stream of server-sent events, in pieces of any size.
///
/// - Source: HTML Living Standard, 9.2.6 Interpreting an event stream; `retry` is ignored.
package struct ServerEventParser: Sendable {
  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether a line feed at this place belongs to the carriage return before it.
  private var followsReturn = false
  private var name = ""
  private var data: String?
  private var id: String?

  /// The longest line that is read, in bytes; the rest of a longer one is left out.
  package static let maximumLine = 1 << 20

  /// At the beginning of a stream.
  package init() {}

  /// Reads on.
  ///
  /// - Parameter bytes: The next bytes of the stream.
  /// - Returns: The events that they complete.
  package mutating func read(_ bytes: some Sequence<UInt8>) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      defer { followsReturn = byte == UInt8(ascii: "\r") }
      switch byte {
      case UInt8(ascii: "\n") where followsReturn: break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let event = endLine() { events.append(event) }
      default:
        if line.count < ServerEventParser.maximumLine { line.append(byte) }
      }
    }
    return events
  }

  private mutating func endLine() -> ServerEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    if isFirstLine, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    isFirstLine = false
    guard !line.isEmpty else {
      defer { (name, data) = ("", nil) }
      return data.map { ServerEvent(name: name.isEmpty ? "message" : name, id: id, data: $0) }
    }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    let field = String(decoding: line[..<colon], as: UTF8.self)
    var rest = line[colon...].dropFirst()
    if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
    let value = String(decoding: rest, as: UTF8.self)
    switch field {
    case "event": name = value
    case "data": data = data.map { $0 + "\n" + value } ?? value
    case "id" where !rest.contains(0): id = value
    default: break
    }
    return nil
  }
}
