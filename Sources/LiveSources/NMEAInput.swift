import Glibc

/// Where sentences come from.
enum NMEAInput: Hashable, Sendable {
  /// A serial port or pseudo-terminal, and its speed in bits a second.
  case serial(path: String, baud: Int)
  /// A server that sends to whoever connects.
  case tcp(host: String, port: String)
  /// Datagrams to an own port, on one own address or on all.
  case udp(host: String?, port: String)
  /// A descriptor that is open already and stays so, and what it is called.
  case open(Int32, name: String)

  /// How signals call it.
  var name: String {
    switch self {
    case .serial(let path, _): "serial \(path)"
    case .tcp(let host, let port): "tcp \(GPSDAddress.place(host, port))"
    case .udp(let host, let port): "udp \(GPSDAddress.place(host ?? "*", port))"
    case .open(_, let name): name
    }
  }

  /// What the user's patterns for receivers are compared with: `/dev/ttyUSB0`, `tcp://boat:10110`, `udp://:10110`.
  var path: String {
    switch self {
    case .serial(let path, _): path
    case .tcp(let host, let port): "tcp://\(GPSDAddress.place(host, port))"
    case .udp(let host, let port): "udp://\(host.map { GPSDAddress.place($0, port) } ?? ":\(port)")"
    case .open: name
    }
  }

  /// The state while it cannot be read from.
  var absence: SignalState {
    switch self {
    case .serial, .open: .noReceiver
    case .tcp, .udp: .connecting
    }
  }

  /// Opens it; blocks for some seconds where a host does not answer.
  func open() throws(OpeningFailure) -> Int32 {
    switch self {
    case .serial(let path, let baud): try SerialPort.open(path, baud: baud)
    case .tcp(let host, let port): try NetworkSocket.connect(to: host, port)
    case .udp(let host, let port): try NetworkSocket.receive(at: host, port)
    case .open(let descriptor, _): descriptor
    }
  }

  /// Closes what ``open()`` has given.
  func close(_ descriptor: Int32) {
    if case .open = self { return }
    Glibc.close(descriptor)
  }

  /// What is told where it cannot be opened: what is wrong and what to do.
  func sentence(_ failure: OpeningFailure) -> String {
    switch self {
    case .serial(let path, _):
      "Cannot read the serial port '\(path)': \(SerialPort.explanation(failure, path))"
    case .tcp(let host, let port):
      "Cannot reach the NMEA server at \(GPSDAddress.place(host, port)): \(failure.reason). "
        + "Check that it runs, and its port."
    case .udp(let host, let port):
      "Cannot receive datagrams at \(GPSDAddress.place(host ?? "*", port)): \(failure.reason). "
        + (failure.code == EADDRINUSE
          ? "Another program does: end it, or take another port." : "Check the address and the port.")
    case .open(_, let name): "Cannot read \(name): \(failure.reason). Check what is connected to it."
    }
  }

  /// What is told where it has ended.
  var ending: String {
    switch self {
    case .serial(let path, _): "The serial port '\(path)' has gone. Plug the receiver in again."
    case .tcp(let host, let port):
      "The NMEA server at \(GPSDAddress.place(host, port)) has ended the connection. It is tried again."
    case .udp: "The socket has ended."
    case .open(_, let name): name.prefix(1).uppercased() + name.dropFirst() + " has ended."
    }
  }

  /// What is told where nothing of use has come for so many seconds.
  ///
  /// - Parameters:
  ///   - seconds: How long.
  ///   - hasBytes: Whether something came that holds no sentence.
  /// - Returns: What is wrong and what to do.
  func silence(_ seconds: Int64, hasBytes: Bool) -> String {
    let sender =
      switch self {
      case .serial(let path, _): path
      default: name
      }
    guard hasBytes else {
      return "Nothing has come from \(sender) for \(seconds) s. Check its cable and its power."
    }
    let advice =
      if case .serial(_, let baud) = self {
        "Check the speed, which is \(baud): '?baud=4800' behind the path says another."
      } else {
        "Check that it is NMEA 0183."
      }
    return "What has come from \(sender) for \(seconds) s holds no sentences. \(advice)"
  }
}
