import FencelineCommandLineKit
import FencelineService

/// How far a command's work is, on a terminal, where it takes more than a second.
final class Progress {
  private var bar: ProgressBar

  /// - Parameters:
  ///   - unit: What is counted: `fixes`.
  ///   - session: Where it is shown.
  ///   - start: When the work began, in monotonic seconds.
  init(_ unit: String, _ session: Session, from start: Double = monotonicSeconds()) {
    bar = ProgressBar(unit: unit, on: session.terminal.error, from: start)
  }

  /// Shows how much is done, where that can be counted, and which fraction of all that is.
  func show(_ count: Int?, _ fraction: Double?) {
    if let text = bar.update(count: count, fraction: fraction, at: monotonicSeconds()) { writeError(text) }
  }

  /// Takes the bar away, so that something else can be printed.
  func clear() {
    if let text = bar.finish() { writeError(text) }
  }
}
