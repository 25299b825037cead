internal import CFencelineSystemd
internal import Glibc

/// A connection with a message bus, without any callback: calls are sent, and everything that comes is taken from ``next()``.
/// It belongs to one thread.
@safe final class BusConnection {
  /// What is next.
  enum Step {
    case message(BusMessage)
    /// Something was done; there may be more.
    case progress
    /// Nothing, until the descriptor is ready.
    case idle
    /// The connection is lost, by the number of the system's error.
    case lost(Int32)
  }

  /// Why there is no connection.
  struct Failure: Error {
    let systemError: Int32
  }

  /// Whom a call is for: a name on the bus, an object, an interface of that.
  typealias Target = (name: String, path: String, interface: String)

  static let daemon: Target = (
    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"
  )
  static let notifications: Target = (
    "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications"
  )

  private let bus: OpaquePointer

  /// Begins to connect; that goes on in ``next()``.
  init(address: String) throws(Failure) {
    var made: OpaquePointer?
    var result = unsafe sd_bus_new(&made)
    guard result >= 0, let bus = unsafe made else { throw Failure(systemError: -result) }
    unsafe self.bus = bus
    for step in [
      { unsafe sd_bus_set_address(bus, address) }, { unsafe sd_bus_set_bus_client(bus, 1) },
      { unsafe sd_bus_start(bus) },
    ] as [() -> Int32] where result >= 0 { result = step() }
    guard result >= 0 else { throw Failure(systemError: -result) }
  }

  deinit { unsafe sd_bus_close_unref(bus) }

  /// Calls a method.
  ///
  /// - Parameters:
  ///   - target: Whom.
  ///   - method: What.
  ///   - arguments: With what.
  /// - Returns: What the answer bears; nil where the call cannot be made.
  func call(_ target: Target, _ method: String, _ arguments: [BusArgument] = []) -> UInt64? {
    var made: OpaquePointer?
    guard
      unsafe sd_bus_message_new_method_call(
        bus, &made, target.name, target.path, target.interface, method) >= 0,
      let message = unsafe made
    else { return nil }
    defer { unsafe sd_bus_message_unref(message) }
    var cookie: UInt64 = 0
    guard arguments.allSatisfy({ unsafe $0.append(to: message) >= 0 }),
      unsafe sd_bus_send(bus, message, &cookie) >= 0
    else { return nil }
    return cookie
  }

  /// Does what can be done without waiting.
  func next() -> Step {
    var message: OpaquePointer?
    let result = unsafe sd_bus_process(bus, &message)
    if let message = unsafe message { return unsafe .message(BusMessage(message)) }
    if result < 0 { return .lost(-result) }
    return result > 0 ? .progress : .idle
  }

  /// Whether something waits to be sent.
  var hasUnsent: Bool {
    var count: UInt64 = 0
    return unsafe sd_bus_get_n_queued_write(bus, &count) >= 0 && count > 0
  }

  /// What to wait for.
  var readiness: pollfd {
    pollfd(fd: unsafe sd_bus_get_fd(bus), events: Int16(clamping: unsafe sd_bus_get_events(bus)), revents: 0)
  }

  /// When ``next()`` wants to be called at the latest, in milliseconds of the monotonic clock; nil where that does not matter.
  var deadline: Int64? {
    var microseconds: UInt64 = 0
    guard unsafe sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds != .max else { return nil }
    return Int64(clamping: microseconds / 1000 + 1)
  }
}
