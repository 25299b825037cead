internal import FencelineHTTPCalling

extension CarryOutcome {
  /// The longest pause that a server can ask for, in seconds: a day.
  private static let longestPause = 86_400.0
  /// How much of an answer is kept, in bytes.
  private static let mostOutput = 4096

  /// What an answer means.
  ///
  ///     200...299                            done
  ///     410                                  gone
  ///     400 405 411 413 414 415 422          refused: it is the message that is wrong, and it stays so
  ///     300...399 and everything else        failed; a login can be mended, a page come back
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - secrets: What must not be repeated, even where the server does.
  init(_ answer: WebAnswer, hiding secrets: [String]) {
    let status = answer.status
    let said = "The server answered \(status)"
    switch status {
    case 200..<300: self.init(.done)
    case 410: self.init(.gone, "\(said): it wants nothing any more.")
    case 400, 405, 411, 413, 414, 415, 422: self.init(.refused, "\(said).")
    case 300..<400:
      let host = answer.redirectHost.map { " to '\(CarryOutcome.printable($0))'" } ?? ""
      self.init(
        .failed(after: nil),
        "\(said) and points elsewhere\(host). Redirects are not followed: set the new URL.")
    default:
      let after = answer.retryAfter.map { min($0, CarryOutcome.longestPause) }
      self.init(.failed(after: status == 429 || status == 503 ? after : nil), "\(said).")
    }
    guard result != .done, !answer.body.isEmpty else { return }
    var text = String(decoding: answer.body, as: UTF8.self)
    for secret in secrets where !secret.isEmpty {
      text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "…")
    }
    output = String(decoding: text.utf8.prefix(CarryOutcome.mostOutput), as: UTF8.self)
  }

  /// A text without control characters.
  private static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}
