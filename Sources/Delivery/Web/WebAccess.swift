internal import FencelineHTTPCalling
internal import FencelineTransfers

/// How a channel reaches a service in the network: what its kinds of channels have in common.
struct WebAccess: Sendable {
  let setup: ChannelSetup
  let context: ChannelContext
  let client: WebClient
  private let timeLimit: Int

  /// What can be said about it.
  static let options: [ChannelOption] =
    [
      ChannelOption(
        "ca-file", .file,
        "A file of certificates (PEM) that are trusted instead of the system's, for a private CA."),
      ChannelOption(
        "proxy", .text("URL"),
        "A proxy to go through, http, https, socks5 or socks5h; variables of the environment do not count by themselves."
      ),
    ] + ChannelOption.secret("proxy", "the proxy's URL, where that holds a password") + [
      ChannelOption("timeout", .duration, "How long one attempt may take, 1s to 10m; 30s if not said."),
      ChannelOption(
        "allow-local", .flag,
        "Allow targets on this machine and its own link (loopback and link-local addresses)."),
    ]

  init(_ setup: ChannelSetup, _ context: ChannelContext) throws(ChannelError) {
    let seconds = setup.number("timeout") ?? 30
    guard (1...600).contains(seconds) else {
      throw ChannelError("The time limit of \(seconds) s is out of bounds. Choose one from 1s to 10m.")
    }
    if let proxy = setup["proxy"] {
      guard !proxy.contains("@") else {
        throw ChannelError(
          "The URL of the proxy holds a user. Write it into a file and name that with --proxy-file.")
      }
      guard WebAccess.isProxy(proxy) else {
        throw ChannelError(
          "'\(proxy)' is no URL of a proxy. Write it like http://proxy.example.org:3128 or socks5h://127.0.0.1:1080."
        )
      }
    }
    self.setup = setup
    self.context = context
    timeLimit = Int(seconds * 1000)
    client = WebClient(
      agent: "fenceline/\(context.version)", trusting: setup["ca-file"],
      allowsLocal: setup.isSet("allow-local"))
  }

  private static func isProxy(_ text: String) -> Bool {
    let parts = text.split(separator: "://", maxSplits: 1)
    guard parts.count == 2, ["http", "https", "socks5", "socks5h"].contains(parts[0]) else { return false }
    return WebAddress("http://" + parts[1]) != nil
  }

  /// Reads a URL to go to.
  ///
  /// - Parameters:
  ///   - text: The URL.
  ///   - isSecret: Whether sentences must not repeat it.
  ///   - advice: Where to put a user and a password.
  /// - Returns: Where it leads.
  /// - Throws: ``ChannelError``.
  func address(_ text: String, isSecret: Bool, login advice: String) throws(ChannelError) -> WebAddress {
    let name = isSecret ? "The URL of channel '\(setup.name)'" : "The URL '\(text)'"
    guard let address = WebAddress(text) else {
      throw ChannelError("\(name) is none of http or https. Write it like https://example.org/path.")
    }
    // Before anything that repeats it.
    guard !address.hasLogin else {
      throw ChannelError(
        "The URL of channel '\(setup.name)' holds a user or a password. Leave them out; \(advice)")
    }
    guard !address.isLocal || setup.isSet("allow-local") else {
      throw ChannelError(
        "\(name) leads to this machine or its own link, where nothing is sent. Allow that with --allow-local."
      )
    }
    return address
  }

  /// A request with what all of them have.
  ///
  /// - Throws: ``ChannelError``.
  func request(
    _ method: String, _ address: WebAddress, headers: [(name: String, value: String)], body: [UInt8]?
  ) throws(ChannelError) -> WebRequest {
    var request = WebRequest(method, address, headers: headers, body: body)
    request.proxy = try setup.secret("proxy", context) ?? setup["proxy"]
    if let proxy = request.proxy, !WebAccess.isProxy(proxy) {
      throw ChannelError(
        "The secret URL of the proxy of channel '\(setup.name)' is none. Write it like http://host:3128.")
    }
    request.timeLimit = timeLimit
    request.connectLimit = min(timeLimit, 10_000)
    return request
  }

  /// Asks once and says what has become of it.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - secrets: What must not be repeated, even where the server does.
  /// - Returns: Whether it is done, failed or more.
  func carry(_ request: WebRequest, hiding secrets: [String]) -> CarryOutcome {
    do {
      let answer = try client.send(request)
      return CarryOutcome(answer, hiding: secrets + [request.proxy].compactMap { $0 })
    } catch {
      return error.code == .stopped ? CarryOutcome(.postponed(seconds: 0)) : .failed(error.message)
    }
  }
}
