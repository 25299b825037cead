internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelinePositioning
internal import FencelineSpatialIndex

/// How far and how long a device can go on before anything can happen: as long as it lasts, a fix costs a few multiplications.
///
/// It is found at a fix after which the device is plainly inside some regions and near no other one. Within the room that is then
/// left round it, less what the next fix may be wrong by, it stays inside these, and no other one comes near; so no state can change
/// until a dwell is reached, a region expires, or a region is edited.
struct Calm: Sendable {
  /// Metres: more than that is not asked for, so that the bow stays small.
  static let mostRoom = 100_000.0
  /// Fixes without a try after one that was not worth it: so the tries cost little in a town, and who leaves it is soon calm.
  private static let pause: UInt8 = 8

  private var disc = SafeDisc(centre: Coordinate(latitude: 0, longitude: 0), radius: 0)
  /// Milliseconds since 1970.
  private var until = -Double.infinity
  private var generation = -1
  private var fixesToWait: UInt8 = 0

  /// Whether a fix, and the way to it, are within.
  func covers(_ fix: Fix, _ regions: RegionSet) -> Bool {
    generation == regions.generation && Double(fix.time.milliseconds) < until
      && disc.holds(fix.coordinate, keeping: Step.reach(sigma: fix.sigma))
  }

  /// Counts a fix that it did not cover.
  ///
  /// - Returns: Whether the last try is long enough ago for another one.
  mutating func mayBegin() -> Bool {
    end()
    guard fixesToWait > 0 else { return true }
    fixesToWait -= 1
    return false
  }

  /// Holds no longer.
  mutating func end() { generation = -1 }

  /// Begins at a fix.
  ///
  /// - Parameters:
  ///   - step: The fix.
  ///   - room: Metres to the nearest perimeter of the regions that the device is inside.
  ///   - until: When something happens by itself, in milliseconds since 1970.
  ///   - regions: The regions.
  mutating func begin(at step: Step, room: Double, until: Double, in regions: RegionSet) {
    let least = Step.reach(sigma: step.sigma) + step.length
    guard room > least else { return }
    let safe = min(room, regions.index.safeDisc(at: step.fix.coordinate).radius)
    // Straight ways within the disc are 2 safe long at most.
    let radius = safe - Step.bow(length: 2 * safe)
    guard radius > least else {
      fixesToWait = Calm.pause
      return
    }
    disc = SafeDisc(centre: step.fix.coordinate, radius: radius)
    self.until = until
    generation = regions.generation
  }
}
