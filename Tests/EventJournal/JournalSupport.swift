import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

/// A journal in a folder of its own.
struct TestJournal {
  let folder: TemporaryFolder
  let journal: Journal
  var path: String { folder.path("journal.db") }

  init(_ regions: [Region] = []) throws {
    folder = try TemporaryFolder()
    journal = try Journal(path: folder.path("journal.db"), .write)
    _ = try journal.store(regions, update: false)
  }

  /// Records a run of `outcomes`.
  @discardableResult
  func record(
    _ outcomes: [Outcome], digest: String = "d", device: String? = nil, source: String = "a.nmea"
  ) throws -> (run: Int64, replaced: Int64?) {
    let recorder = try recorder(device: device)
    try recorder.record(outcomes)
    var summary = RunSummary()
    (summary.fixes, summary.accepted) = (10, 7)
    summary.rejected = [.jump: 2, .late: 1]
    (summary.firstFix, summary.lastFix) = (time(0), time(9))
    return (recorder.run, try recorder.publish(source: source, digest: digest, summary: summary))
  }

  func recorder(device: String? = nil) throws -> ReplayRecorder {
    try ReplayRecorder(
      journal, regions: try journal.regions(),
      settings: RunSettings(device: device, profile: "balanced", filter: .init(), startDate: nil),
      centre: .init(),
      shownAt: nil)
  }

  func crossings(_ change: (inout HistoryFilter) -> Void = { _ in }) throws -> [RecordedCrossing] {
    var filter = HistoryFilter()
    change(&filter)
    var found: [RecordedCrossing] = []
    try journal.crossings(filter) { found += $0 }
    return found
  }

  func visits(_ change: (inout HistoryFilter) -> Void = { _ in }) throws -> [Visit] {
    var filter = HistoryFilter()
    change(&filter)
    var found: [Visit] = []
    try journal.visits(filter) { found += $0 }
    return found
  }
}

/// So many seconds after a round time.
func time(_ seconds: Double) -> Timestamp {
  Timestamp(rounding: 1_772_323_200_000 + seconds * 1000)
}

func region(_ id: String, radius: Double = 100) -> Region {
  Region(id: id, centre: Coordinate(latitude: 47.5, longitude: 8.25), radius: radius)
}

func crossing(
  _ kind: Crossing.Kind, _ region: String, _ seconds: Double, device: String = "d",
  cause: Crossing.Cause = .observed
) -> Outcome {
  .crossing(
    Crossing(
      device: device, region: region, kind: kind, at: time(seconds), confirmedAt: time(seconds + 2),
      earliest: time(seconds - 1),
      latest: time(seconds + 1), cause: cause, notify: kind != .exit,
      coordinate: Coordinate(latitude: 47.501, longitude: 8.25)))
}

/// The error that `body` throws, where it is one of the journal's.
func journalError(_ body: () throws -> Void) -> JournalError? {
  do {
    try body()
    return nil
  } catch {
    return error as? JournalError
  }
}

extension Moment {
  /// Half a minute past a round time.
  static var test: Moment { Moment(utc: time(30), boot: 30_000, bootID: "test") }
}
