/// Something that the link's thread is asked to do.
struct Order: Sendable {
  enum Kind: Sendable {
    case show(DesktopNotification, identifier: String)
    /// What another server has shown.
    case showAgain(identifier: String)
    case close(identifier: String)
    /// Nothing, but there has to be a server.
    case findServer
    /// Whether the server holds notifications back.
    case askPaused(Awaited<Bool?>)
  }

  let kind: Kind
  /// Takes what has gone wrong, or nil once it is done; nil where nobody waits.
  let result: Awaited<DesktopLinkError?>?
}
