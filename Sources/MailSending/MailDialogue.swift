/// What a mail server says to what: libcurl tells only the last of it, and not whom it does not take.
struct MailDialogue {
  /// What the last command was about.
  enum Phase: Hashable {
    case greeting
    case login
    case sender
    case recipient(String)
    case content
  }

  private(set) var phase = Phase.greeting
  /// The answer to what the phase is about; nil as long as there is none.
  private(set) var code: Int?
  /// The answers to recipients that were not taken.
  private(set) var refusals: [MailRefusal] = []
  private(set) var accepted: [String] = []
  /// The last answer of 400 and more, as it was said.
  private(set) var lastTrouble: String?

  /// Takes what is spoken.
  mutating func hear(_ bytes: [UInt8], isOurs: Bool) {
    for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let text = String(decoding: line, as: UTF8.self)
      if isOurs { say(text) } else { answer(text) }
    }
  }

  private mutating func say(_ line: String) {
    switch line.prefix(4).uppercased() {
    case "EHLO", "HELO", "STAR": phase = .greeting
    // What follows holds the password, and is not looked at.
    case "AUTH": phase = .login
    case "MAIL": phase = .sender
    case "RCPT":
      let address = line.split(separator: "<", maxSplits: 1).last?.split(separator: ">").first ?? ""
      phase = .recipient(String(address))
    case "DATA": phase = .content
    case "QUIT": return
    default: return
    }
    code = nil
  }

  private mutating func answer(_ line: String) {
    guard let code = Int(line.prefix(3)), line.count == 3 || line.dropFirst(3).hasPrefix(" ") else { return }
    // Farewells are of no interest.
    guard code != 221 else { return }
    self.code = code
    if code >= 400 { lastTrouble = line }
    guard case .recipient(let address) = phase else { return }
    if code >= 400 {
      refusals.append(MailRefusal(address: address, code: code))
    } else {
      accepted.append(address)
    }
  }
}

/// A recipient that a mail server does not take.
package struct MailRefusal: Hashable, Sendable {
  /// Whom.
  package let address: String
  /// What it has answered, 400 or more.
  package let code: Int
  /// Whether it may do so later.
  package var isForNow: Bool { code < 500 }
}
