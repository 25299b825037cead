/// A server or a connection of libmicrohttpd's.
///
/// It may go from thread to thread: what is done with it here, to suspend, to resume and to stop, libmicrohttpd locks itself.
@safe struct Handle: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
}
