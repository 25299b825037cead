import CFencelineGPS
import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTrackLogs
import Glibc

/// What becomes of a report of gpsd.
extension GPSDClient {
  mutating func takeReport(_ session: GPSDSession, _ now: Arrival) {
    backoff.reset()
    let known = receivers.all.firstIndex { $0.isPresent && session.isFrom($0.key) }
    let index = known ?? receivers.find(session.device ?? "gpsd", at: now.boot)
    let fix = session.fix
    let time = time(of: fix)
    let place = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
    guard fix.mode >= 2 else {
      // A receiver that has had its fix of this instant goes on saying other things of it.
      guard time == nil || time != receivers[index].lastTime else { return counts.leaveOutRepeated() }
      counts.leaveOut(.noFix)
      if receivers[index].watch.takeNoFix(at: now.boot) { tellState(of: index, now) }
      return
    }
    guard place.latitude.isFinite, place.longitude.isFinite else {
      return counts.leaveOut(.unreadablePosition)
    }
    guard place.isValid else { return counts.leaveOut(.offTheEarth) }
    var report = Fix(
      device: "", time: time ?? now.utc, coordinate: place,
      accuracy: errors.accuracy(eph: fix.eph, epx: fix.epx, epy: fix.epy),
      altitude: fix.altMSL.isFinite ? fix.altMSL : nil,
      speed: fix.speed.isFinite && fix.speed >= 0 ? fix.speed : nil,
      course: courseInDegrees(fix.track), source: .tpv)
    guard !isRepeated(time, place, receivers[index], now) else {
      receivers[index].watch.hear(at: now.boot)
      counts.leaveOutRepeated()
      guard var told = receivers[index].lastFix, told.complete(from: report) else { return }
      receivers[index].lastFix = told
      return voice.tell(completed: told)
    }
    let isRenamed = receivers[index].name == nil
    let hasChanged = receivers[index].watch.takeFix(mode: Int(fix.mode), at: now.boot)
    report.device = receivers.name(of: index, at: now.boot)
    if hasChanged || isRenamed { tellState(of: index, now) }
    receivers[index].lastTime = time
    receivers[index].lastFix = report
    receivers[index].lastFixAt = now.boot
    voice.tell(report, now)
  }

  /// Whether a report speaks of an instant that has had its fix: gpsd sends several, the later ones more complete. The first one counts,
  /// so that nothing waits for the others.
  private func isRepeated(
    _ time: Timestamp?, _ place: Coordinate, _ last: GPSDReceivers.Receiver, _ now: Arrival
  ) -> Bool {
    if let time, let lastTime = last.lastTime { return time == lastTime }
    return last.lastFix?.coordinate == place && now.boot - last.lastFixAt < 300
  }

  /// The time that the receiver gives; nil where gpsd does not know the date yet.
  private func time(of fix: gps_fix_t) -> Timestamp? {
    guard fix.time.tv_sec != 0 else { return nil }
    let (seconds, overflow) = Int64(fix.time.tv_sec).multipliedReportingOverflow(by: 1000)
    guard !overflow else { return nil }
    let time = Timestamp(milliseconds: seconds + (Int64(fix.time.tv_nsec) + 500_000) / 1_000_000)
    return time >= .earliest && time <= .latest ? time : nil
  }
}
