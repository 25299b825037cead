public import FencelineCivilTime
internal import FencelineGeodesy
public import FencelinePositioning
public import FencelineSpatialIndex

/// Decides which regions one device has entered, left or dwelt in.
///
/// A pure value: the same fixes give the same outcomes, and a copy, or one that was made from what a database kept of it, goes on
/// where the original stood. Only regions that the device is near, inside, or in doubt about cost anything: for all others it is outside.
public struct CrossingEvaluator: Hashable, Sendable {
  private struct Record: Hashable, Sendable {
    var slot: CircleIndex.Slot
    var state: RegionState
  }

  /// The last accepted fix; nil before the first.
  public private(set) var last: Fix?
  /// Milliseconds between accepted fixes of one track, the last five, the oldest first.
  public private(set) var intervals: [Int64] = []
  /// The best accuracies of this session: a region that no fix was ever near is outside if one of the fixes since it is there was
  /// good enough for its gate to say so.
  public private(set) var accuracies = BestAccuracies()
  /// What is known beyond that, by ascending slot.
  private var records: [Record] = []

  /// An evaluator for a device that has never been seen.
  public init() {}

  /// An evaluator that goes on where one stood.
  ///
  /// - Parameters:
  ///   - last: Its ``last``.
  ///   - intervals: Its ``intervals``.
  ///   - accuracies: Its ``accuracies``.
  ///   - states: Its ``states(in:)``; those of regions that are not there any more are dropped.
  ///   - regions: The regions.
  public init(
    last: Fix, intervals: [Int64], accuracies: BestAccuracies, states: [String: RegionState],
    in regions: RegionSet
  ) {
    self.last = last
    self.intervals = intervals
    self.accuracies = accuracies
    for (id, state) in states {
      guard let slot = regions.slot(of: id), let rules = regions.rules[Int(slot)] else { continue }
      var state = state
      state.place = rules.plane.project(last.coordinate)
      records.append(Record(slot: slot, state: state))
    }
    records.sort { $0.slot < $1.slot }
  }

  /// What is known of each region that the device is near, inside or in doubt about.
  public func states(in regions: RegionSet) -> [String: RegionState] {
    var states: [String: RegionState] = [:]
    for record in records {
      if let id = regions.id(in: record.slot) { states[id] = record.state }
    }
    return states
  }

  /// What is known of the region in a slot; nil where the device is plainly outside, or nothing is known.
  public func state(in slot: CircleIndex.Slot) -> RegionState? {
    place(of: slot).map { records[$0].state }
  }

  /// Forgets what is known of the region in a slot.
  ///
  /// - Returns: What it was; nil where nothing was known.
  @discardableResult
  public mutating func forget(_ slot: CircleIndex.Slot) -> RegionState? {
    place(of: slot).map { records.remove(at: $0).state }
  }

  private func place(of slot: CircleIndex.Slot) -> Int? {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    return low < records.count && records[low].slot == slot ? low : nil
  }

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
    scratch.begin(anew: start == .newSession)
    if start == .newSession { endSession(in: regions, into: &outcomes) }
    let step = Step(fix, after: start == .newSession ? nil : last, start, &intervals)
    admitNearRegions(step, regions, &scratch)
    for place in records.indices {
      guard let rules = regions.rules[Int(records[place].slot)] else { continue }
      var evaluation = Evaluation(step, rules, records[place].state)
      evaluation.run(into: &outcomes)
      if scratch.tracksChanges, !records[place].state.knowsTheSame(as: evaluation.state) {
        scratch.changed.append(records[place].slot)
      }
      records[place].state = evaluation.state
    }
    forgetPlainOutside(regions, &scratch)
    accuracies.take(step.accuracy, at: regions.version)
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
    accuracies = BestAccuracies()
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
      let isOutside = accuracies.best(since: rules.since).map { $0 <= rules.gate } ?? false
      let state = RegionState(
        side: isOutside ? .outside : .unknown, place: step.previous.map { rules.plane.project($0.coordinate) }
      )
      records.insert(Record(slot: slot, state: state), at: place)
      if scratch.tracksChanges { scratch.changed.append(slot) }
    }
  }

  /// Drops what the best accuracy says as well, a region that is not near, outside, and in no doubt; and regions that are gone.
  private mutating func forgetPlainOutside(_ regions: RegionSet, _ scratch: inout Scratch) {
    var near = 0
    records.removeAll { record in
      while near < scratch.near.count, scratch.near[near] < record.slot { near += 1 }
      guard regions.rules[Int(record.slot)] != nil else { return true }
      let isNear = near < scratch.near.count && scratch.near[near] == record.slot
      let isPlain = record.state.side == .outside && record.state.candidate == nil && !isNear
      if isPlain, scratch.tracksChanges { scratch.changed.append(record.slot) }
      return isPlain
    }
  }

  /// Lets time pass without a fix: dwells that are due are told, and visits of regions that have expired end.
  ///
  /// A dwell is told as long as the last fix was inside and is younger than ``dwellWithoutFix``.
  ///
  /// - Parameters:
  ///   - now: The time by the device's own clock, that of its last fix or later.
  ///   - regions: The regions.
  ///   - scratch: As for ``process(_:_:in:scratch:into:)``.
  ///   - outcomes: What is due is appended.
  public mutating func advance(
    to now: Timestamp, in regions: RegionSet, scratch: inout Scratch, into outcomes: inout [Outcome]
  ) {
    scratch.begin(anew: false)
    guard let last else { return }
    let firstOutcome = outcomes.count
    for place in records.indices where records[place].state.side == .inside {
      guard let rules = regions.rules[Int(records[place].slot)] else { continue }
      let before = records[place].state
      records[place].state.advance(to: now, after: last, rules, into: &outcomes)
      if scratch.tracksChanges, records[place].state != before { scratch.changed.append(records[place].slot) }
    }
    if outcomes.count - firstOutcome > 1 {
      outcomes[firstOutcome...].sort { $0.orderInFix < $1.orderInFix }
    }
  }

  /// When time alone brings something about, by the device's own clock; nil where it does not.
  public func nextDue(in regions: RegionSet) -> Timestamp? {
    guard let last else { return nil }
    var next: Timestamp?
    for record in records where record.state.side == .inside {
      guard let due = regions.rules[Int(record.slot)].flatMap({ record.state.nextDue(after: last, $0) })
      else {
        continue
      }
      next = min(next ?? due, due)
    }
    return next
  }

  /// Milliseconds: how old the last fix may be when a dwell is told without one.
  public static let dwellWithoutFix: Int64 = 120_000
  /// Milliseconds after a dwell's time within which a fix that follows may still tell that the device has left.
  public static let dwellGrace: Int64 = 2_000

  /// Working storage of ``process(_:_:in:scratch:into:)``; one serves any number of evaluators, one after the other.
  public struct Scratch: Sendable {
    var near: [CircleIndex.Slot] = []
    let tracksChanges: Bool
    /// The regions of which something else is known than before the last call, for who keeps that in a database; some may be
    /// named twice.
    public internal(set) var changed: [CircleIndex.Slot] = []
    /// Whether nothing holds that was known before the last call.
    public private(set) var wasReset = false

    /// Empty storage.
    ///
    /// - Parameter tracksChanges: Whether ``changed`` is wanted.
    public init(tracksChanges: Bool = false) {
      self.tracksChanges = tracksChanges
    }

    mutating func begin(anew: Bool) {
      changed.removeAll(keepingCapacity: true)
      wasReset = anew
    }
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
