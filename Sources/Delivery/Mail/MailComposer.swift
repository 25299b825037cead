internal import FencelineCivilTime
internal import FencelineGeofencing
internal import FencelineMailSending
internal import FencelineNotifying

/// Writes mails about parcels.
struct MailComposer: Sendable {
  let from: MailAddress
  let to: [MailAddress]

  /// A mail about one parcel or several.
  ///
  /// - Parameters:
  ///   - parcels: At least one.
  ///   - date: When it is sent.
  /// - Returns: The same mail for the same parcels, but for its date.
  func mail(about parcels: [Parcel], at date: Timestamp) -> MailMessage {
    let subject =
      parcels.count == 1
      ? MailComposer.headline(parcels[0])
      : "\(parcels.count) events, the last: \(MailComposer.headline(parcels[parcels.count - 1]))"
    var body = ""
    for parcel in parcels {
      body += (body.isEmpty ? "" : "\n\n") + MailComposer.text(parcel, isAlone: parcels.count == 1)
    }
    let threads = Set(parcels.map { MailComposer.thread($0) })
    let thread = threads.count == 1 ? threads.first ?? nil : nil
    return MailMessage(
      from: from, to: to, subject: subject, body: body, date: date, id: id(of: parcels.map(\.key)),
      thread: thread.map { "thread-\(MailComposer.short($0))@\(from.domain)" }, keys: parcels.map(\.key),
      isUrgent: parcels.contains { $0.level >= .timeSensitive })
  }

  private static func headline(_ parcel: Parcel) -> String {
    parcel.title.isEmpty ? String(parcel.body.prefix { !$0.isNewline }.prefix(80)) : parcel.title
  }

  private static func text(_ parcel: Parcel, isAlone: Bool) -> String {
    // `2026-03-01T00:03:33.892Z`
    let time = parcel.at.description.prefix(19).split(separator: "T").joined(separator: " ") + " UTC"
    let title = parcel.title.isEmpty ? [] : [parcel.title]
    let body = parcel.body.isEmpty ? [] : [parcel.body]
    return (isAlone ? body + [body.isEmpty ? time : "\n\(time)"] : ["\(time)"] + title + body).joined(
      separator: "\n")
  }

  /// What a parcel belongs to: the thread that its app says, or the region.
  private static func thread(_ parcel: Parcel) -> String? {
    if let notification = parcel.notification, let thread = notification.content.threadIdentifier,
      !thread.isEmpty
    {
      return "\(notification.app)\n\(thread)"
    }
    return parcel.crossing?.region ?? parcel.place?.region
  }

  private func id(of keys: [String]) -> String {
    // As it is where it can stand there.
    if keys.count == 1, MailAddress("\(keys[0])@\(from.domain)") != nil { return "\(keys[0])@\(from.domain)" }
    return "\(MailComposer.short(keys.joined(separator: "\n")))@\(from.domain)"
  }

  private static func short(_ text: String) -> String {
    String(Authentication.digits(of: Authentication.digest(of: Array(text.utf8))).prefix(32))
  }
}
