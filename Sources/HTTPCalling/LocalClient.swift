internal import CFencelineCurl
internal import Glibc

/// A client of an HTTP service on a Unix socket of this machine.
package struct LocalClient: Sendable {
  /// The socket's path, of any length.
  package let unixSocket: String

  /// The longest answer that is taken, in bytes.
  package static let maximumBody = 16 << 20

  /// O_PATH, which the C library shows to GNU programs alone: a descriptor that only stands for a file, a socket too.
  ///
  /// - Source: Linux, include/uapi/asm-generic/fcntl.h.
  private static let pathOnly: Int32 = 0o10_000_000

  /// A client; it connects anew with every call.
  package init(unixSocket: String) {
    self.unixSocket = unixSocket
  }

  /// Asks for a page.
  ///
  /// - Parameters:
  ///   - path: The path with its query: `/api/v1/status`.
  ///   - patience: Milliseconds to wait for the whole answer.
  /// - Returns: The status and the content.
  /// - Throws: ``LocalClientError``.
  package func get(_ path: String, patience: Int = 5000) throws(LocalClientError) -> (
    status: Int, body: [UInt8]
  ) {
    try ask(path, headers: [], body: nil, patience: patience)
  }

  /// Sends a JSON text.
  ///
  /// - Parameters:
  ///   - path: The path with its query: `/api/v1/presentation/12?app=com.example.mail`.
  ///   - body: The text.
  ///   - patience: Milliseconds to wait for the whole answer.
  /// - Returns: The status and the content.
  /// - Throws: ``LocalClientError``.
  package func post(_ path: String, _ body: String, patience: Int = 5000) throws(LocalClientError) -> (
    status: Int, body: [UInt8]
  ) {
    // Without the empty one, a long body would wait for a word that it is welcome.
    try ask(
      path, headers: ["Content-Type: application/json", "Expect:"], body: Array(body.utf8), patience: patience
    )
  }

  private func ask(
    _ path: String, headers: [String], body sent: [UInt8]?, patience: Int
  ) throws(LocalClientError) -> (status: Int, body: [UInt8]) {
    var body: [UInt8] = []
    let options = [(CURLOPT_TIMEOUT_MS, patience)]
    let status = try unsafe perform(path, headers: headers, body: sent, options: options) { piece in
      unsafe body.append(contentsOf: piece)
      return body.count <= LocalClient.maximumBody
    }
    guard body.count <= LocalClient.maximumBody else {
      throw LocalClientError(.fault, "the answer is too long")
    }
    return (status, body)
  }

  /// Follows a stream of events until the server ends it, however long nothing comes: where the server dies, the system closes the
  /// connection.
  ///
  /// - Parameters:
  ///   - path: The path with its query: `/api/v1/events`.
  ///   - after: The id of the last event that is known, to go on behind it.
  ///   - onEvent: Takes an event; false ends it.
  /// - Returns: The status of the answer: 200 where there was a stream.
  /// - Throws: ``LocalClientError``.
  @discardableResult
  package func events(
    _ path: String, after: String? = nil, onEvent: (ServerEvent) -> Bool
  ) throws(LocalClientError) -> Int {
    var parser = ServerEventParser()
    let headers = ["Accept: text/event-stream"] + (after.map { ["Last-Event-ID: \($0)"] } ?? [])
    return try unsafe perform(path, headers: headers, options: [(CURLOPT_CONNECTTIMEOUT_MS, 5000)]) { piece in
      for event in unsafe parser.read(piece) where !onEvent(event) { return false }
      return true
    }
  }

  private func perform(
    _ path: String, headers: [String], body: [UInt8]? = nil, options: [(CURLoption, Int)],
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(LocalClientError) -> Int {
    // A path may be longer than a socket's address; the way over its descriptor is always short.
    let socket = unsafe open(unixSocket, LocalClient.pathOnly | O_CLOEXEC)
    guard socket >= 0 else { throw LocalClientError(systemError: errno) }
    defer { close(socket) }
    guard let handle = unsafe curl_easy_init() else { throw LocalClientError(.fault, "out of memory") }
    defer { unsafe curl_easy_cleanup(handle) }
    var list: UnsafeMutablePointer<curl_slist>?
    for header in headers { unsafe list = curl_slist_append(list, header) }
    defer { unsafe curl_slist_free_all(list) }
    unsafe fenceline_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, "/proc/self/fd/\(socket)")
    unsafe fenceline_set_text(handle, CURLOPT_URL, "http://localhost" + path)
    // Variables of the environment may name a proxy.
    unsafe fenceline_set_text(handle, CURLOPT_PROXY, "")
    unsafe fenceline_set_headers(handle, list)
    if let body {
      _ = unsafe body.withUnsafeBytes { unsafe fenceline_set_body(handle, $0.baseAddress, $0.count) }
    }
    for (option, value) in options + [(CURLOPT_NOSIGNAL, 1)] {
      unsafe fenceline_set_number(handle, option, value)
    }
    let (result, isRefused) = unsafe withoutActuallyEscaping(take) { take in
      let reception = unsafe Reception(take)
      unsafe fenceline_set_writer(handle, Reception.write, Unmanaged.passUnretained(reception).toOpaque())
      let result = withExtendedLifetime(reception) { unsafe curl_easy_perform(handle) }
      return (result, reception.isRefused)
    }
    let status = unsafe fenceline_status(handle)
    switch result {
    case CURLE_OK: return status
    case CURLE_WRITE_ERROR where isRefused: return status
    case CURLE_COULDNT_CONNECT:
      throw LocalClientError(systemError: Int32(unsafe fenceline_system_error(handle)))
    case CURLE_OPERATION_TIMEDOUT: throw LocalClientError(.noAnswer, "no answer in time")
    default:
      let reason = unsafe curl_easy_strerror(result).map { unsafe String(cString: $0) } ?? "error"
      throw LocalClientError(.fault, reason.prefix(1).lowercased() + reason.dropFirst())
    }
  }
}

/// Hands what arrives on from C.
@safe private final class Reception {
  private let take: (UnsafeRawBufferPointer) -> Bool
  private(set) var isRefused = false

  init(_ take: @escaping (UnsafeRawBufferPointer) -> Bool) { unsafe self.take = take }

  static let write: curl_write_callback = { bytes, size, count, context in
    guard let context = unsafe context else { return 0 }
    let own = unsafe Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
    own.isRefused = unsafe !own.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return own.isRefused ? 0 : size * count
  }
}

extension LocalClientError {
  /// What the system says where nobody can be reached.
  init(systemError: Int32) {
    let code: Code =
      switch systemError {
      case ENOENT, ENOTDIR, ECONNREFUSED: .nobodyListens
      case EACCES, EPERM: .notPermitted
      case EAGAIN: .noAnswer
      default: .fault
      }
    let text = unsafe strerror(systemError).map { unsafe String(cString: $0) } ?? "error \(systemError)"
    self.init(code, text.prefix(1).lowercased() + text.dropFirst())
  }
}
