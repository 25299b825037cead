internal import FencelineHTTPCalling

/// A header that a user adds to requests.
struct WebHeader: Hashable, Sendable {
  let name: String
  let value: String

  /// What is set here, and would be there twice.
  private static let own: Set<String> = [
    "content-type", "content-length", "transfer-encoding", "host", "connection", "expect", "idempotency-key",
    "webhook-id", "webhook-timestamp", "webhook-signature",
  ]
  /// What names of headers with secrets have in them.
  private static let secret = [
    "authorization", "cookie", "token", "secret", "password", "api-key", "apikey", "auth-key", "signature",
  ]

  /// Reads `Name: value`.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - isSecret: Whether it comes from where secrets are kept: sentences do not repeat it, and it may be one.
  /// - Throws: ``ChannelError``.
  init(_ line: String, isSecret: Bool) throws(ChannelError) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let value = parts.count == 2 ? String(parts[1].drop { $0 == " " || $0 == "\t" }) : ""
    guard WebRequest.isName(name), WebRequest.isValue(value) else {
      throw ChannelError(
        "\(isSecret ? "A line of the file of headers" : "The header '\(WebHeader.shown(line))'") is none. Write it like 'X-Room: 12', on one line."
      )
    }
    let lower = name.lowercased()
    guard !WebHeader.own.contains(lower) else {
      throw ChannelError("The header '\(name)' is set by the channel itself. Leave it out.")
    }
    guard isSecret || !WebHeader.secret.contains(where: { lower.contains($0) }) else {
      throw ChannelError(
        "The header '\(name)' looks like a secret, which everybody could read. Write 'Name: value' into a file and name that with --headers-file."
      )
    }
    self.name = name
    self.value = value
  }

  /// What can be repeated of a line that is wrong: its name at most, since its value may be what nobody should see.
  private static func shown(_ line: String) -> String {
    let name = line.prefix { $0 != ":" && !$0.isNewline }.unicodeScalars
    return String(
      String.UnicodeScalarView(name.filter { $0.properties.generalCategory != .control }.prefix(60)))
  }
}
