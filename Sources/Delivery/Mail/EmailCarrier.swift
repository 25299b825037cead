internal import FencelineCivilTime
internal import FencelineMailSending
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// Sends parcels as mails: the first at once, those that come soon after it together.
final class EmailCarrier: Carrier {
  private struct State {
    /// When the last mail was sent that was not urgent, in milliseconds.
    var lastSent: Int64?
    /// Who need not get a parcel any more, by its key, while others are waited for.
    var settled: [String: Set<String>] = [:]
  }

  private let setup: ChannelSetup
  private let context: ChannelContext
  private let server: MailServer
  private let composer: MailComposer
  /// Milliseconds for which events are collected.
  private let digest: Int64
  private let now: @Sendable () -> Int64
  private let client = MailClient()
  private let state = Mutex(State())

  /// As many as fit into one mail.
  let most = 100
  /// How many parcels are remembered whose recipients have got them in part.
  private static let mostSettled = 10_000

  /// A carrier; `now` gives milliseconds of a clock that nobody sets.
  init(
    _ setup: ChannelSetup, _ context: ChannelContext,
    now: @escaping @Sendable () -> Int64 = { MonotonicClock.now }
  ) throws(ChannelError) {
    self.setup = setup
    self.context = context
    self.now = now
    server = try EmailCarrier.server(setup)
    guard let from = setup["from"] else {
      throw ChannelError("The channel '\(setup.name)' does not say whom mails are from. Give it --from.")
    }
    var to: [MailAddress] = []
    for text in setup[all: "to"] { to.append(try EmailCarrier.address(text)) }
    guard !to.isEmpty else {
      throw ChannelError("The channel '\(setup.name)' does not say whom mails are to. Give it --to.")
    }
    composer = MailComposer(from: try EmailCarrier.address(from), to: to)
    let digest = setup.number("digest") ?? 300
    guard (0...86_400).contains(digest) else {
      throw ChannelError("Events cannot be collected for \(digest) s. Choose a time from 0 to 1d.")
    }
    self.digest = Int64(digest * 1000)
  }

  private static func address(_ text: String) throws(ChannelError) -> MailAddress {
    guard let address = MailAddress(text) else {
      throw ChannelError(
        "'\(text)' is no mail address. Write it like ann@example.org or 'Ann <ann@example.org>'.")
    }
    return address
  }

  private static func server(_ setup: ChannelSetup) throws(ChannelError) -> MailServer {
    let url = setup["server"] ?? ""
    guard var server = MailServer(url) else {
      throw ChannelError("'\(url)' is no mail server. Write it like smtps://mail.example.org.")
    }
    guard !server.hasLogin else {
      throw ChannelError(
        "The URL of channel '\(setup.name)' holds a user or a password. Use --user and --password-file.")
    }
    server.isEncrypted = !setup.isSet("plain") && !server.isLoopback
    server.trusted = setup["ca-file"]
    let hasPassword = setup.isSet("password-file") || setup.isSet("password-env")
    guard setup.isSet("user") == hasPassword else {
      throw ChannelError(
        "A user's name and password go together. Give both --user and --password-file, or none.")
    }
    guard !hasPassword || !setup.isSet("plain") || server.isLoopback || url.hasPrefix("smtps:") else {
      throw ChannelError("With --plain everybody could read the password on its way. Leave --plain out.")
    }
    let seconds = setup.number("timeout") ?? 60
    guard (1...600).contains(seconds) else {
      throw ChannelError("The time limit of \(seconds) s is out of bounds. Choose one from 1s to 10m.")
    }
    server.timeLimit = Int(seconds * 1000)
    server.connectLimit = min(server.timeLimit, 10_000)
    return server
  }

  func stop() { client.stop() }

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
    let wait = state.withLock { $0.lastSent.map { $0 + digest - now() } ?? 0 }
    let selection = MailSelection(parcels, isDue: wait <= 0, collects: digest > 0)
    // Those of a device with one that is not done are held.
    var held: Set<String> = []
    for parcel in selection.waiting {
      report(
        parcel, CarryOutcome(.postponed(seconds: Double(max(wait, 1)) / 1000), "It waits for the next mail."))
    }
    for mail in selection.mails {
      for group in outstanding(mail.filter { !held.contains($0.device) }) {
        let outcome = send(group.parcels, to: group.recipients)
        for parcel in group.parcels {
          if outcome.result != .done { held.insert(parcel.device) }
          report(parcel, outcome)
        }
        // The next would fail as well.
        if case .failed = outcome.result { return }
        if case .postponed = outcome.result { return }
      }
    }
  }

  /// Parcels by who has not got them yet, in their order.
  private func outstanding(_ parcels: [Parcel]) -> [(parcels: [Parcel], recipients: [String])] {
    let settled = state.withLock { $0.settled }
    var groups: [(parcels: [Parcel], recipients: [String])] = []
    for parcel in parcels {
      let done = settled[parcel.key] ?? []
      let recipients = composer.to.map(\.address).filter { !done.contains($0) }
      if groups.last?.recipients == recipients {
        groups[groups.count - 1].parcels.append(parcel)
      } else {
        groups.append(([parcel], recipients))
      }
    }
    return groups
  }

  private func send(_ parcels: [Parcel], to recipients: [String]) -> CarryOutcome {
    var server = server
    do throws(ChannelError) {
      if let user = setup["user"] {
        server.login = (user, try setup.secret("password", context) ?? "")
      }
    } catch { return .failed(error.message) }
    let message = composer.mail(about: parcels, at: Timestamp(milliseconds: Int64(time(nil)) * 1000))
    let receipt = client.send(message, to: recipients, by: server)
    switch receipt.result {
    case .stopped: return CarryOutcome(.postponed(seconds: 0))
    case .failed: return CarryOutcome(.failed(after: nil), receipt.detail, output: receipt.words)
    case .refused:
      // Where others have it, those who are left will not change that.
      guard recipients.count < composer.to.count else {
        // Nobody gets anything: that is about the channel, not about the mail.
        let isForAll = receipt.refusals.count >= recipients.count
        return CarryOutcome(isForAll ? .failed(after: nil) : .refused, receipt.detail, output: receipt.words)
      }
      return taken(parcels, recipients, receipt)
    case .taken: return taken(parcels, recipients, receipt)
    }
  }

  /// Some have it. Who is put off is tried again alone.
  private func taken(_ parcels: [Parcel], _ recipients: [String], _ receipt: MailClient.Receipt)
    -> CarryOutcome
  {
    let later = receipt.refusals.filter(\.isForNow)
    let never = receipt.refusals.filter { !$0.isForNow }
    let settledNow = Set(recipients).subtracting(later.map(\.address))
    state.withLock { state in
      if !parcels.contains(where: MailSelection.isUrgent) { state.lastSent = now() }
      if state.settled.count > EmailCarrier.mostSettled { state.settled = [:] }
      for parcel in parcels {
        if later.isEmpty {
          state.settled[parcel.key] = nil
        } else {
          state.settled[parcel.key, default: []].formUnion(settledNow)
        }
      }
    }
    func names(_ refusals: [MailRefusal]) -> String {
      refusals.map { "'\($0.address)' (\($0.code))" }.joined(separator: ", ")
    }
    guard later.isEmpty else {
      return CarryOutcome(
        .failed(after: nil), "The mail server takes nothing for \(names(later)) as yet; the others have it.",
        output: receipt.words)
    }
    if never.isEmpty { return .done }
    return CarryOutcome(
      .done, "The mail server takes nothing for \(names(never)); the others have it.", output: receipt.words)
  }
}
