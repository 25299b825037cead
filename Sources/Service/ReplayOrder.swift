internal import FencelineCivilTime
internal import FencelinePositioning

/// Numbers the accepted fixes of a replay, and finds the first one of a device that had a certain time.
///
/// Crossings are listed in the order of their confirmation. Where a log goes back in time and shows an instant again, that
/// instant is the earlier one: what is confirmed at it in the new session stands where it stood first.
struct ReplayOrder {
  /// Fixes at equal intervals, one after the other: an hour at 1 Hz is one run.
  private struct Run {
    var first: Int64
    var interval: Int64 = 0
    var count: Int64 = 1
    var place: Int
    /// The difference of two neighbours' places.
    var stride = 1

    var last: Int64 { first + interval * (count - 1) }

    mutating func take(_ time: Int64, _ place: Int) -> Bool {
      if count == 1 {
        interval = time - first
        stride = place - self.place
      } else if time != last + interval || place != self.place + stride * Int(count) {
        return false
      }
      count += 1
      return true
    }

    func place(of time: Int64) -> Int? {
      guard time >= first, time <= last else { return nil }
      if interval == 0 { return place }
      let (number, rest) = (time - first).quotientAndRemainder(dividingBy: interval)
      return rest == 0 ? place + stride * Int(number) : nil
    }
  }

  /// Runs in the order of time, by device and session; arrays all the way down, so that they grow in place.
  private var sessions: [[[Run]]] = []
  private var devices: [String: Int] = [:]
  private var count = 0

  /// Takes the next accepted fix of any device.
  mutating func accept(_ fix: Fix, _ start: TrackStart) {
    defer { count += 1 }
    let device = devices[fix.device] ?? sessions.count
    if device == sessions.count {
      devices[fix.device] = device
      sessions.append([])
    }
    if start == .newSession || sessions[device].isEmpty { sessions[device].append([]) }
    let session = sessions[device].count - 1
    let run = sessions[device][session].count - 1
    if run >= 0, sessions[device][session][run].take(fix.time.milliseconds, count) { return }
    sessions[device][session].append(Run(first: fix.time.milliseconds, place: count))
  }

  /// The number, from 0, of the first accepted fix of the device with that time.
  ///
  /// - Parameter fix: One that was accepted.
  /// - Returns: The number; that of the fix itself where its time is new.
  func place(of fix: Fix) -> Int {
    let time = fix.time.milliseconds
    for runs in devices[fix.device].map({ sessions[$0] }) ?? [] {
      var (low, high) = (0, runs.count)
      while low < high {
        let middle = (low + high) / 2
        if runs[middle].last < time { low = middle + 1 } else { high = middle }
      }
      if low < runs.count, let place = runs[low].place(of: time) { return place }
    }
    return count - 1
  }
}
