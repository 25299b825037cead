package import FencelineCivilTime

/// A mail, as it is sent.
package struct MailMessage: Hashable, Sendable {
  /// Whom it is from.
  package var from: MailAddress
  /// Whom it is to.
  package var to: [MailAddress]
  /// What stands above it.
  package var subject: String
  /// What it says, plain text.
  package var body: String
  /// When it is sent.
  package var date: Timestamp
  /// What it is told by, without angle brackets: `4f2a@example.org`.
  package var id: String
  /// What others of its thread refer to as well, without angle brackets; nil where it belongs to none.
  package var thread: String?
  /// The keys of the events in it, by which a program can tell that it has them.
  package var keys: [String]
  /// Whether mail programs are to make something of it.
  package var isUrgent: Bool

  /// A mail.
  package init(
    from: MailAddress, to: [MailAddress], subject: String, body: String, date: Timestamp, id: String,
    thread: String? = nil, keys: [String] = [], isUrgent: Bool = false
  ) {
    self.from = from
    self.to = to
    self.subject = subject
    self.body = body
    self.date = date
    self.id = id
    self.thread = thread
    self.keys = keys
    self.isUrgent = isUrgent
  }

  /// All of it, in ASCII.
  ///
  /// - Source: RFC 5322; RFC 3834, 5 (Auto-Submitted).
  package var bytes: [UInt8] {
    var lines = [
      "Date: \(MailMessage.text(of: date))", "From: \(from.headerText)",
      "To: " + to.map(\.headerText).joined(separator: ",\r\n "),
      "Subject: \(MailText.words(subject))", "Message-ID: <\(id)>",
    ]
    if let thread { lines += ["In-Reply-To: <\(thread)>", "References: <\(thread)>"] }
    lines += ["Auto-Submitted: auto-generated"]
    if isUrgent { lines += ["Importance: high", "X-Priority: 1"] }
    for key in keys { lines.append("X-Fenceline-Key: \(MailText.words(key))") }
    lines += [
      "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable", "", "",
    ]
    return Array(lines.joined(separator: "\r\n").utf8) + MailText.quotedPrintable(body)
  }

  /// `Tue, 1 Dec 2026 02:35:54 +0000`.
  private static func text(of time: Timestamp) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let date = CivilDate(time)
    // 1970-01-01 was a Thursday.
    let day = days[((date.daysSince1970 % 7) + 7) % 7]
    let clock = time.description.split(separator: "T").last.map { String($0.prefix(8)) } ?? "00:00:00"
    return "\(day), \(date.day) \(months[date.month - 1]) \(date.year) \(clock) +0000"
  }
}
