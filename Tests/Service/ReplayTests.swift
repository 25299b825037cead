import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineService
import FencelineTestSupport
import FencelineTrackLogs
import Glibc
import Testing

struct ReplayTests {
  @Test func aLogIsEvaluatedAndRecorded() throws {
    let test = try TestReplay()
    let path = try test.csv("a.csv", [(0, false), (1, false), (2, true), (3, true), (4, false)])
    let (report, told) = try test.run([path], journal: test.journal)
    #expect(told == ["entry by 2", "exit by 4"])
    #expect(report.kinds == [.entry: 1, .exit: 1])
    #expect(report.formats == [.csv])
    #expect(report.unread == [] && report.damaged == [] && report.replaced == nil)
    var summary = RunSummary()
    (summary.fixes, summary.accepted, summary.crossings) = (5, 5, 2)
    summary.firstFix = Timestamp(milliseconds: 1_772_366_400_000)
    summary.lastFix = Timestamp(milliseconds: 1_772_366_640_000)
    #expect(report.summary == summary)
    let run = try #require(try test.journal.runs().first)
    #expect(run.id == report.run && run.summary == summary && run.source == path)
    #expect(try test.recorded().map(\.crossing.kind) == [.entry, .exit])
  }

  @Test func theSameReplayTakesThePlaceOfTheFirst() throws {
    let test = try TestReplay()
    let path = try test.csv("a.csv", [(0, false), (1, true)])
    let copy = try test.csv("b.csv", [(0, false), (1, true)])
    let first = try test.run([path], journal: test.journal).report
    let again = try test.run([copy], journal: test.journal).report
    #expect(again.replaced == first.run)
    #expect(try test.run([path], device: "van", journal: test.journal).report.replaced == nil)
    #expect(try test.run([path, path], journal: test.journal).report.replaced == nil)
    #expect(try test.journal.runs().count == 3)
  }

  @Test func aTrackOfGPXIsJoinedToNothingBeforeOrAfterIt() throws {
    let test = try TestReplay()
    let before = try test.csv("before.csv", [(0, false)])
    let track = try test.gpx("track.gpx", [(1, true)])
    let after = try test.csv("after.csv", [(2, false)])
    var causes: [Crossing.Cause] = []
    _ = try test.run([before, track, after], journal: nil) { step in
      for case .crossing(let crossing) in step.outcomes { causes.append(crossing.cause) }
    }
    #expect(causes == [.gap, .gap])
    causes = []
    _ = try test.run([before, try test.csv("track.csv", [(1, true)]), after], journal: nil) { step in
      for case .crossing(let crossing) in step.outcomes { causes.append(crossing.cause) }
    }
    #expect(causes == [.observed, .observed])
  }

  @Test func aWildTimeDoesNotStopAReplayInItsOwnTime() throws {
    let test = try TestReplay()
    let log = try test.gpsd("a.json", [(0, false), (600_000, false), (1, true), (2, true)])
    // A minute of the log in a millisecond; the wild one would take ten minutes.
    let request = Replay.Request(
      paths: [log], log: LogOptions(), profile: .balanced, filter: .init(), pace: 60_000)
    let replay = try Replay(
      request, regions: try test.journal.regions(), journal: nil, progress: { _, _ in }, step: { _ in })
    let began = monotonicSeconds()
    let report = try replay.evaluate()
    #expect(report.summary.fixes == 4)
    #expect(monotonicSeconds() - began < 300)
  }

