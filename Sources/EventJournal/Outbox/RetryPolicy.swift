/// How long is waited between two attempts.
package struct RetryPolicy: Hashable, Sendable {
  /// Milliseconds after the first attempt that has failed.
  package var first: Int64 = 5_000
  /// Milliseconds at most.
  package var longest: Int64 = 900_000

  /// The usual waits: about 5 s, 25 s, 2 min, 10 min, then every quarter of an hour.
  package init() {}

  /// Attempts without success, whichever event they were for, after which the channel rests.
  static let failuresBeforeRest = 5
  /// How often an event is offered to somebody who refuses it.
  static let mostRefusals = 3

  /// The wait after an attempt.
  ///
  /// - Parameters:
  ///   - attempts: How many there were, 1 or more.
  ///   - random: From 0 to 1: waits differ, so that those who were interrupted together do not all come back together.
  /// - Returns: Milliseconds.
  func wait(after attempts: Int, _ random: Double) -> Int64 {
    var wait = Double(first)
    for _ in 1..<max(2, min(attempts, 30)) where attempts > 1 { wait = min(wait * 5, Double(longest)) }
    return Int64(min(wait, Double(longest)) * (0.75 + random / 2))
  }

  /// How long a channel rests after so many failures in a row.
  func rest(after failures: Int, _ random: Double) -> Int64 {
    let doublings = max(0, min(failures - RetryPolicy.failuresBeforeRest, 20))
    let rest = min(Double(first) * Double(1 << doublings), Double(min(longest, RetryPolicy.longestRest)))
    return Int64(rest * (0.75 + random / 2))
  }

  /// Milliseconds after which somebody who was gone is looked for again, at the latest.
  private static let longestRest: Int64 = 300_000
}
