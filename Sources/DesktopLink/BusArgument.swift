internal import CFencelineSystemd

/// An argument of a call.
enum BusArgument: Hashable {
  /// A value whose type goes with it.
  enum Variant: Hashable { case text(String), byte(UInt8), truth(Bool) }

  case text(String)
  case unsigned(UInt32)
  case signed(Int32)
  case texts([String])
  case variants([String: Variant])

  /// Appends it to a message.
  ///
  /// - Returns: Negative where that fails, as text with a zero byte does.
  func append(to message: OpaquePointer) -> Int32 {
    switch self {
    case .text(let text): unsafe fenceline_append_text(message, text)
    case .unsigned(let number): unsafe fenceline_append_unsigned(message, number)
    case .signed(let number): unsafe fenceline_append_signed(message, number)
    case .texts(let texts):
      unsafe BusArgument.inArray(message, of: "s") {
        texts.allSatisfy { unsafe fenceline_append_text(message, $0) >= 0 }
      }
    case .variants(let variants):
      unsafe BusArgument.inArray(message, of: "{sv}") {
        variants.allSatisfy { key, value in
          let result =
            switch value {
            case .text(let text): unsafe fenceline_append_text_entry(message, key, text)
            case .byte(let byte): unsafe fenceline_append_byte_entry(message, key, byte)
            case .truth(let isSo): unsafe fenceline_append_truth_entry(message, key, isSo ? 1 : 0)
            }
          return result >= 0
        }
      }
    }
  }

  private static func inArray(_ message: OpaquePointer, of contents: String, _ body: () -> Bool) -> Int32 {
    let array = CChar(bitPattern: UInt8(ascii: "a"))
    guard unsafe sd_bus_message_open_container(message, array, contents) >= 0, body() else { return -1 }
    return unsafe sd_bus_message_close_container(message)
  }
}
