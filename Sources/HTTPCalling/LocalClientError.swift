/// Why a service on this machine gave no answer.
package struct LocalClientError: Error, Hashable, Sendable {
  /// The kinds that callers tell apart.
  package enum Code: Hashable, Sendable {
    /// There is no socket, or nobody listens on it.
    case nobodyListens
    /// The socket belongs to someone else.
    case notPermitted
    /// Somebody listens and does not answer in time.
    case noAnswer
    /// Anything else: no HTTP, an answer that breaks off.
    case fault
  }

  /// What kind of failure it is.
  package var code: Code
  /// What went wrong, in a few words: `connection refused`.
  package var reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}
