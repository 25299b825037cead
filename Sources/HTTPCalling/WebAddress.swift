internal import CFencelineCurl
internal import FencelineTransfers

/// The URL of a service, as libcurl itself takes it apart: so nothing can be read in it that is not where the request goes.
@safe package struct WebAddress: Hashable, Sendable {
  /// What was written.
  package let text: String
  /// `http` or `https`.
  package let scheme: String
  /// The host's name or address; integers and the like are written out as addresses, IPv6 is without brackets.
  package let host: String
  /// Its path, beginning with a slash.
  package let path: String
  /// Everything before the path: `https://example.org:8443`.
  package let origin: String
  /// Whether it names a user or a password.
  package let hasLogin: Bool

  /// Reads a URL; nil unless it is one of http or https with a host.
  ///
  /// - Parameter text: Such as `https://example.org/hook?a=b`.
  package init?(_ text: String) {
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7f }), let parts = unsafe curl_url()
    else { return nil }
    defer { unsafe curl_url_cleanup(parts) }
    func part(_ what: CURLUPart) -> String? {
      var value: UnsafeMutablePointer<CChar>?
      guard unsafe curl_url_get(parts, what, &value, 0) == CURLUE_OK, let value = unsafe value else {
        return nil
      }
      defer { unsafe curl_free(value) }
      return unsafe String(cString: value)
    }
    guard unsafe curl_url_set(parts, CURLUPART_URL, text, 0) == CURLUE_OK,
      let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
      let host = part(CURLUPART_HOST), !host.isEmpty
    else { return nil }
    self.text = text
    self.scheme = scheme
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self.host = bare
    path = part(CURLUPART_PATH) ?? "/"
    hasLogin = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
    let shown = part(CURLUPART_ZONEID).map { "[\(bare)%25\($0)]" } ?? host
    origin = "\(scheme)://\(shown)" + (part(CURLUPART_PORT).map { ":\($0)" } ?? "")
  }

  /// Whether it says itself that it is on this machine or its own link. A name that only leads there is found out when it is connected to.
  package var isLocal: Bool {
    var name = host.lowercased()
    while name.hasSuffix(".") { name.removeLast() }
    return name == "localhost" || name.hasSuffix(".localhost") || InternetAddress(name)?.isLocal ?? false
  }
}
