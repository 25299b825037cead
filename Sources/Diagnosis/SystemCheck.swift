internal import FencelineSystemdLink
internal import Glibc

/// What the machine gives to the service: clock, serial ports, session bus, systemd.
package enum SystemCheck {
  /// Whether the clock is synchronised.
  package static func clock() -> Finding {
    switch SystemClock.isSynchronised {
    case true?: Finding("clock", .ok, "The system's clock is synchronised.")
    case false?:
      Finding(
        "clock", .warning,
        "The system's clock is not synchronised: fixes that lie in the future are not recognised.",
        advice: "sudo timedatectl set-ntp true; without a network, let chrony take the time from gpsd")
    case nil:
      Finding(
        "clock", .warning, "Whether the system's clock is synchronised cannot be asked here.",
        advice: "timedatectl")
    }
  }

  /// Whether this user may use the serial ports; nothing where there are none.
  package static func serialPorts() -> [Finding] {
    let ports = ["ttyUSB", "ttyACM", "ttyAMA"].flatMap { paths(matching: "/dev/\($0)*") }
    guard !ports.isEmpty else { return [] }
    let closed = ports.filter { unsafe access($0, R_OK | W_OK) != 0 }
    guard let first = closed.first else {
      return [Finding("serial", .ok, "You may use \(ports.joined(separator: ", ")).")]
    }
    return [
      Finding(
        "serial", .warning,
        "You may not use \(closed.joined(separator: ", ")); that matters without gpsd only.",
        advice: "sudo usermod -aG \(group(of: first)) \"$USER\", then log in again")
    ]
  }

  private static func group(of path: String) -> String {
    guard let status = fileStatus(path), let group = unsafe getgrgid(status.st_gid) else { return "dialout" }
    return unsafe String(cString: group.pointee.gr_name)
  }

  /// Whether the user's session bus can be reached, over which notifications go.
  package static func sessionBus() -> Finding {
    let advice = "Run this in a desktop session, or: loginctl enable-linger"
    guard
      let path = busPath(environment("DBUS_SESSION_BUS_ADDRESS"))
        ?? environment("XDG_RUNTIME_DIR").map({ $0 + "/bus" })
    else {
      return Finding(
        "bus", .warning, "There is no session bus here; notifications on the desktop need it.", advice: advice
      )
    }
    let number = connect(to: path)
    guard number != 0 else { return Finding("bus", .ok, "The session bus answers.") }
    return Finding(
      "bus", .warning,
      "The session bus at '\(path)' cannot be reached (\(systemMessage(number))); notifications on the desktop need it.",
      advice: advice)
  }

  /// The path of the first Unix socket in a D-Bus address.
  ///
  /// - Source: D-Bus Specification, Server Addresses.
  static func busPath(_ address: String?) -> String? {
    for entry in (address ?? "").split(separator: ";") where entry.hasPrefix("unix:") {
      for pair in entry.dropFirst(5).split(separator: ",") {
        guard let text = ["path=", "abstract="].first(where: { pair.hasPrefix($0) }) else { continue }
        let value = unescaped(pair.dropFirst(text.count))
        return text == "path=" ? value : "\u{0}" + value
      }
    }
    return nil
  }

  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Returns: The number of the error, 0 where somebody listens.
  private static func connect(to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      unsafe room.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { return ENAMETOOLONG }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    // An abstract name ends where the address does.
    let size = MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("\u{0}") ? 0 : 1)
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe Glibc.connect(descriptor, address, socklen_t(size)) == 0 ? 0 : errno
      }
    }
  }

  /// Whether systemd starts the service; nothing where systemd does not run.
  ///
  /// - Parameters:
  ///   - root: The folder that stands for `/`.
  ///   - home: The user's home folder.
  /// - Returns: One finding, or none.
  package static func unit(root: String = "", home: String? = environment("HOME")) -> [Finding] {
    guard fileStatus(root + "/run/systemd/system") != nil else { return [] }
    let user = environment("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
    func isThere(_ name: String, in folders: [String]) -> Bool {
      folders.contains { unsafe lstat("\($0)/\(name)", &unused) == 0 }
    }
    var unused = stat()
    let system = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\(root)\($0)/systemd" }
    let own = user.map { [$0 + "/systemd/user", (home ?? "") + "/.local/share/systemd/user"] } ?? []
    let wants = [
      (
        isThere("multi-user.target.wants/fenceline.service", in: system.map { $0 + "/system" }),
        "with the machine"
      ),
      (
        isThere("default.target.wants/fenceline.service", in: own + system.map { $0 + "/user" }),
        "when you log in"
      ),
    ]
    for (isEnabled, time) in wants where isEnabled {
      return [Finding("unit", .ok, "systemd starts the service \(time).")]
    }
    guard isThere("fenceline.service", in: own + system.map { $0 + "/user" } + system.map { $0 + "/system" })
    else {
      return [
        Finding(
          "unit", .warning, "systemd does not know the service.",
          advice: "tools/install, in the source of fenceline")
      ]
    }
    return [
      Finding(
        "unit", .warning, "systemd does not start the service by itself.",
        advice:
          "systemctl --user enable --now fenceline, or for everyone: sudo systemctl enable --now fenceline")
    ]
  }
}
