internal import Glibc

/// Why there can be no server.
package struct HTTPServerError: Error, Hashable, Sendable {
  /// The kinds that callers tell apart.
  package enum Code: Hashable, Sendable {
    /// The user may not make a socket there.
    case notPermitted
    /// The socket cannot be made.
    case cannotListen
  }

  /// What kind of failure it is.
  package var code: Code
  /// A sentence that names the socket and says what to do.
  package var message: String

  init(_ path: String, _ reason: String, _ advice: String, _ code: Code = .cannotListen) {
    self.code = code
    message = "Cannot listen on '\(path)': \(reason). \(advice)"
  }

  /// What the system says, by its error number.
  init(_ path: String, systemError: Int32) {
    let isForbidden = systemError == EACCES || systemError == EPERM || systemError == EROFS
    let text = unsafe strerror(systemError).map { unsafe String(cString: $0) } ?? "error \(systemError)"
    self.init(
      path, text.prefix(1).lowercased() + text.dropFirst(),
      isForbidden ? "The folder must be writable." : "The folder must exist and have room.",
      isForbidden ? .notPermitted : .cannotListen)
  }
}
