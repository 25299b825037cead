internal import CFencelineCurl
internal import Glibc

extension Transfer {
  /// Runs it to its end and says in a sentence what has gone wrong.
  ///
  /// - Parameters:
  ///   - peer: What the peer is called: `server`, `mail server`.
  ///   - connectLimit: Milliseconds that the connection may take, as sentences name them.
  ///   - timeLimit: Milliseconds that the whole may take.
  /// - Throws: ``TransferError`` where it has failed. That ``take`` has ended it is no failure.
  package func finish(_ peer: String, connectLimit: Int, timeLimit: Int) throws(TransferError) {
    guard let code = run() else { throw TransferError(.stopped, "The channel was stopped.") }
    if code == CURLE_OK || code == CURLE_WRITE_ERROR && isCut { return }
    throw failure(code, peer, connectLimit, timeLimit)
  }

  private func failure(_ code: CURLcode, _ peer: String, _ connectLimit: Int, _ timeLimit: Int)
    -> TransferError
  {
    if wasLocal {
      return TransferError(
        .localTarget,
        "The \(peer) is on this machine or its own link (loopback or link-local), where nothing is sent. Allow that with --allow-local."
      )
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return TransferError(.unresolved, "The name of the \(peer) could not be resolved.")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return TransferError(.unresolved, "The name of the proxy could not be resolved.")
    case CURLE_COULDNT_CONNECT: return unreachable(peer)
    case CURLE_OPERATION_TIMEDOUT: return timedOut(peer, connectLimit, timeLimit)
    case CURLE_PEER_FAILED_VERIFICATION: return untrusted(peer)
    case CURLE_SSL_CACERT_BADFILE:
      return TransferError(.setup, "The file of trusted certificates cannot be read or holds none.")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED:
      return TransferError(
        .encryption, "TLS could not be agreed on with the \(peer): perhaps it offers none there.")
    case CURLE_PROXY: return TransferError(.unreachable, "The proxy does not let it through.")
    case CURLE_LOGIN_DENIED:
      return TransferError(.login, "The \(peer) does not take the user's name or password.")
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      let proxy = number(CURLINFO_HTTP_CONNECTCODE)
      if proxy >= 300 {
        return TransferError(.unreachable, "The proxy does not let it through: it answered \(proxy).")
      }
      return TransferError(.brokenOff, "The connection to the \(peer) broke off.")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      return TransferError(
        .protocolFault, "What the \(peer) answers is not understood: it may be another service.")
    default:
      let reason =
        unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
      return TransferError(
        .setup, "Talking to the \(peer) has failed: \(reason.prefix(1).lowercased() + reason.dropFirst()).")
    }
  }

  private func unreachable(_ peer: String) -> TransferError {
    let reason: String? =
      switch Int32(number(CURLINFO_OS_ERRNO)) {
      case ECONNREFUSED: "refused the connection: nobody listens there"
      case ENETUNREACH, EHOSTUNREACH: "cannot be reached: no way leads there"
      case ETIMEDOUT: "does not answer to the connection"
      default: nil
      }
    return TransferError(.unreachable, "The \(peer) \(reason ?? "cannot be reached").")
  }

  private func timedOut(_ peer: String, _ connectLimit: Int, _ timeLimit: Int) -> TransferError {
    let isReady = longNumber(CURLINFO_PRETRANSFER_TIME_T) > 0
    let limit = isReady ? timeLimit : min(timeLimit, connectLimit)
    let seconds = limit % 1000 == 0 ? "\(limit / 1000)" : "\(Double(limit) / 1000)"
    if isReady { return TransferError(.timedOut, "The \(peer) did not answer in full within \(seconds) s.") }
    return TransferError(
      .timedOut,
      longNumber(CURLINFO_CONNECT_TIME_T) > 0
        ? "The \(peer) took the connection, and was not ready within \(seconds) s."
        : "No connection to the \(peer) came about within \(seconds) s.")
  }

  private func untrusted(_ peer: String) -> TransferError {
    // OpenSSL's words for it; other sentences of libcurl's name the peer.
    let mark = "certificate problem: "
    let words = reason.split(separator: mark, maxSplits: 1)
    let why = reason.contains(mark) ? String(words.last ?? "") : "it was issued for another name"
    return TransferError(.untrusted, "The certificate of the \(peer) is not trusted: \(why).")
  }
}
