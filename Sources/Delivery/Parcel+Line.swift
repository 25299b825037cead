package import FencelineJSONText

extension Parcel {
  /// The event for machines: its key and its type, then all that the command line prints of it.
  package var keyed: JSONValue {
    guard case .object(let members) = json else {
      return .object([.init("key", .text(key)), .init("type", .text(type)), .init("event", json)])
    }
    return .object(
      [.init("key", .text(key)), .init("type", .text(type))]
        + members.filter { $0.name != "key" && $0.name != "type" })
  }

  /// The same on a line, with its end.
  package var line: [UInt8] { Array(keyed.line.utf8) + [UInt8(ascii: "\n")] }
}
