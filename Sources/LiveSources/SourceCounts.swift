import FencelineJSONText
import FencelinePositioning
import FencelineTrackLogs
import Synchronization

/// What a source has left out, for whoever asks on another thread.
final class SourceCounts: Sendable {
  private struct Counts {
    var tally = LogTally()
    var repeated = 0
  }
  private let counts = Mutex(Counts())

  /// Counts one thing more.
  func leaveOut(_ reason: LogOmission) {
    counts.withLock { $0.tally.leaveOut(reason) }
  }

  /// Reads a position that OwnTracks gives; what is none is counted.
  func fix(in report: JSONNode, device: String) -> Fix? {
    counts.withLock { OwnTracksReport.fix(in: report, device: device, &$0.tally) }
  }

  /// Counts one more report of an instant that has had its fix.
  func leaveOutRepeated() {
    counts.withLock { $0.repeated += 1 }
  }

  /// Takes the counts of a decoder in place of those so far.
  func take(_ tally: LogTally) {
    counts.withLock { $0.tally = tally }
  }

  /// Every reason that was met, with how many.
  var all: [(name: String, count: Int)] {
    let now = counts.withLock { $0 }
    let omissions = now.tally.omissions.map { (name: $0.reason.name, count: $0.count) }
    return now.repeated == 0 ? omissions : omissions + [("reports of the same epoch", now.repeated)]
  }
}
