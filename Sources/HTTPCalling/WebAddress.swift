internal import FencelineTransfers

/// The URL of a service.
package struct WebAddress: Hashable, Sendable {
  /// What was written.
  package let text: String
  private let parts: URLParts

  /// `http` or `https`.
  package var scheme: String { parts.scheme }
  /// The host's name or address; integers and the like are written out as addresses, IPv6 is without brackets.
  package var host: String { parts.host }
  /// Its path, beginning with a slash.
  package var path: String { parts.path }
  /// Everything before the path: `https://example.org:8443`.
  package var origin: String { parts.origin }
  /// Whether it names a user or a password.
  package var hasLogin: Bool { parts.hasLogin }

  /// Reads a URL; nil unless it is one of http or https with a host.
  ///
  /// - Parameter text: Such as `https://example.org/hook?a=b`.
  package init?(_ text: String) {
    guard let parts = URLParts(text, schemes: ["http", "https"]) else { return nil }
    self.text = text
    self.parts = parts
  }

  /// Whether it says itself that it is on this machine or its own link. A name that only leads there is found out when it is connected to.
  package var isLocal: Bool {
    var name = host.lowercased()
    while name.hasSuffix(".") { name.removeLast() }
    return name == "localhost" || name.hasSuffix(".localhost") || InternetAddress(name)?.isLocal ?? false
  }
}
