internal import CFencelineSystemd

/// A message that has come, read value by value. It belongs to one thread.
@safe final class BusMessage {
  private let message: OpaquePointer

  /// Takes a reference over.
  init(_ message: OpaquePointer) { unsafe self.message = message }

  deinit { unsafe sd_bus_message_unref(message) }

  /// The call that it answers; nil where it is no answer.
  var answeredCall: UInt64? {
    var cookie: UInt64 = 0
    return unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0 ? cookie : nil
  }

  /// What went wrong, where it is an error: a name such as `org.freedesktop.DBus.Error.NoReply`, and words.
  var error: (name: String, words: String)? {
    guard unsafe sd_bus_message_is_method_error(message, nil) > 0,
      let error = unsafe sd_bus_message_get_error(message)
    else { return nil }
    let name = unsafe error.pointee.name.map { unsafe String(cString: $0) } ?? ""
    return (name, unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? name)
  }

  /// The unique name of who has sent it.
  var sender: String? { unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) } }

  /// What a signal of an interface is called; nil where it is none.
  func signal(of interface: String) -> String? {
    guard unsafe sd_bus_message_is_signal(message, interface, nil) > 0 else { return nil }
    return unsafe sd_bus_message_get_member(message).map { unsafe String(cString: $0) }
  }

  /// The next value, a text.
  func text() -> String? {
    var value: UnsafePointer<CChar>?
    guard unsafe fenceline_read_text(message, &value) > 0 else { return nil }
    return unsafe value.map { unsafe String(cString: $0) }
  }

  /// The next value, a number.
  func unsigned() -> UInt32? {
    var value: UInt32 = 0
    return unsafe fenceline_read_unsigned(message, &value) > 0 ? value : nil
  }

  /// The next value, a truth that bears its type with it.
  func truthVariant() -> Bool? {
    let (variant, truth) = (CChar(bitPattern: UInt8(ascii: "v")), CChar(bitPattern: UInt8(ascii: "b")))
    guard unsafe sd_bus_message_enter_container(message, variant, "b") > 0 else { return nil }
    // As wide as a C int.
    var value: Int32 = 0
    return unsafe sd_bus_message_read_basic(message, truth, &value) > 0 ? value != 0 : nil
  }

  /// The next value, an array of texts.
  func texts() -> [String]? {
    guard unsafe sd_bus_message_enter_container(message, CChar(bitPattern: UInt8(ascii: "a")), "s") > 0 else {
      return nil
    }
    var texts: [String] = []
    while let text = text() { texts.append(text) }
    return unsafe sd_bus_message_exit_container(message) >= 0 ? texts : nil
  }
}
