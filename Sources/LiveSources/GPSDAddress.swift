/// Where a gpsd is, and which of its receivers is wanted.
package struct GPSDAddress: Hashable, Sendable {
  /// A name or an address; without the brackets of IPv6.
  package var host: String
  /// A number or the name of a service.
  package var port: String
  /// The path by which gpsd knows the only receiver that is wanted; nil for all.
  package var device: String?

  /// Host and port as people write them: `localhost:2947`, `[::1]:2947`.
  var place: String { Self.place(host, port) }

  /// How signals call it, and how it is written: `localhost:2947`, `localhost:2947:/dev/ttyUSB0`.
  var name: String { device.map { "\(place):\($0)" } ?? place }

  static func place(_ host: String, _ port: String) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Whether it is on this machine, as far as its name tells.
  var isLocal: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// Whether it is the same gpsd, as far as the names tell.
  func isSame(as other: GPSDAddress) -> Bool {
    port == other.port && (host == other.host || isLocal && other.isLocal)
  }
}
