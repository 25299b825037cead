internal import CFencelineCurl

/// A URL as libcurl itself takes it apart: so nothing can be read in it that is not where the transfer goes.
@safe package struct URLParts: Hashable, Sendable {
  /// In small letters.
  package let scheme: String
  /// The host's name or address; integers and the like are written out as addresses, IPv6 is without brackets and zone.
  package let host: String
  /// The path, beginning with a slash.
  package let path: String
  /// Everything before the path: `https://example.org:8443`.
  package let origin: String
  /// Whether it names a user or a password.
  package let hasLogin: Bool

  /// Takes a URL apart; nil unless it has a host and one of the schemes, and holds no blanks or control characters.
  ///
  /// - Parameters:
  ///   - text: Such as `https://example.org/hook?a=b`.
  ///   - schemes: In small letters.
  package init?(_ text: String, schemes: Set<String>) {
    guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7f }),
      let parts = unsafe curl_url()
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
      let scheme = part(CURLUPART_SCHEME)?.lowercased(), schemes.contains(scheme),
      let host = part(CURLUPART_HOST), !host.isEmpty
    else { return nil }
    self.scheme = scheme
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self.host = bare
    path = part(CURLUPART_PATH) ?? "/"
    hasLogin = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
    let shown = part(CURLUPART_ZONEID).map { "[\(bare)%25\($0)]" } ?? host
    origin = "\(scheme)://\(shown)" + (part(CURLUPART_PORT).map { ":\($0)" } ?? "")
  }
}
