internal import CFencelineCurl
internal import FencelineTransfers

/// A mail server, and how it is spoken to.
@safe package struct MailServer: Hashable, Sendable {
  /// `smtp://mail.example.org:587` or `smtps://mail.example.org`.
  package let url: String
  /// Its name or address.
  package let host: String
  /// Whether the URL names a user or a password.
  package let hasLogin: Bool
  /// Whether nothing is said unencrypted but the wish to encrypt. With `smtps` everything is encrypted from the first byte.
  package var isEncrypted = true
  /// A file of certificates that are trusted instead of the system's; nil for those.
  package var trusted: String?
  /// Who sends; nil says nothing of it.
  package var login: (user: String, password: String)? {
    get { user.map { ($0, password) } }
    set { (user, password) = (newValue?.user, newValue?.password ?? "") }
  }
  private var user: String?
  private var password = ""
  /// Milliseconds until there must be a connection.
  package var connectLimit = 10_000
  /// Milliseconds for the whole.
  package var timeLimit = 60_000

  /// Reads a URL; nil unless it is one of smtp or smtps with a host.
  package init?(_ text: String) {
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
      let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "smtp" || scheme == "smtps",
      let host = part(CURLUPART_HOST), !host.isEmpty
    else { return nil }
    url = text
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    hasLogin = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
  }

  /// Whether it is on this machine, where nobody listens on the way.
  package var isLoopback: Bool {
    host.lowercased() == "localhost" || InternetAddress(host)?.isLoopback ?? false
  }
}
