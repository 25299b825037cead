/// Which live source is meant, as people write it.
package enum SourceAddress: Hashable, Sendable, CustomStringConvertible {
  /// A gpsd: `localhost:2947`, `localhost:2947:/dev/ttyUSB0`, `gpsd://localhost/dev/ttyUSB0`.
  case gpsd(GPSDAddress)
  /// A receiver on a serial port: `serial:///dev/ttyUSB0?baud=38400`.
  case serial(path: String, baud: Int)
  /// A server that sends NMEA 0183: `tcp://192.168.1.5:10110`.
  case tcp(host: String, port: String)
  /// NMEA 0183 in datagrams, to one own address or to all: `udp://:10110`.
  case udp(host: String?, port: String)
  /// NMEA 0183 on standard input: `-`.
  case standardInput

  /// Reads an address.
  ///
  /// - Parameter text: One of the above.
  /// - Throws: `LiveSourceError` where it is none; it says what one looks like.
  package init(parsing text: String) throws(LiveSourceError) {
    guard text != "-" else {
      self = .standardInput
      return
    }
    guard !text.hasPrefix("/") else {
      throw Self.failure(text, "a path names no kind of source. For a serial port write 'serial://\(text)'.")
    }
    guard let (scheme, rest) = Self.split(text, at: "://"), !scheme.contains(":") else {
      self = .gpsd(try Self.gpsd(text, text, deviceMark: ":"))
      return
    }
    switch scheme.lowercased() {
    case "gpsd": self = .gpsd(try Self.gpsd(rest, text, deviceMark: "/"))
    case "serial": self = try Self.serial(rest, text)
    case "tcp":
      let (host, port, more) = try Self.place(rest, text)
      guard !host.isEmpty, let port, more.isEmpty else {
        throw Self.failure(text, "it needs a host and a port. Write it as 'tcp://HOST:PORT'.")
      }
      self = .tcp(host: host, port: port)
    case "udp":
      let (host, port, more) = try Self.place(rest, text)
      guard let port, more.isEmpty else {
        throw Self.failure(text, "it needs a port. Write it as 'udp://:PORT', or 'udp://ADDRESS:PORT'.")
      }
      self = .udp(host: host.isEmpty || host == "*" ? nil : host, port: port)
    default:
      throw Self.failure(
        text, "there is no kind '\(scheme)'. Use gpsd, serial, tcp or udp, or - for standard input.")
    }
  }

  /// The sources that are meant.
  ///
  /// Of several, no two have receivers of one name but by the user's own names: where there are others, a receiver has its path
  /// as its name, and where another source's may have that path too, the place of its gpsd stands before it.
  ///
  /// - Parameters:
  ///   - addresses: Where they are.
  ///   - options: What the user says about them.
  /// - Returns: A source for each address.
  package static func sources(_ addresses: [SourceAddress], options: SourceOptions) -> [any LiveSource] {
    var options = options
    options.hasCompany = addresses.count > 1
    return addresses.map { address in
      options.pathsMayRepeat = addresses.contains { address.mayRepeatPaths(of: $0) }
      return address.source(options: options)
    }
  }

  /// Whether a receiver of this gpsd may have a path that is another one's at the other source.
  private func mayRepeatPaths(of other: SourceAddress) -> Bool {
    switch (self, other) {
    case (.gpsd(let one), .gpsd(let other)): !one.isSame(as: other)
    case (.gpsd(let one), .serial): !one.isLocal
    default: false
    }
  }

  /// Whether both give the fixes of one receiver, as far as the addresses tell.
  package func sharesReceiver(with other: SourceAddress) -> Bool {
    switch (self, other) {
    case (.gpsd(let one), .gpsd(let other)):
      one.isSame(as: other) && (one.device == nil || other.device == nil || one.device == other.device)
    case (.serial(let path, _), .serial(let other, _)): path == other
    default: self == other
    }
  }

  /// The source that is meant.
  func source(options: SourceOptions) -> any LiveSource {
    switch self {
    case .gpsd(let address): GPSDSource(address, options: options)
    case .serial(let path, let baud): NMEASource(.serial(path: path, baud: baud), options: options)
    case .tcp(let host, let port): NMEASource(.tcp(host: host, port: port), options: options)
    case .udp(let host, let port): NMEASource(.udp(host: host, port: port), options: options)
    case .standardInput: NMEASource(.open(0, name: "standard input"), options: options)
    }
  }

  /// The address, in a form that is read as the same.
  package var description: String {
    switch self {
    case .gpsd(let address):
      "gpsd://\(address.place)" + (address.device.map { $0.hasPrefix("/") ? $0 : "/" + $0 } ?? "")
    case .serial(let path, let baud): "serial://\(path)?baud=\(baud)"
    case .tcp(let host, let port): NMEAInput.tcp(host: host, port: port).path
    case .udp(let host, let port): NMEAInput.udp(host: host, port: port).path
    case .standardInput: "-"
    }
  }

  // MARK: Parts

  private static func gpsd(_ rest: String, _ text: String, deviceMark: Character) throws(LiveSourceError)
    -> GPSDAddress
  {
    var (host, port, more) = try place(rest, text)
    var device: String?
    if !more.isEmpty {
      guard more.first == deviceMark else {
        throw failure(
          text, "'\(more)' is no receiver. Write it as 'HOST:PORT:DEVICE' or 'gpsd://HOST:PORT/DEVICE'.")
      }
      // A path keeps its slash; other sources of gpsd's are addresses.
      if deviceMark == ":" { more.removeFirst() }
      let named = String(more)
      let isAddress = deviceMark == "/" && named.contains("://")
      device = isAddress ? String(named.dropFirst()) : named
      if device == "" || device == "/" { device = nil }
    }
    guard !host.isEmpty else {
      throw failure(text, "it names no host. Write it as 'localhost:2947'.")
    }
    return GPSDAddress(host: host, port: port ?? "2947", device: device)
  }

  private static func serial(_ rest: String, _ text: String) throws(LiveSourceError) -> SourceAddress {
    let (path, query) = split(rest, at: "?") ?? (rest, "baud=9600")
    guard path.hasPrefix("/"), path.count > 1 else {
      throw failure(text, "it needs a path. Write it as 'serial:///dev/ttyUSB0'.")
    }
    guard let (name, value) = split(query, at: "="), name == "baud" else {
      throw failure(text, "'\(query)' is no setting. The only one is the speed: '?baud=9600'.")
    }
    guard let baud = Int(value), SerialPort.allSpeeds.contains(baud) else {
      let speeds = SerialPort.allSpeeds.map(String.init).joined(separator: ", ")
      throw failure(text, "'\(value)' is no speed. Use one of \(speeds).")
    }
    return .serial(path: path, baud: baud)
  }

  /// Host, port and what follows; IPv6 stands in brackets.
  private static func place(_ rest: String, _ text: String) throws(LiveSourceError) -> (
    host: String, port: String?, more: Substring
  ) {
    var rest = Substring(rest)
    let host: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else {
        throw failure(text, "a ']' is missing. Write it as '[::1]:2947'.")
      }
      host = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      host = rest.prefix { $0 != ":" && $0 != "/" }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == ":" else { return (String(host), nil, rest) }
    let port = rest.dropFirst().prefix { $0 != ":" && $0 != "/" }
    rest = rest.dropFirst(1 + port.count)
    guard let number = Int(port), (1...65_535).contains(number) else {
      throw failure(text, "'\(port)' is no port. A port is a number from 1 to 65535.")
    }
    return (String(host), String(number), rest)
  }

  private static func split(_ text: String, at mark: String) -> (String, String)? {
    guard let range = text.firstRange(of: mark) else { return nil }
    return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
  }

  private static func failure(_ text: String, _ reason: String) -> LiveSourceError {
    LiveSourceError(.address, "Cannot use the source '\(text)': \(reason)")
  }
}
