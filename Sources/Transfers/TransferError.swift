/// Why a transfer has come to nothing.
package struct TransferError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds that callers tell apart.
  package enum Code: Hashable, Sendable {
    /// It was ended from this side.
    case stopped
    /// The peer is on this machine or on its own link, where nothing may go.
    case localTarget
    /// The peer's name, or the proxy's, has no address.
    case unresolved
    /// Nobody takes the connection.
    case unreachable
    /// Who answers is not who it should be, or cannot be known to be.
    case untrusted
    /// The encryption cannot be agreed on.
    case encryption
    /// It has taken too long.
    case timedOut
    /// The connection has broken off.
    case brokenOff
    /// The peer speaks something else.
    case protocolFault
    /// The peer does not take the user's name or password.
    case login
    /// It cannot be tried at all as it is set up.
    case setup
  }

  /// What kind of failure it is.
  package var code: Code
  /// A sentence for people, without the peer's name and without anything secret.
  package var message: String

  /// A failure.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
