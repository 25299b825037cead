internal import CFencelineCurl
package import FencelineTransfers

/// Calls services in the network, from as many threads as one likes; connections stay open for the next call.
///
/// TLS is always verified, redirects are never followed, nothing but http and https is spoken. Addresses of this machine and of its own link
/// are refused unless they are allowed, when the connection is made: whatever name has led there, and whatever it led to before. With a proxy it is the
/// proxy that connects: then only a URL that itself says such an address is refused.
package final class WebClient: Sendable {
  /// How much of an answer is kept, in bytes; it is read no further.
  package static let mostBody = 64 << 10

  private let pool = TransferPool()
  private let agent: String
  private let trusted: String?
  private let allowsLocal: Bool

  /// A client.
  ///
  /// - Parameters:
  ///   - agent: What it calls itself: `fenceline/1.0`.
  ///   - trusted: A file of certificates that are trusted instead of the system's.
  ///   - allowsLocal: Whether it may connect to loopback and link-local addresses.
  package init(agent: String, trusting trusted: String? = nil, allowsLocal: Bool = false) {
    self.agent = agent
    self.trusted = trusted
    self.allowsLocal = allowsLocal
  }

  /// Asks and waits for the answer.
  ///
  /// - Parameter request: What is asked.
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``TransferError`` where there is none.
  package func send(_ request: WebRequest) throws(TransferError) -> WebAnswer {
    var body: [UInt8] = []
    var isCut = false
    var answer = try perform(request, limits: [(CURLOPT_TIMEOUT_MS, request.timeLimit)]) { piece in
      let room = WebClient.mostBody - body.count
      body += piece.prefix(room)
      isCut = piece.count > room
      return !isCut
    }
    answer.body = body
    answer.isCut = isCut
    return answer
  }

  /// Asks for something that goes on, and takes it piece by piece.
  ///
  /// - Parameters:
  ///   - request: What is asked; its limit for the whole does not count.
  ///   - silence: Seconds without anything after which it is taken to be broken off.
  ///   - take: Takes a piece; false ends it.
  /// - Returns: The answer without its content, once it has ended.
  /// - Throws: ``TransferError``.
  package func follow(
    _ request: WebRequest, silence: Int, take: @escaping ([UInt8]) -> Bool
  ) throws(TransferError) -> WebAnswer {
    var limited = request
    limited.timeLimit = silence * 1000
    let limits = [(CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, silence)]
    return try perform(limited, limits: limits, take: take)
  }

  /// Ends all that is being asked, and all that would be; from any thread, without waiting.
  package func stop() { pool.stop() }

  private func perform(
    _ request: WebRequest, limits: [(CURLoption, Int)], take: @escaping ([UInt8]) -> Bool
  ) throws(TransferError) -> WebAnswer {
    if !allowsLocal, request.address.isLocal {
      throw TransferError(
        .localTarget,
        "The URL says this machine or its own link (loopback or link-local), where nothing is sent. Allow that with --allow-local."
      )
    }
    let transfer = try pool.borrow()
    defer { pool.giveBack(transfer) }
    transfer.reset(refusesLocal: !allowsLocal && request.proxy == nil)
    transfer.set(CURLOPT_PROTOCOLS_STR, "http,https")
    transfer.set(CURLOPT_URL, request.address.text)
    transfer.set(CURLOPT_USERAGENT, agent)
    if let trusted { transfer.trust(only: trusted) }
    if let proxy = request.proxy { transfer.set(CURLOPT_PROXY, proxy) }
    if let body = request.body { transfer.post(body) }
    transfer.set(CURLOPT_CUSTOMREQUEST, request.method)
    // Without the empty one, a long body would wait for a word that it is welcome.
    let headers = request.headers.map { "\($0.name): \($0.value)" }
    transfer.set(CURLOPT_HTTPHEADER, headers + ["Expect:"])
    // The proxy gets none of them.
    transfer.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    transfer.set(CURLOPT_CONNECTTIMEOUT_MS, request.connectLimit)
    for (option, value) in limits { transfer.set(option, value) }
    transfer.take = take
    try transfer.finish("server", connectLimit: request.connectLimit, timeLimit: request.timeLimit)
    let after = transfer.longNumber(CURLINFO_RETRY_AFTER)
    let redirect = transfer.text(CURLINFO_REDIRECT_URL).flatMap { WebAddress($0)?.host }
    return WebAnswer(
      status: transfer.number(CURLINFO_RESPONSE_CODE), body: [], isCut: false,
      retryAfter: after > 0 ? Double(after) : nil, redirectHost: redirect)
  }
}
