internal import Synchronization

/// A program that runs for what is critical, beside what is shown, which need not be seen.
final class CriticalAlarm: Sendable {
  /// How many are started or wait at a time: of more at once these are enough.
  private static let most = 2

  private let words: [String]
  private let channel: String
  private let warn: @Sendable (String) -> Void
  private let runner = CommandRunner(threads: 1)
  private let count = Mutex(0)
  private let stopping = StopFlag()

  /// An alarm.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - channel: What the user calls the channel.
  ///   - warn: Takes a sentence for the log where it cannot be heard.
  init(_ words: [String], channel: String, warn: @escaping @Sendable (String) -> Void) {
    self.words = words
    self.channel = channel
    self.warn = warn
  }

  /// Runs it, without waiting for that.
  func sound(for parcel: Parcel) {
    let isTaken = count.withLock { count in
      guard count < CriticalAlarm.most else { return false }
      count += 1
      return true
    }
    guard isTaken else { return }
    let request = CommandRequest(
      words: words, input: parcel.line, environment: parcel.environment(channel: channel))
    runner.run(request) { [self] outcome in
      count.withLock { $0 -= 1 }
      // What this program has ended itself is no trouble.
      if !stopping.isSet, let trouble = trouble(outcome) { warn(trouble) }
    }
  }

  /// Ends it.
  func stop() {
    stopping.set()
    runner.stop()
  }

  private func trouble(_ outcome: CommandOutcome) -> String? {
    let end: String
    switch outcome.status {
    case .exited(0): return nil
    case .notStarted(let reason): return reason
    case .exited(let status): end = "has ended with status \(status)"
    case .signalled(let number): end = "was ended by signal \(number)"
    case .timedOut: end = "has not ended in time"
    }
    return "The alarm '\(words[0])' of channel '\(channel)' \(end). See that it can be heard."
  }
}
