internal import FencelineTransfers

/// The signature of a webhook, by which its receiver can tell who has sent it and when.
///
/// - Source: Standard Webhooks 1.0, "Signature scheme", symmetric.
struct WebhookSignature {
  private let keys: [[UInt8]]

  /// Nil where one of the secrets is no base64 or holds nothing.
  ///
  /// - Parameter lines: Secrets in base64, each with `whsec_` before it or not; one only, but while it is being changed.
  init?(secrets lines: [String]) {
    var keys: [[UInt8]] = []
    for line in lines {
      let encoded = line.hasPrefix("whsec_") ? String(line.dropFirst(6)) : line
      guard let key = Base64.bytes(of: encoded), !key.isEmpty else { return nil }
      keys.append(key)
    }
    self.keys = keys
  }

  /// The three headers.
  ///
  /// - Parameters:
  ///   - id: What the message is told by.
  ///   - seconds: When it is sent, since 1970.
  ///   - body: All of it.
  /// - Returns: Names and values.
  func headers(id: String, seconds: Int, body: [UInt8]) -> [(name: String, value: String)] {
    let signed = Array("\(id).\(seconds).".utf8) + body
    var codes: [String] = []
    for key in keys { codes.append("v1," + Base64.text(of: Authentication.code(of: signed, key: key))) }
    return [
      ("webhook-id", id), ("webhook-timestamp", "\(seconds)"),
      ("webhook-signature", codes.joined(separator: " ")),
    ]
  }
}
