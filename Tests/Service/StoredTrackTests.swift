import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineService
import FencelineTestSupport
import FencelineTrackLogs
import Testing

/// A log that is stored as the live service does it, and replayed from there.
@Suite("Stored tracks") struct StoredTrackTests {
  private func crossings(
    _ path: String, _ regions: [StoredRegion], _ accepted: @escaping (Fix, TrackStart, Bool) throws -> Void
  )
    throws -> [Crossing]
  {
    var found: [Crossing] = []
    var waiting: (fix: Fix, start: TrackStart)?
    var fault: (any Error)?
    func release(_ keep: Bool) {
      guard let (fix, start) = waiting else { return }
      waiting = nil
      do { try accepted(fix, start, keep) } catch { fault = error }
    }
    let request = Replay.Request(paths: [path], log: LogOptions(), profile: .balanced, filter: .init())
    let replay = try Replay(
      request, regions: regions, journal: nil, progress: { _, _ in },
      accepted: { fix, start in
        release(false)
        waiting = (fix, start)
      }
    ) { step in
      for case .crossing(let crossing) in step.outcomes { found.append(crossing) }
      release(true)
    }
    _ = try replay.evaluate()
    release(false)
    if let fault { throw fault }
    return found
  }

  @Test(arguments: ["drive.nmea", "bus.csv", "walk.gpx", "boat.json"])
  func aReplayOfWhatIsStoredGivesTheSameEntriesAndExits(_ name: String) throws {
    let test = try TestReplay()
    let data = String(#filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()) + "/Data/"
    // Regions along the way itself: at every so many fixes one of 100 m.
    var fixes: [Fix] = []
    let reader = try TrackLogReader(path: data + name, options: LogOptions())
    while try reader.read(into: &fixes) {}
    let step = max(1, fixes.count / 20)
    let regions = stride(from: step / 2, to: fixes.count, by: step).map {
      Region(id: "r\($0)", centre: fixes[$0].coordinate, radius: 100)
    }
    _ = try test.journal.store(regions, update: false)
    let stored = try test.journal.regions()
    var store = PositionStore()
    let live = try crossings(data + name, stored) {
      try store.store($0, start: $1, keep: $2, in: test.journal)
    }
    var text = "time,latitude,longitude,accuracy,altitude,speed,course,device,source\n"
    var rows = 0
    try test.journal.positions { page in
      rows += page.count
      for fix in page {
        let numbers = [fix.accuracy, fix.altitude, fix.speed, fix.course].map { $0?.fixed(2) ?? "" }
        text +=
          "\(fix.time),\(fix.coordinate.text),\(numbers.joined(separator: ",")),\(fix.device),CSV\n"
      }
    }
    let again = try crossings(try test.folder.write("stored.csv", text), stored) { _, _, _ in }
    func key(_ crossing: Crossing) -> String { "\(crossing.device) \(crossing.region) \(crossing.kind)" }
    let order: (Crossing, Crossing) -> Bool = { (key($0), $0.at) < (key($1), $1.at) }
    #expect(live.count >= 10 && rows < fixes.count)
    let (a, b) = (live.sorted(by: order), again.sorted(by: order))
    #expect(a.map(key) == b.map(key), "\(name): \(rows) of \(fixes.count)")
    let worst = zip(a, b).map { abs($0.at.seconds(since: $1.at)) }.max() ?? 0
    print("\(name): \(rows) of \(fixes.count) fixes, \(live.count) crossings, at most \(worst) s apart")
    #expect(worst < 5)
  }
}
