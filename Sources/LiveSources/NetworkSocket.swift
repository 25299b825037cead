// Both bring timeval; which of them owns it is the compiler's choice.
import CFencelineGPS
import Glibc

/// Why something could not be opened: the words that follow a colon, and what the system called it.
struct OpeningFailure: Error {
  /// In lower case, without a full stop: `connection refused`.
  var reason: String
  /// The system's number for it; 0 where it has none.
  var code: Int32 = 0

  init(_ code: Int32) {
    self.code = code
    reason = systemMessage(code)
  }

  init(_ reason: String) {
    self.reason = reason
  }
}

/// Sockets that NMEA or gpsd's reports come through.
enum NetworkSocket {
  /// Seconds after which a host that does not answer is given up.
  private static let patience = 5

  /// Connects by TCP; blocks while it does, 5 s for each address of the host and however long its name takes.
  static func connect(to host: String, _ port: String) throws(OpeningFailure) -> Int32 {
    try unsafe open(host, port, SOCK_STREAM) { descriptor, address in
      // Linux bounds a connect by the time-out for sending.
      var time = timeval(tv_sec: patience, tv_usec: 0)
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
      keepAlive(descriptor)
      return unsafe Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0
    }
  }

  /// Receives datagrams on a port.
  ///
  /// - Parameters:
  ///   - host: The own address; nil stands for all.
  ///   - port: The own port.
  /// - Returns: A descriptor.
  /// - Throws: `OpeningFailure` where the port cannot be had.
  static func receive(at host: String?, _ port: String) throws(OpeningFailure) -> Int32 {
    try unsafe open(host, port, SOCK_DGRAM) { descriptor, address in
      var no: Int32 = 0
      // On every address means on those of IPv4 as well.
      if unsafe address.ai_family == AF_INET6 {
        unsafe setsockopt(
          descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
      }
      return unsafe bind(descriptor, address.ai_addr, address.ai_addrlen) == 0
    }
  }

  /// Lets the system find out within a minute that a host is gone which sent nothing anyway.
  static func keepAlive(_ descriptor: Int32) {
    for (level, option, value) in [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 20),
      (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
    ] as [(Int32, Int32, Int32)] {
      var value = value
      unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  private static func open(
    _ host: String?, _ port: String, _ kind: __socket_type, _ use: (Int32, addrinfo) -> Bool
  ) throws(OpeningFailure) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(kind.rawValue)
    unsafe hints.ai_flags = host == nil ? AI_PASSIVE : 0
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, port, &hints, &list)
    guard code == 0 else {
      guard code != EAI_SYSTEM else { throw OpeningFailure(errno) }
      throw OpeningFailure(
        code == EAI_NONAME
          ? "there is no host of that name" : unsafe String(cString: gai_strerror(code)).lowercased())
    }
    defer { unsafe freeaddrinfo(list) }
    var failure = OpeningFailure("the host has no address")
    var next = unsafe list
    // A wildcard is listed for IPv4 first; IPv6's takes both.
    if host == nil, let second = unsafe list?.pointee.ai_next, unsafe second.pointee.ai_family == AF_INET6 {
      unsafe next = second
    }
    while let address = unsafe next?.pointee {
      let descriptor = unsafe socket(
        address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), address.ai_protocol)
      if descriptor >= 0 {
        if unsafe use(descriptor, address) { return descriptor }
        // A connect that timed out is called one in progress.
        failure = OpeningFailure(errno == EINPROGRESS ? ETIMEDOUT : errno)
        close(descriptor)
      } else {
        failure = OpeningFailure(errno)
      }
      unsafe next = address.ai_next
    }
    throw failure
  }
}
