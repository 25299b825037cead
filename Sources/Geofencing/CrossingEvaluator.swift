public import FencelineCivilTime
internal import FencelineGeodesy
public import FencelinePositioning
public import FencelineSpatialIndex

/// Decides which regions one device has entered, left or dwelt in.
///
/// A pure value: the same fixes give the same outcomes, and a copy, or one that was made from what a database kept of it, goes on
/// where the original stood. Only regions that the device is near, inside, or in doubt about cost anything: for all others it is outside.
/// And while nothing can happen, within some way and time that are found out, these cost nothing either.
public struct CrossingEvaluator: Sendable {
  private struct Record: Sendable {
    var slot: CircleIndex.Slot
    var state: RegionState
  }

  /// The last accepted fix; nil before the first.
  public private(set) var last: Fix?
  /// Milliseconds between the last accepted fixes of one track.
  public private(set) var intervals = Intervals()
  /// The best accuracies of this session: a region that no fix was ever near is outside if one of the fixes since it is there was
  /// good enough for its gate to say so.
  public private(set) var accuracies = BestAccuracies()
  /// What is known beyond that, by ascending slot.
  private var records: [Record] = []
  /// Whether the records' places are those of an earlier fix than the last one.
  private var hasOldPlaces = false
  private var calm = Calm()

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
    last: Fix, intervals: Intervals, accuracies: BestAccuracies, states: [String: RegionState],
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
    var current = self
    current.bringPlacesUp(in: regions)
    var states: [String: RegionState] = [:]
    for record in current.records {
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
    calm.end()
    return place(of: slot).map { records.remove(at: $0).state }
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
    if start == .continues, scratch.usesCalm, calm.covers(fix, regions) {
      return keepCalm(fix, regions, &scratch)
    }
    let firstOutcome = outcomes.count
    scratch.begin(anew: start == .newSession)
    if start == .newSession { endSession(in: regions, into: &outcomes) }
    bringPlacesUp(in: regions)
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
    if scratch.usesCalm { findCalm(step, regions) }
    if outcomes.count - firstOutcome > 1 {
      outcomes[firstOutcome...].sort { $0.orderInFix < $1.orderInFix }
    }
  }

  /// Takes a fix that cannot bring anything about.
  private mutating func keepCalm(_ fix: Fix, _ regions: RegionSet, _ scratch: inout Scratch) {
    scratch.begin(anew: false)
    scratch.passedOver += 1
    if let last { intervals.append(fix.time.milliseconds - last.time.milliseconds) }
    accuracies.take(fix.accuracyOrDefault, at: regions.version)
    last = fix
    hasOldPlaces = true
  }

  /// Finds out how far the device can go from the last fix before anything can happen.
  private mutating func findCalm(_ step: Step, _ regions: RegionSet) {
    guard calm.mayBegin() else { return }
    var room = Calm.mostRoom
    var until = Double.infinity
    for record in records {
      guard record.state.isSettled, let rules = regions.rules[Int(record.slot)],
        let place = record.state.place
      else { return }
      room = min(room, rules.radius - place.distance)
      until = min(until, record.state.quiet(rules))
    }
    calm.begin(at: step, room: room, until: until, in: regions)
  }

  /// Sees the last fix from each region, where it was not needed so far.
  private mutating func bringPlacesUp(in regions: RegionSet) {
    guard hasOldPlaces, let last else { return }
    hasOldPlaces = false
    for place in records.indices {
      if let rules = regions.rules[Int(records[place].slot)] {
        records[place].state.place = rules.plane.project(last.coordinate)
      }
    }
  }

  /// Time went back: everything begins again.
  private mutating func endSession(in regions: RegionSet, into outcomes: inout [Outcome]) {
    for record in records where record.state.side == .inside {
      guard let rules = regions.rules[Int(record.slot)], let last else { continue }
      outcomes.append(.visitEnded(device: last.device, region: rules.id, at: last.time, .session))
    }
    records.removeAll()
    intervals = Intervals()
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
    bringPlacesUp(in: regions)
    calm.end()
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
}
