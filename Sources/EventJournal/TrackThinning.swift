internal import FencelineCivilTime
internal import FencelineGeodesy
package import FencelinePositioning

/// Decides which fixes of one device's track are stored, so that years fit on a small disk and the way can still be seen.
///
/// | the device | what is stored |
/// | --- | --- |
/// | moves | a fix every 5 s at most, more often in bends, that is 10 m or more from the one before |
/// | creeps | one a minute |
/// | stands | one in four minutes, so that to a replay nothing is a gap (300 s); wandering within twice its accuracy is standing |
///
/// The first and the last fix of a track are stored, and so is the last one before a device moves off, before half a minute's silence
/// and before a fix that brings a crossing: without it, an hour at a place would look like a slow drive away from there.
package struct TrackThinning: Hashable, Sendable {
  /// Metres from the stored fix that are movement.
  static let step = 10.0
  /// Seconds between two stored fixes of a straight drive.
  static let interval = 5.0
  /// Degrees by which a course turns in a bend.
  static let bend = 15.0
  /// Seconds between two stored fixes of a device that creeps, and of one that stands.
  static let creeping = 60.0
  static let standing = 240.0
  /// m/s below which a receiver that stands may call itself moving.
  static let slow = 0.5
  /// Seconds after which a stop or a silence is one.
  static let pause = 30.0

  /// The latest fix that was stored, and the latest one since that was not.
  private var stored: Fix?
  private var passed: Fix?

  /// A device that nothing is known of, or whose latest stored fix is.
  package init(after stored: Fix? = nil) {
    self.stored = stored
  }

  /// Takes an accepted fix.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - start: Whether it goes on where the device was.
  ///   - keep: Whether it is stored in any case, as something has happened there.
  /// - Returns: What to store, in the order of time: nothing, the fix, or the one before it too.
  package mutating func take(_ fix: Fix, start: TrackStart, keep: Bool) -> [Fix] {
    var before: Fix?
    if let stored, start == .continues {
      let seconds = fix.time.seconds(since: stored.time)
      let isSlow = (fix.speed ?? 0) < Self.slow
      let reach = isSlow ? max(Self.step, 2 * fix.accuracyOrDefault) : Self.step
      let hasMoved = stored.coordinate.distance(to: fix.coordinate) >= reach
      let isDue =
        hasMoved
        ? seconds >= Self.interval || Self.turns(from: stored, to: fix)
        : seconds >= (isSlow ? Self.standing : Self.creeping)
      guard isDue || keep else {
        passed = fix
        return []
      }
      if let passed {
        let longest = max(passed.time.seconds(since: stored.time), fix.time.seconds(since: passed.time))
        if keep || (hasMoved && longest >= Self.pause) { before = passed }
      }
    } else {
      before = passed
    }
    (stored, passed) = (fix, nil)
    return (before.map { [$0] } ?? []) + [fix]
  }

  /// Takes what is known now of a fix that was taken.
  package mutating func complete(_ fix: Fix) {
    if passed?.time == fix.time { passed = fix }
    if stored?.time == fix.time { stored = fix }
  }

  private static func turns(from a: Fix, to b: Fix) -> Bool {
    guard let from = a.course, let to = b.course else { return false }
    let angle = abs(from - to).truncatingRemainder(dividingBy: 360)
    return min(angle, 360 - angle) >= bend
  }
}
