import FencelineCivilTime
import FencelineCommandLineKit
import FencelineDelivery
import FencelineEventJournal
import FencelineService
import Synchronization

/// `fenceline channel test`: carries something that tells nothing but that the channel works.
enum ChannelTestCommand {
  static let test = Command(
    "test", "Send a test event by a channel, at once and by this command itself.",
    examples: [.init("fenceline channel test hub", "See whether it works, and if not, why.")],
    positionals: [ChannelCommands.name],
    run: Session.running { session in
      let journal = try session.journal(.read)
      let channel = try ChannelCommands.find(session.arguments[ChannelCommands.name], in: journal)
      guard let kind = ChannelKind.named(channel.kind) else {
        throw Failure(
          Status.unavailable,
          "This program knows no channels of the kind '\(printable(channel.kind))'. It was built without it, or is too old."
        )
      }
      let warnings = Mutex<[String]>([])
      let context = ChannelContext(
        version: Fenceline.version, journal: Journal.trueName(of: journal.path),
        environment: System.environment,
        state: { nil }, warn: { text in warnings.withLock { $0.append(text) } })
      let setup = ChannelSetup(name: channel.name, values: channel.options, seal: channel.seal)
      let carrier: any Carrier
      do throws(ChannelError) { carrier = try kind.make(setup, context) } catch {
        throw Failure(Status.settings, error.message)
      }
      var outcome = CarryOutcome.failed("It was not tried.")
      carrier.carry([.trial(of: channel.name, at: LocalTime.now)]) { _, result in outcome = result }
      carrier.stop()
      for warning in warnings.withLock({ $0 }) { session.warn(warning) }
      guard outcome.result == .done else {
        if let output = outcome.output, !output.isEmpty { session.note("It has said: \(output.shown)") }
        throw Failure(
          Status.unavailable,
          "The channel '\(printable(channel.name))' does not work: \(outcome.detail.isEmpty ? "nobody says why." : outcome.detail)"
        )
      }
      let detail = outcome.detail.isEmpty ? "" : " \(outcome.detail)"
      session.note("The test event has arrived.\(printable(detail))")
      if let output = outcome.output, !output.isEmpty { try session.output.writeLine(output.shown) }
      return Status.done
    })
}

extension String {
  /// What a program has printed, as people see it: line by line, nothing that moves the cursor.
  var shown: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { printable(String($0)) }
      .joined(separator: "\n").trimmingEnd
  }

  private var trimmingEnd: String {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
