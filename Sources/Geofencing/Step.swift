internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelinePositioning

/// A fix and what holds for it whatever the region.
struct Step {
  let fix: Fix
  let start: TrackStart
  /// The accepted fix before it in this session.
  let previous: Fix?
  let sigma: Double
  /// 68 % radius in metres.
  let accuracy: Double
  /// Whether the fixes of the device are 20 s or more apart.
  let isSparse: Bool
  /// Metres from the previous fix, where the track goes on; else 0. Up to ``roughly`` it may be a little too long.
  let length: Double

  /// Milliseconds: a longer segment is a gap; a longer one allows no pass; intervals from here on make a source sparse.
  static let gap: Int64 = 300_000
  static let passLimit: Int64 = 120_000
  static let sparseInterval = 20_000.0
  /// Metres.
  private static let roughly = 1_000.0

  init(_ fix: Fix, after previous: Fix?, _ start: TrackStart, _ intervals: inout Intervals) {
    self.fix = fix
    self.start = start
    self.previous = previous
    sigma = fix.sigma
    accuracy = fix.accuracyOrDefault
    if let previous, start == .continues {
      intervals.append(fix.time.milliseconds - previous.time.milliseconds)
      let bound = previous.coordinate.distanceBound(to: fix.coordinate)
      length = bound <= Step.roughly ? bound : previous.coordinate.distance(to: fix.coordinate)
    } else {
      length = 0
    }
    isSparse = intervals.median.map { $0 >= Step.sparseInterval } ?? false
  }

  /// Milliseconds since the previous fix.
  var interval: Int64 { previous.map { fix.time.milliseconds - $0.time.milliseconds } ?? 0 }
  var mayPass: Bool { start == .continues && interval <= Step.passLimit }
  var isGap: Bool { start == .newTrack || interval > Step.gap }

  /// ``length`` to the last bit, which takes a geodesic.
  var exactLength: Double {
    guard start == .continues, let previous else { return 0 }
    return previous.coordinate.distance(to: fix.coordinate)
  }

  /// How far beyond its margin a region may matter: as far as the widest band, and as straight ways bend.
  var reach: Double { Step.reach(sigma: sigma) + (mayPass ? Step.bow(length: length) : 0) }

  /// Metres beyond its margin in which a region may matter to a fix of one standard deviation `sigma`.
  static func reach(sigma: Double) -> Double { Profile.mostSigmasOutside * sigma + 1 }

  /// How far straight lines through the Earth, and in a region's plane, depart from a way of `length` metres on the ground: L² / R is
  /// ample.
  static func bow(length: Double) -> Double { length * length / 6_335_439 }
}