  @Test(.timeLimit(.minutes(10))) func aLogThatHasNotEndedKeepsNobodyWhoTakesNoMore() throws {
    let test = try TestReplay()
    let whole = unsafe open(
      try test.gpsd("a.json", [(0, false), (1, true), (2, true)]), O_RDONLY | O_CLOEXEC)
    defer { close(whole) }
    var log = [UInt8](repeating: 0, count: 4096)
    let length = unsafe log.withUnsafeMutableBytes { unsafe read(whole, $0.baseAddress, $0.count) }
    let path = test.folder.path("pipe")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    // Open for both, so that the log never ends.
    let pipe = unsafe open(path, O_RDWR | O_CLOEXEC)
    try #require(pipe >= 0)
    defer { close(pipe) }
    #expect(length > 0)
    #expect(unsafe log.withUnsafeBytes { unsafe write(pipe, $0.baseAddress, length) } == length)
    struct Closed: Error {}
    #expect(throws: Closed.self) {
      try test.run([path], journal: test.journal) { _ in throw Closed() }
    }
    #expect(try test.journal.runs() == [])
  }

  @Test func aLogWithoutAFixIsNotRecorded() throws {
    let test = try TestReplay()
    let empty = try test.csv("empty.csv", [])
    let report = try test.run([empty], journal: test.journal).report
    #expect(report.run == nil && report.summary.fixes == 0 && report.unread == [])
    #expect(try test.journal.runs() == [])
  }

  @Test func withoutAJournalNothingIsRecorded() throws {
    let test = try TestReplay()
    let (report, told) = try test.run([try test.csv("a.csv", [(0, false), (1, true)])], journal: nil)
    #expect(report.run == nil && told.count == 1)
    #expect(try test.journal.runs() == [])
  }

  @Test func wholeTracksArePutInOrderAcrossFiles() throws {
    let test = try TestReplay()
    let late = try test.csv("late.csv", [(6, false), (5, true), (4, true)])
    let early = try test.csv("early.csv", [(1, false), (0, false), (2, true), (3, true)])
    let (report, told) = try test.run([late, early], journal: test.journal)
    #expect(told == ["entry by 2", "exit by 6"])
    #expect(report.summary.accepted == 7 && report.summary.rejected == [:])
    // Two halves of one track, mixed.
    let odd = try test.csv("odd.csv", [(1, false), (3, true), (5, true)])
    let even = try test.csv("even.csv", [(0, false), (2, true), (4, true), (6, false)])
    #expect(try test.run([odd, even], journal: nil).told == told)
  }

  @Test func streamsStandWhereTheyWereNamed() throws {
    let test = try TestReplay()
    let csv = try test.csv("a.csv", [(1, true), (0, false)])
    let stream = try test.gpsd("b.json", [(2, false), (3, true), (4, false)])
    let (report, told) = try test.run([csv, stream], device: "d", journal: nil)
    #expect(told == ["entry by 1", "exit by 2", "entry by 3", "exit by 4"])
    #expect(report.formats == [.csv, .gpsdJSON])
    // A stream is taken as it came: what is earlier than it is late.
    let turned = try test.run([stream, csv], device: "d", journal: nil)
    #expect(turned.told == ["entry by 3", "exit by 4"])
    #expect(turned.report.summary.rejected == [.late: 2])
  }

  @Test func eachFileOfAFormatWithTracksIsATrack() throws {
    let test = try TestReplay()
    // From outside to outside across the region: a pass on one track, and nothing between two.
    let first = try test.gpx("a.gpx", [(0, false), (1, false)])
    let second = try test.gpx("b.gpx", [(2, true), (3, true), (4, false)])
    let (_, told) = try test.run([first, second], journal: test.journal)
    #expect(told.count == 2)
    #expect(try test.recorded().map(\.crossing.cause) == [.gap, .observed])
    let whole = try test.gpx("c.gpx", [(0, false), (1, false), (2, true), (3, true), (4, false)])
    _ = try test.run([whole], device: "x", journal: test.journal)
    #expect(
      try test.recorded().filter { $0.crossing.device == "x" }.map(\.crossing.cause) == [
        .observed, .observed,
      ])
  }

  @Test func whatCannotBeReadIsNamedAndTheOthersGoOn() throws {
    let test = try TestReplay()
    let good = try test.csv("a.csv", [(0, false), (1, true)])
    let bad = try test.folder.write("b.csv", "no log at all\n")
    let missing = test.folder.path("c.csv")
    let (report, told) = try test.run([bad, good, missing], journal: test.journal)
    #expect(told.count == 1)
    #expect(report.unread.map(\.code) == [.unrecognised, .cannotRead])
    #expect(report.unread[1].message.contains("c.csv"))
    #expect(report.run != nil)
  }

  @Test func nothingIsRecordedWhereNothingCouldBeRead() throws {
    let test = try TestReplay()
    let (report, told) = try test.run(
      [test.folder.path("a.csv"), test.folder.path("b.csv")], journal: test.journal)
    #expect(report.unread.count == 2 && report.run == nil && told == [])
    #expect(try test.journal.runs() == [])
    // Not even a number is left of it for the next.
    _ = try test.run([try test.csv("c.csv", [(0, false)])], journal: test.journal)
    #expect(try test.journal.runs().count == 1)
  }

  @Test func whatCameBeforeADamagedEndIsKept() throws {
    let test = try TestReplay()
    let path = try test.gpx("a.gpx", [(0, false), (1, true), (2, true), (3, false)], isWhole: false)
    let (report, told) = try test.run([path], journal: test.journal)
    #expect(told.count == 2)
    #expect(report.damaged.map(\.code) == [.damaged])
    #expect(report.unread == [] && report.run != nil)
  }

  @Test(arguments: [true, false])
  func anErrorOfTheCallerLeavesNothing(_ isStream: Bool) throws {
    struct Refusal: Error {}
    let test = try TestReplay()
    let rows = [(0, false), (1, true), (2, false), (3, true)]
    let path = isStream ? try test.gpsd("a.json", rows) : try test.csv("a.csv", rows)
    let kept = try test.csv("b.csv", [(0, false), (1, true)])
    _ = try test.run([kept], journal: test.journal)
    #expect(throws: Refusal.self) {
      _ = try test.run([path, kept], journal: test.journal) { if $0.sequence == 2 { throw Refusal() } }
    }
    #expect(try test.journal.runs().count == 1)
    #expect(try test.recorded().count == 1)
  }

  @Test func stepsAreNumbered() throws {
    let test = try TestReplay()
    let path = try test.gpsd(
      "a.json",
      [
        (10, false), (11, true), (12, false), (5, false), (6, true), (7, true), (8, true), (11, false),
        (12, true),
      ])
    var steps: [(sequence: Int, place: Int)] = []
    let (report, _) = try test.run([path], journal: test.journal) { steps.append(($0.sequence, $0.place)) }
    // 5 and 6 are suspects; 7 begins a new session, inside; what is confirmed at 11 and 12 stands where those stood first.
    #expect(report.summary.rejected == [.late: 2])
    #expect(steps.map(\.sequence) == [1, 2, 3, 3, 4])
    #expect(steps.map(\.place) == [1, 2, 3, 1, 2])
  }

  @Test func omissionsAndWarningsAreKept() throws {
    let test = try TestReplay()
    let text = """
      time,latitude,longitude,accuracy
      2026-03-01T12:00:00Z,47,8,5
      nonsense,47,8,5
      2026-03-01T12:00:10Z,x,8,5
      2026-03-01T12:00:20Z,47,8,900
      2026-03-01T12:00:30Z,0,0,5

      """
    let (report, _) = try test.run([try test.folder.write("a.csv", text)], journal: test.journal)
    #expect(report.omissions[.unreadableTime] == 1)
    #expect(report.omissions[.unreadablePosition] == 1)
    #expect(report.summary.rejected == [.coarse: 1, .invalid: 1])
    #expect(try test.journal.runs().first?.summary == report.summary)
  }

  @Test func timePassesAsItWasRecordedOnlyFaster() throws {
    let test = try TestReplay()
    let path = try test.csv("a.csv", [(0, false), (1, true)])
    let request = Replay.Request(
      paths: [path], log: LogOptions(), profile: .balanced, filter: .init(), pace: 1_200)
    let before = monotonicSeconds()
    _ = try Replay(request, regions: [], journal: nil, progress: { _, _ in }, step: { _ in }).evaluate()
    #expect(monotonicSeconds() - before >= 0.05)
  }

  @Test func progressIsToldAsAFraction() throws {
    let test = try TestReplay()
    let paths = try ["a.csv", "b.csv"].map { try test.csv($0, [(0, false), (1, true)]) }
    var told: [(fixes: Int, part: Double?)] = []
    let request = Replay.Request(paths: paths, log: LogOptions(), profile: .balanced, filter: .init())
    let replay = try Replay(
      request, regions: [], journal: nil, progress: { told.append(($0, $1)) }, step: { _ in })
    _ = try replay.evaluate()
    #expect(told.last?.fixes == 4)
    #expect(told.last?.part == 1)
    #expect(told.compactMap(\.part) == told.compactMap(\.part).sorted())
  }
}
