internal import FencelineCivilTime
internal import FencelineGeodesy
public import FencelinePositioning
internal import FencelineSpatialIndex

/// Decides which regions one device has entered, left or dwelt in.
///
/// A pure value: the same fixes give the same outcomes, and a copy, or one that was encoded and decoded, goes on where the
/// original stood. Only regions that the device is near, inside, or in doubt about cost anything: for all others it is outside.
public struct CrossingEvaluator: Hashable, Sendable, Codable {
  private struct Record: Hashable, Sendable, Codable {
    var slot: CircleIndex.Slot
    var state: RegionState
  }

  /// The last accepted fix.
  private var last: Fix?
  /// Milliseconds between accepted fixes of one track, the last five, the oldest first.
  private var intervals: [Int64] = []
  /// The best accuracy of this session in metres: a region that no fix was ever near is outside if one of the fixes was good
  /// enough for its gate to say so.
  private var bestAccuracy: Double?
  /// What is known beyond that, by ascending slot.
  private var records: [Record] = []

  /// An evaluator for a device that has never been seen.
  public init() {}

  /// Takes the device's next accepted fix.
  ///
  /// - Parameters:
  ///   - fix: A fix that the ``FixFilter`` accepted.
  ///   - start: How it follows from the one before.
  ///   - regions: The regions, the same from call to call.
  ///   - scratch: Working storage, kept from call to call so that nothing is allocated.
  ///   - outcomes: What the fix brings about is appended, in the order in which it is to be told.
  public mutating func process(
    _ fix: Fix, _ start: TrackStart, in regions: RegionSet, scratch: inout Scratch,
    into outcomes: inout [Outcome]
  ) {
    let firstOutcome = outcomes.count
    if start == .newSession { endSession(in: regions, into: &outcomes) }
    let step = Step(fix, after: start == .newSession ? nil : last, start, &intervals)
    admitNearRegions(step, regions, &scratch)
    for place in records.indices {
      guard let rules = regions.rules[Int(records[place].slot)] else { continue }
      var evaluation = Evaluation(step, rules, records[place].state)
      evaluation.run(into: &outcomes)
      records[place].state = evaluation.state
    }
    forgetPlainOutside(regions, scratch)
    bestAccuracy = min(bestAccuracy ?? .infinity, step.accuracy)
    last = fix
    if outcomes.count - firstOutcome > 1 {
      outcomes[firstOutcome...].sort { $0.orderInFix < $1.orderInFix }
    }
  }

  /// Time went back: everything begins again.
  private mutating func endSession(in regions: RegionSet, into outcomes: inout [Outcome]) {
    for record in records where record.state.side == .inside {
      guard let rules = regions.rules[Int(record.slot)], let last else { continue }
      outcomes.append(.visitEnded(device: last.device, region: rules.id, at: last.time, .session))
    }
    records.removeAll()
    intervals.removeAll()
    bestAccuracy = nil
  }

  /// Gives a record to each region that the fix, or the way to it, may concern, and ends those that have expired.
  private mutating func admitNearRegions(_ step: Step, _ regions: RegionSet, _ scratch: inout Scratch) {
    let here = EarthPoint(step.fix.coordinate)
    let before = step.mayPass ? step.previous.map { EarthPoint($0.coordinate) } ?? here : here
    regions.index.circles(within: step.reach, ofSegmentFrom: before, to: here, into: &scratch.near)
    var place = 0
    for slot in scratch.near {
      while place < records.count, records[place].slot < slot { place += 1 }
      if place < records.count, records[place].slot == slot { continue }
      guard let rules = regions.rules[Int(slot)], rules.concerns(step.fix.device) else { continue }
      let isOutside = bestAccuracy.map { $0 <= rules.gate } ?? false
      let state = RegionState(
        side: isOutside ? .outside : .unknown, place: step.previous.map { rules.plane.project($0.coordinate) }
      )
      records.insert(Record(slot: slot, state: state), at: place)
    }
  }

  /// Drops what the best accuracy says as well, a region that is not near, outside, and in no doubt; and regions that are gone.
  private mutating func forgetPlainOutside(_ regions: RegionSet, _ scratch: borrowing Scratch) {
    var near = scratch.near[...]
    records.removeAll { record in
      while let first = near.first, first < record.slot { near.removeFirst() }
      guard regions.rules[Int(record.slot)] != nil else { return true }
      return record.state.side == .outside && record.state.candidate == nil && near.first != record.slot
    }
  }

  /// Working storage of ``process(_:_:in:scratch:into:)``; one serves any number of evaluators, one after the other.
  public struct Scratch: Sendable {
    var near: [CircleIndex.Slot] = []

    /// Empty storage.
    public init() {}
  }
}

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
  /// Metres from the previous fix, where the track goes on; else 0.
  let length: Double

  /// Milliseconds: a longer segment is a gap; a longer one allows no pass; intervals from here on make a source sparse.
  static let gap: Int64 = 300_000
  static let passLimit: Int64 = 120_000
  static let sparseInterval = 20_000.0

  init(_ fix: Fix, after previous: Fix?, _ start: TrackStart, _ intervals: inout [Int64]) {
    self.fix = fix
    self.start = start
    self.previous = previous
    sigma = fix.sigma
    accuracy = fix.accuracyOrDefault
    if let previous, start == .continues {
      if intervals.count == 5 { intervals.removeFirst() }
      intervals.append(fix.time.milliseconds - previous.time.milliseconds)
      length = previous.coordinate.distance(to: fix.coordinate)
    } else {
      length = 0
    }
    isSparse = Step.median(intervals).map { $0 >= Step.sparseInterval } ?? false
  }

  /// Milliseconds since the previous fix.
  var interval: Int64 { previous.map { fix.time.milliseconds - $0.time.milliseconds } ?? 0 }
  var mayPass: Bool { start == .continues && interval <= Step.passLimit }
  var isGap: Bool { start == .newTrack || interval > Step.gap }

  /// How far beyond its margin a region may matter: as far as the widest band, and as straight lines through the Earth and in
  /// a region's plane depart from the way on the ground, for which L² / R is ample.
  var reach: Double {
    Profile.mostSigmasOutside * sigma + 1 + (mayPass ? length * length / 6_335_439 : 0)
  }

  /// The middle one; of an even number the mean of the middle two. Five numbers at most: sorted by hand, without an array.
  private static func median(_ values: [Int64]) -> Double? {
    guard !values.isEmpty else { return nil }
    func ranked(_ rank: Int) -> Double {
      for value in values {
        var (below, equal) = (0, 0)
        for other in values {
          if other < value { below += 1 } else if other == value { equal += 1 }
        }
        if below <= rank, rank < below + equal { return Double(value) }
      }
      return 0
    }
    let upper = ranked(values.count / 2)
    return values.count.isMultiple(of: 2) ? (ranked(values.count / 2 - 1) + upper) / 2 : upper
  }
}
