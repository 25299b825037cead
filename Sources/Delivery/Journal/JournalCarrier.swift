internal import FencelineGeofencing
internal import FencelineNotifying
internal import FencelineSystemdLink
internal import Glibc

/// Writes parcels into systemd's journal, an entry each.
final class JournalCarrier: Carrier {
  /// The identifiers by which each kind of event is found, the same in every version: `journalctl MESSAGE_ID=…`.
  static let messageIDs: [String: String] = [
    "crossing.entry": "12d43ee2cdd34eac925d7586341a837d",
    "crossing.exit": "7063179b413e48648046320ae099d81e",
    "crossing.dwell": "340e403a8e934938819f473dcf59ec1e",
    "notification": "1a251b3a7d224220b832b2d3cc1cb316",
    "event": "bacfb0a1ddb74a29bb9fafcafdbca866",
  ]

  /// How many times 50 ms a journal is waited for that does not read.
  private static let patience = 100

  private let channel: String
  private let hasTexts: Bool
  private let stopping = StopFlag()

  /// What writes entries.
  ///
  /// - Parameters:
  ///   - channel: What the user calls the channel.
  ///   - hasTexts: Whether titles and bodies are written.
  init(channel: String, hasTexts: Bool) {
    self.channel = channel
    self.hasTexts = hasTexts
  }

  let most = 64

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
    carryEach(parcels, report: report, one: carry)
  }

  func stop() { stopping.set() }

  private func carry(_ parcel: Parcel) -> CarryOutcome {
    for _ in 0..<JournalCarrier.patience {
      guard !stopping.isSet else { return CarryOutcome(.postponed(seconds: 0)) }
      switch SystemJournal.readiness(within: 50) {
      case .ready:
        // Others may have filled it since.
        if let outcome = write(parcel) { return outcome }
      case .missing(let sentence): return .failed(sentence)
      case .busy: continue
      }
    }
    return .failed(
      "Cannot write to systemd's journal: it takes nothing. See 'systemctl status systemd-journald'.")
  }

  /// Writes one; nil where the journal takes nothing now.
  private func write(_ parcel: Parcel) -> CarryOutcome? {
    var fields = [
      (name: "MESSAGE", value: message(parcel)), ("PRIORITY", priority(parcel.level)),
      ("SYSLOG_IDENTIFIER", "fenceline"), ("FENCELINE_CHANNEL", channel),
    ]
    if let id = JournalCarrier.messageIDs[parcel.type] { fields.append(("MESSAGE_ID", id)) }
    for (name, value) in parcel.facts.sorted(by: { $0.key < $1.key }) {
      fields.append(("FENCELINE_" + name, value))
    }
    if hasTexts {
      fields.append(("FENCELINE_TITLE", parcel.title))
      fields.append(("FENCELINE_BODY", parcel.body))
    }
    let error = SystemJournal.send(fields)
    guard error != EAGAIN else { return nil }
    return error == 0
      ? .done : .failed("Cannot write to systemd's journal: \(SystemText.reason(error)). It is tried again.")
  }

  /// What stands in the line that people read.
  private func message(_ parcel: Parcel) -> String {
    if hasTexts {
      var words: [String] = []
      for text in [parcel.title, parcel.body] where !text.isEmpty { words.append(text) }
      return words.joined(separator: "\n")
    }
    if let notification = parcel.notification {
      return "Notification \(notification.number) of \(notification.app)"
    }
    guard let crossing = parcel.crossing else { return "Event \(parcel.key)" }
    return "\(crossing.device): \(crossing.kind.rawValue) \(crossing.region)"
  }

  /// How urgent it is, by the numbers of syslog: from `info` to `crit`.
  private func priority(_ level: InterruptionLevel) -> String {
    switch level {
    case .passive: "6"
    case .active: "5"
    case .timeSensitive: "4"
    case .critical: "2"
    }
  }
}
