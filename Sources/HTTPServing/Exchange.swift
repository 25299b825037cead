internal import CFencelineMicrohttpd
internal import Glibc

/// One request while it is received, and its answer.
final class Exchange {
  private var body: [UInt8] = []
  private var received = 0

  /// Bytes of a body that is too long which are read and forgotten, so that the client hears why; then it is cut off.
  private static let patience = 16 * HTTPRequest.maximumBody

  /// What libmicrohttpd calls: first with the headers, then with each piece of the body, at last with none.
  static let handle: MHD_AccessHandlerCallback = { owner, connection, url, method, _, upload, size, context in
    guard let owner = unsafe owner, let connection = unsafe connection, let context = unsafe context,
      let size = unsafe size
    else { return .NO }
    let server = unsafe Unmanaged<HTTPServer>.fromOpaque(owner).takeUnretainedValue()
    guard let known = unsafe context.pointee else {
      unsafe context.pointee = Unmanaged.passRetained(Exchange()).toOpaque()
      let announced = unsafe MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length")
      if let announced = unsafe announced,
        (Int(unsafe String(cString: announced)) ?? .max) > HTTPRequest.maximumBody
      {
        return unsafe answer(tooLong, on: connection, of: server)
      }
      return .YES
    }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if unsafe size.pointee > 0 {
      unsafe exchange.receive(UnsafeRawBufferPointer(start: upload, count: size.pointee))
      unsafe size.pointee = 0
      return exchange.received <= patience ? .YES : .NO
    }
    guard exchange.received <= HTTPRequest.maximumBody else {
      return unsafe answer(tooLong, on: connection, of: server)
    }
    let request = unsafe HTTPRequest(
      method: method.map { unsafe String(cString: $0) } ?? "",
      path: url.map { unsafe String(cString: $0) } ?? "",
      query: values(.GET_ARGUMENT_KIND, of: connection) { $0 },
      headers: values(.HEADER_KIND, of: connection) { $0.lowercased() }, body: exchange.body)
    return unsafe answer(server.routes(request), on: connection, of: server)
  }

  /// What libmicrohttpd calls at the end of a request, however it ended.
  static let complete: MHD_RequestCompletedCallback = { _, _, context, _ in
    guard let context = unsafe context, let known = unsafe context.pointee else { return }
    unsafe Unmanaged<Exchange>.fromOpaque(known).release()
    unsafe context.pointee = nil
  }

  private static let tooLong = HTTPAnswer.plain("The body is longer than 1 MB.", status: 413)

  private func receive(_ piece: UnsafeRawBufferPointer) {
    received += piece.count
    guard received <= HTTPRequest.maximumBody else {
      body = []
      return
    }
    unsafe body.append(contentsOf: piece)
  }

  /// The headers or the query.
  private static func values(
    _ kind: MHD_ValueKind, of connection: OpaquePointer, naming: (String) -> String
  ) -> [String: String] {
    var found: [(String, String)] = []
    _ = unsafe withUnsafeMutablePointer(to: &found) { found in
      unsafe MHD_get_connection_values(
        connection, kind,
        { context, _, name, value in
          guard let context = unsafe context, let name = unsafe name else { return .YES }
          let found = unsafe context.assumingMemoryBound(to: [(String, String)].self)
          unsafe found.pointee.append(
            (String(cString: name), value.map { unsafe String(cString: $0) } ?? ""))
          return .YES
        }, found)
    }
    return Dictionary(found.map { (naming($0.0), $0.1) }) { $1 }
  }

  private static func answer(_ answer: HTTPAnswer, on connection: OpaquePointer, of server: HTTPServer)
    -> MHD_Result
  {
    let response: OpaquePointer?
    let status: Int
    let type: String
    switch answer {
    case .body(let code, let contentType, let content):
      (status, type) = (code, contentType)
      // Copied: libmicrohttpd only reads what it may copy, though its type says otherwise.
      unsafe response = content.withUnsafeBytes { content in
        unsafe MHD_create_response_from_buffer(
          content.count, UnsafeMutableRawPointer(mutating: content.baseAddress), .RESPMEM_MUST_COPY)
      }
    case .events(let hub, let names, let after):
      (status, type) = (200, "text/event-stream")
      unsafe response = Subscription.response(to: hub, names: names, after: after, on: connection, of: server)
      // A client that takes nothing for so long is cut off; until then it may lose events, and is told.
      unsafe fenceline_set_timeout(connection, 300)
    }
    guard let response = unsafe response else { return .NO }
    defer { unsafe MHD_destroy_response(response) }
    for (name, value) in [
      ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ] {
      unsafe MHD_add_response_header(response, name, value)
    }
    return unsafe MHD_queue_response(connection, UInt32(status), response)
  }
}

/// What libmicrohttpd holds of a stream of events as long as it sends it.
private final class Subscription {
  private let hub: EventHub
  private let server: HTTPServer
  private let stream: EventStream
  private let connection: Handle

  private init(_ hub: EventHub, _ server: HTTPServer, _ stream: EventStream, _ connection: Handle) {
    self.hub = hub
    self.server = server
    self.stream = stream
    self.connection = connection
  }

  static func response(
    to hub: EventHub, names: Set<String>?, after: String?, on connection: OpaquePointer, of server: HTTPServer
  ) -> OpaquePointer? {
    let stream = hub.subscribe(names: names, after: after)
    server.streams.add(stream, socket: unsafe fenceline_socket(connection))
    let subscription = unsafe Unmanaged.passRetained(Subscription(hub, server, stream, Handle(connection)))
    let response = unsafe MHD_create_response_from_callback(
      UInt64.max, 4096,
      { context, _, buffer, room in
        guard let context = unsafe context else { return -1 }
        let own = unsafe Unmanaged<Subscription>.fromOpaque(context).takeUnretainedValue()
        return unsafe own.stream.read(
          into: UnsafeMutableRawBufferPointer(start: buffer, count: room), for: own.connection)
      }, subscription.toOpaque(),
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Subscription>.fromOpaque(context).takeRetainedValue().end()
      })
    if unsafe response == nil { unsafe subscription.takeRetainedValue().end() }
    return unsafe response
  }

  private func end() {
    hub.remove(stream)
    server.streams.remove(stream)
  }
}
