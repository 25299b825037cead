internal import CFencelineMicrohttpd
internal import Synchronization

/// An HTTP server on a Unix socket, for its owner alone (mode 0600).
///
/// It has a thread of its own, on which `routes` is called: that should answer at once, for while it does not nobody is
/// served. Clients that say nothing for ten seconds, ask for more than 32 KB of headers or come in crowds are turned away.
///
/// ```swift
/// let hub = EventHub()
/// let server = try HTTPServer(unixSocket: "/run/user/1000/example") { request in
///   request.path == "/events" ? .events(hub) : .plain("There is no such page.", status: 404)
/// }
/// ```
package final class HTTPServer: Sendable {
  /// How many clients may be connected at once; more of them wait.
  package static let maximumClients = 96

  private let listener: UnixListener
  let streams = StreamSet()
  /// Both nil once it has stopped.
  private let running = Mutex<(daemon: Handle?, ticker: Ticker?)>((nil, nil))
  let routes: @Sendable (HTTPRequest) -> HTTPAnswer

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - path: Where clients connect. A socket that bears the name already is replaced: the caller knows that nobody serves it.
  ///   - keepAlive: After how many milliseconds a stream of events is given a comment.
  ///   - routes: Gives the answer to a request; called on the server's thread.
  /// - Throws: ``HTTPServerError``.
  package init(
    unixSocket path: String, keepAlive: Int32 = 15_000,
    routes: @escaping @Sendable (HTTPRequest) -> HTTPAnswer
  ) throws(HTTPServerError) {
    listener = try UnixListener(path: path)
    self.routes = routes
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    let daemon = unsafe fenceline_start_daemon(
      listener.descriptor, Exchange.handle, Exchange.complete, owner, UInt32(HTTPServer.maximumClients), 10,
      32_768)
    guard let daemon = unsafe daemon else {
      listener.abandon()
      throw HTTPServerError(path, "no thread can be started for it", "End other programs and try again.")
    }
    let ticker = Ticker(every: keepAlive, watching: streams.descriptor) { [streams] event in
      switch event {
      case .time: streams.keepAlive()
      case .descriptor: streams.hangUp()
      }
    }
    running.withLock { unsafe $0 = (Handle(daemon), ticker) }
  }

  deinit { stop() }

  /// Ends every connection and takes the socket away. It must not be called on the server's own thread; a second call does nothing.
  package func stop() {
    let (daemon, ticker) = running.withLock { running in
      defer { running = (nil, nil) }
      return running
    }
    guard let daemon else { return }
    listener.removeName()
    ticker?.stop()
    // A daemon may not end while connections are suspended; those of streams that have ended are never suspended again.
    streams.end()
    unsafe MHD_stop_daemon(daemon.pointer)
  }
}
