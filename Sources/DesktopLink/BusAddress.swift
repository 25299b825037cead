internal import Glibc

/// Where the session bus of this user is.
enum BusAddress {
  /// The address that the environment gives.
  ///
  /// - Parameter variables: Gives the value of a variable.
  /// - Returns: An address such as `unix:path=/run/user/1000/bus`; nil where there is none.
  /// - Source: D-Bus Specification, Well-known Message Bus Instances; sd_bus_open_user(3).
  static func session(_ variables: (String) -> String? = variable) -> String? {
    if let address = variables("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    guard let folder = variables("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
    return "unix:path=" + (folder + "/bus").percentEncoded(keeping: "-_/.\\*")
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  static let missing = DesktopLinkError(
    .noBus, "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR says where the session bus is",
    "Run this in the session of a user who is logged in.")

  /// What is said where the bus cannot be reached.
  static func unreachable(_ address: String, systemError: Int32) -> DesktopLinkError {
    let text = unsafe strerror(systemError).map { unsafe String(cString: $0) } ?? "error \(systemError)"
    let reason = text.prefix(1).lowercased() + text.dropFirst()
    return DesktopLinkError(
      .noBus, "the session bus at '\(address)' cannot be used: \(reason)",
      "Run this as the user who is logged in, and see that DBUS_SESSION_BUS_ADDRESS is right.")
  }
}
