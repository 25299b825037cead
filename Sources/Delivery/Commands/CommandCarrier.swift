/// Runs a program for each parcel.
final class CommandCarrier: Carrier {
  /// The exit status by which a program says that it will never take this event.
  ///
  /// - Source: `EX_DATAERR` of sysexits.h.
  private static let dataError: Int32 = 65

  private let words: [String]
  private let channel: String
  /// Milliseconds.
  private let timeLimit: Int
  private let grace: Int
  private let host = CommandHost()

  /// What runs a program.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - channel: What the user calls the channel.
  ///   - timeLimit: How many seconds it may run.
  ///   - grace: How many seconds it has to end then.
  init(words: [String], channel: String, timeLimit: Double, grace: Double) {
    self.words = words
    self.channel = channel
    self.timeLimit = Int(timeLimit * 1000)
    self.grace = Int(grace * 1000)
  }

  let most = 1

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
    carryEach(parcels, report: report, one: carry)
  }

  func stop() { host.stop() }

  private func carry(_ parcel: Parcel) -> CarryOutcome {
    let outcome = host.run(
      CommandRequest(
        words: words, input: parcel.line, environment: parcel.environment(channel: channel),
        timeLimit: timeLimit, grace: grace))
    let (result, detail) = verdict(outcome)
    return CarryOutcome(result, detail, output: outcome.text)
  }

  private func verdict(_ outcome: CommandOutcome) -> (CarryOutcome.Result, String) {
    switch outcome.status {
    case .exited(0): (.done, "")
    // Whatever has become of it, it was this program that has ended it.
    case _ where host.isStopped: (.postponed(seconds: 0), "")
    case .exited(CommandCarrier.dataError): (.refused, "'\(words[0])' does not take it (status 65).")
    case .exited(let status): (.failed(after: nil), "'\(words[0])' has ended with status \(status).")
    case .signalled(let number):
      (.failed(after: nil), "'\(words[0])' was ended by signal \(number).")
    case .timedOut:
      (.failed(after: nil), "'\(words[0])' has not ended within \(Double(timeLimit) / 1000) s.")
    case .notStarted(let reason): (.failed(after: nil), reason)
    }
  }
}
