import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning

/// The rules of accepted fixes in their plainest form, with the whole list of suspects.
enum NaiveFilter {
  static func accepted(_ fixes: [Fix], _ settings: FixFilter.Settings) -> [(fix: Fix, start: TrackStart)] {
    var accepted: [(fix: Fix, start: TrackStart)] = []
    var suspects: [Fix] = []
    func isPlausible(_ a: Fix, _ b: Fix) -> Bool {
      let way = a.coordinate.distance(to: b.coordinate) - 2 * (a.sigma + b.sigma)
      let fastest = max(settings.maxSpeed, 1.5 * (a.speed ?? 0), 1.5 * (b.speed ?? 0))
      return max(0, way) / max(b.time.seconds(since: a.time), 0.1) <= fastest
    }
    for fix in fixes {
      let place = fix.coordinate
      guard place.isValid, place != Coordinate(latitude: 0, longitude: 0) else { continue }
      guard fix.accuracyOrDefault <= settings.maxAccuracy else { continue }
      guard let last = accepted.last?.fix else {
        accepted.append((fix, .newTrack))
        continue
      }
      if fix.time == last.time { continue }
      let isNearerToSuspect =
        suspects.last.map { $0.coordinate.distance(to: place) < last.coordinate.distance(to: place) } ?? false
      if fix.time > last.time, isPlausible(last, fix), !isNearerToSuspect {
        accepted.append((fix, fix.track == last.track ? .continues : .newTrack))
        suspects = []
        continue
      }
      if let suspect = suspects.last {
        if fix.time == suspect.time { continue }
        if fix.time < suspect.time || !isPlausible(suspect, fix) { suspects = [] }
      }
      suspects.append(fix)
      if suspects.count >= 3, fix.time.seconds(since: suspects[0].time) >= 10 {
        accepted.append((fix, fix.time < last.time ? .newSession : .newTrack))
        suspects = []
      }
    }
    return accepted
  }
}
