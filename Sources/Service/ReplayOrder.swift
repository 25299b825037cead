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

    /// Takes a later time, where it goes on at the same interval.
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

    /// Keeps what is before `time`, which none of the fixes has.
    ///
    /// - Returns: What is after it.
    mutating func cut(at time: Int64) -> Run {
      let kept = (time - first) / interval + 1
      var rest = self
      rest.first = first + interval * kept
      rest.place = place + stride * Int(kept)
      rest.count = count - kept
      count = kept
      return rest
    }
  }

  /// The runs of one device by the hour, in the order of time and apart from one another. However often a log goes back, a
  /// time is looked for among those of its own hour alone.
  private var hours: [[Int64: [Run]]] = []
  private var devices: [String: Int] = [:]
  private var count = 0

  /// Takes the next accepted fix of any device.
  mutating func accept(_ fix: Fix) {
    defer { count += 1 }
    let device = devices[fix.device] ?? hours.count
    if device == hours.count {
      devices[fix.device] = device
      hours.append([:])
    }
    let hour = fix.time.split(by: 3_600_000).whole
    ReplayOrder.insert(fix.time.milliseconds, count, into: &hours[device][hour, default: []])
  }

  /// The number, from 0, of the first accepted fix of the device with that time.
  ///
  /// - Parameter fix: One that was accepted.
  /// - Returns: The number; that of the fix itself where its time is new.
  func place(of fix: Fix) -> Int {
    let time = fix.time.milliseconds
    let runs = devices[fix.device].flatMap { hours[$0][fix.time.split(by: 3_600_000).whole] } ?? []
    let run = ReplayOrder.firstRun(endingFrom: time, in: runs)
    return (run < runs.count ? runs[run].place(of: time) : nil) ?? count - 1
  }

  private static func insert(_ time: Int64, _ place: Int, into runs: inout [Run]) {
    var next = firstRun(endingFrom: time, in: runs)
    if next < runs.count {
      guard runs[next].place(of: time) == nil else { return }
      if time > runs[next].first {
        runs.insert(runs[next].cut(at: time), at: next + 1)
        next += 1
      }
    }
    if next > 0, runs[next - 1].take(time, place) { return }
    runs.insert(Run(first: time, place: place), at: next)
  }

  /// The index of the first run that does not end before `time`; their number where all do.
  private static func firstRun(endingFrom time: Int64, in runs: [Run]) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].last < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
