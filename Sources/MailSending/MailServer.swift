internal import FencelineTransfers

/// A mail server, and how it is spoken to.
package struct MailServer: Hashable, Sendable {
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
    guard let parts = URLParts(text, schemes: ["smtp", "smtps"]) else { return nil }
    url = text
    host = parts.host
    hasLogin = parts.hasLogin
  }

  /// Whether it is on this machine, where nobody listens on the way.
  package var isLoopback: Bool {
    host.lowercased() == "localhost" || InternetAddress(host)?.isLoopback ?? false
  }
}
