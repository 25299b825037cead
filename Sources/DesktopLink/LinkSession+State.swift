extension LinkSession {
  /// What is known of the notification server.
  enum Server {
    /// Nothing yet.
    case unknown
    /// There is none.
    case none
    /// One is being started.
    case starting
    /// There is one, which was asked what it is and has not answered yet.
    case asked(owner: String, name: String?, version: String?)
    /// There is one that does not answer.
    case silent(owner: String)
    case known(owner: String, ServerInfo)

    /// What the bus calls it.
    var owner: String? {
      switch self {
      case .unknown, .none, .starting: nil
      case .asked(let owner, _, _), .silent(let owner), .known(let owner, _): owner
      }
    }
  }

  /// A call that was not answered yet.
  enum Call {
    case watch
    case findOwner
    case start
    case askWho(owner: String)
    case askWhat(owner: String)
    case notify(DesktopNotification, identifier: String, Awaited<DesktopLinkError?>?)
    case close
    case askPaused(Awaited<Bool?>)

    /// Milliseconds to wait for the answer.
    var patience: Int64 {
      if case .start = self { 60_000 } else { 10_000 }
    }
  }
}
