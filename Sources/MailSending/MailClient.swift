internal import CFencelineCurl
internal import FencelineTransfers
internal import Synchronization

/// Gives mails to a server, which carries them on.
package final class MailClient: Sendable {
  /// What has become of a mail.
  package struct Receipt: Hashable, Sendable {
    /// How it has ended.
    package enum Result: Hashable, Sendable {
      /// The server has it, for those who are not among the refused.
      case taken
      /// It may take it later.
      case failed
      /// It will not take it.
      case refused
      /// It was ended from this side.
      case stopped
    }

    /// How it has ended.
    package var result: Result
    /// What has gone wrong, a sentence; empty where nothing has.
    package var detail: String
    /// Whom it was not taken for.
    package var refusals: [MailRefusal]
    /// What the server has said last that was no assent; nil where there was no such thing.
    package var words: String?
  }

  private let pool = TransferPool()

  /// A client; it connects anew with every mail.
  package init() {}

  /// Gives one mail to a server and waits until that has answered for it.
  ///
  /// - Parameters:
  ///   - message: The mail.
  ///   - recipients: Who is to get it now: some of those whom it is to.
  ///   - server: The server.
  /// - Returns: What has become of it.
  package func send(_ message: MailMessage, to recipients: [String], by server: MailServer) -> Receipt {
    let transfer: Transfer
    do { transfer = try pool.borrow() } catch {
      return Receipt(result: .stopped, detail: error.message, refusals: [])
    }
    defer { pool.giveBack(transfer) }
    transfer.reset(refusesLocal: false)
    transfer.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    transfer.set(CURLOPT_URL, server.url)
    transfer.set(
      CURLOPT_USE_SSL, Int(server.isEncrypted ? CURLUSESSL_ALL.rawValue : CURLUSESSL_NONE.rawValue))
    if let trusted = server.trusted { transfer.trust(only: trusted) }
    if let login = server.login {
      transfer.set(CURLOPT_USERNAME, login.user)
      transfer.set(CURLOPT_PASSWORD, login.password)
    }
    transfer.set(CURLOPT_MAIL_FROM, message.from.address)
    transfer.set(CURLOPT_MAIL_RCPT, recipients)
    transfer.set(CURLOPT_MAIL_RCPT_ALLLOWFAILS, 1)
    // Servers end connections that wait for the next mail.
    transfer.set(CURLOPT_FORBID_REUSE, 1)
    transfer.set(CURLOPT_CONNECTTIMEOUT_MS, server.connectLimit)
    transfer.set(CURLOPT_TIMEOUT_MS, server.timeLimit)
    transfer.limit = Int64(server.timeLimit)
    transfer.upload(message.bytes)
    let dialogue = Mutex(MailDialogue())
    transfer.hear = { line, isOurs in dialogue.withLock { $0.hear(line, isOurs: isOurs) } }
    transfer.listen()
    var error: TransferError?
    do {
      try transfer.finish("mail server", connectLimit: server.connectLimit, timeLimit: server.timeLimit)
    } catch let failure { error = failure }
    return MailClient.receipt(dialogue.withLock { $0 }, error, recipients)
  }

  /// Ends all that is being sent, and all that would be; from any thread, without waiting.
  package func stop() { pool.stop() }

  private static func receipt(_ dialogue: MailDialogue, _ error: TransferError?, _ recipients: [String])
    -> Receipt
  {
    func receipt(_ result: Receipt.Result, _ detail: String) -> Receipt {
      Receipt(result: result, detail: detail, refusals: dialogue.refusals, words: dialogue.lastTrouble)
    }
    guard let error else { return receipt(.taken, "") }
    if error.code == .stopped { return receipt(.stopped, error.message) }
    let code = dialogue.code ?? 0
    switch dialogue.phase {
    case .recipient where dialogue.refusals.count >= recipients.count:
      let isForNow = dialogue.refusals.contains(where: \.isForNow)
      return receipt(isForNow ? .failed : .refused, "The mail server takes no recipient (\(code)).")
    case .login where code >= 400:
      return receipt(.failed, "The mail server does not take the user's name or password (\(code)).")
    case .sender where code == 530 || code == 535:
      return receipt(.failed, "The mail server wants a user's name and password (\(code)).")
    // It may say here already that the mail is too long for it.
    case .sender where code == 552:
      return receipt(.refused, "The mail server does not take the mail (\(code)).")
    case .sender where code >= 400:
      return receipt(.failed, "The mail server does not take the sender (\(code)).")
    case .content where code >= 400:
      return receipt(code < 500 ? .failed : .refused, "The mail server does not take the mail (\(code)).")
    case .greeting where code >= 400:
      return receipt(.failed, "The mail server takes nothing now (\(code)).")
    default: return receipt(.failed, error.message)
    }
  }
}
