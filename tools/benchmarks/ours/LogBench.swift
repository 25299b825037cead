import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTrackLogs
import Glibc

/// Reads a log to fixes, piece by piece.
func readLog(_ path: String) throws -> Answer {
  var fault: (any Error)?
  var answer = measured(1) {
    var answer = Answer()
    var (latitudes, longitudes) = (0.0, 0.0)
    do {
      let reader = try TrackLogReader(path: path, options: LogOptions())
      var fixes: [Fix] = []
      var goesOn = true
      while goesOn {
        fixes.removeAll(keepingCapacity: true)
        goesOn = try reader.read(into: &fixes)
        answer.hits += fixes.count
        for fix in fixes {
          latitudes += fix.coordinate.latitude
          longitudes += fix.coordinate.longitude
        }
      }
    } catch {
      fault = error
    }
    answer.more = [("latitudes", latitudes), ("longitudes", longitudes)]
    return answer
  }
  if let fault { throw fault }
  answer.nanoseconds /= Double(answer.hits)
  return answer
}

/// Records entries and exits of a thousand regions, as a replay does.
func recordCrossings(_ path: String, count: Int) throws -> Answer {
  let journal = try Journal(path: path, .write)
  let regions = (0..<1000).map {
    Region(id: "r\($0)", centre: Coordinate(latitude: 47, longitude: Double($0) / 100), radius: 100)
  }
  _ = try journal.store(regions, update: false)
  let settings = RunSettings(device: nil, profile: "balanced", filter: .init(), startDate: nil)
  let recorder = try ReplayRecorder(
    journal, regions: try journal.regions(), settings: settings, centre: CentreSettings(), shownAt: nil)
  let outcomes = (0..<count).map { number in
    let time = Timestamp(milliseconds: 1_767_225_600_000 + Int64(number) * 1000)
    let region = regions[number / 2 % regions.count]
    return Outcome.crossing(
      Crossing(
        device: Fix.defaultDevice, region: region.id, kind: number.isMultiple(of: 2) ? .entry : .exit,
        at: time,
        confirmedAt: time, earliest: time, latest: time, cause: .observed, notify: true,
        coordinate: region.centre))
  }
  var answer = Answer()
  let began = nanoseconds()
  for outcome in outcomes { try recorder.record([outcome]) }
  _ = try recorder.publish(source: "bench", digest: "\(count)", summary: RunSummary())
  answer.nanoseconds = (nanoseconds() - began) / Double(count)
  answer.hits = count
  return answer
}
