/// What a broker of MQTT 5 answers to somebody who wants to connect.
///
/// - Source: MQTT Version 5.0, OASIS Standard, 3.2 CONNACK and 2.2.2.2 Property.
enum ConnectAnswer {
  /// What the value of a property is.
  private enum Value { case bytes(Int), text, texts }

  private static let properties: [UInt8: Value] = [
    0x11: .bytes(4), 0x12: .text, 0x13: .bytes(2), 0x15: .text, 0x16: .text, 0x1a: .text, 0x1c: .text,
    0x1f: .text,
    0x21: .bytes(2), 0x22: .bytes(2), 0x24: .bytes(1), 0x25: .bytes(1), 0x26: .texts, 0x27: .bytes(4),
    0x28: .bytes(1), 0x29: .bytes(1), 0x2a: .bytes(1),
  ]

  /// Whether the first packet is one, with properties that there are.
  ///
  /// - Parameter bytes: What has come so far.
  /// - Returns: Whether it is; nil where that cannot be said before more has come.
  static func isSound(_ bytes: some Collection<UInt8>) -> Bool? {
    var rest = bytes.makeIterator()
    guard let first = rest.next() else { return nil }
    guard first == 0x20 else { return false }
    var (length, shift) = (0, 0)
    while true {
      guard let byte = rest.next() else { return nil }
      length |= Int(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift += 7
      // No broker has so much to say.
      if shift > 7 { return false }
    }
    var body: [UInt8] = []
    while body.count < length {
      guard let byte = rest.next() else { return nil }
      body.append(byte)
    }
    // One of MQTT 3.1.1 says that it knows no other version.
    if body.count == 2 { return true }
    guard body.count > 2 else { return false }
    return areSound(body[2...])
  }

  private static func areSound(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    var (length, shift) = (0, 0)
    while true {
      guard let byte = rest.popFirst(), shift <= 7 else { return false }
      length |= Int(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    guard rest.count == length else { return false }
    func skip(_ count: Int) -> Bool {
      guard rest.count >= count else { return false }
      rest = rest.dropFirst(count)
      return true
    }
    func skipText() -> Bool {
      guard let high = rest.popFirst(), let low = rest.popFirst() else { return false }
      return skip(Int(high) << 8 | Int(low))
    }
    while let name = rest.popFirst() {
      switch properties[name] {
      case .bytes(let count): guard skip(count) else { return false }
      case .text: guard skipText() else { return false }
      case .texts: guard skipText(), skipText() else { return false }
      case nil: return false
      }
    }
    return true
  }
}
