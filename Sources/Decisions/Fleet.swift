public import FencelineGeofencing
public import FencelinePositioning
internal import Synchronization

/// Many devices over the same regions, on several processors.
///
/// ```swift
/// let fleet = Fleet(regions: RegionSet(regions), lanes: 2)
/// var outcomes: [Outcome] = []
/// fleet.process(batch, into: &outcomes) { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
/// ```
///
/// Devices never share anything, so each belongs to one of several lanes, each with a ``Pipeline``, that may work side by side; who uses
/// the fleet has the threads. What comes of a batch comes in the order of its fixes, the same for any number of lanes. The regions are held
/// once, whatever the number.
public final class Fleet {
  private let lanes: [Lane]
  /// Which lane has each fix of a batch.
  private var laneOfFix: [UInt8] = []

  /// The most lanes that are of any use.
  public static let mostLanes = 64

  /// A fleet of which no device is known yet.
  ///
  /// - Parameters:
  ///   - regions: What to watch.
  ///   - filter: Which fixes count.
  ///   - count: How many lanes there are, 1 to ``mostLanes``.
  public init(regions: RegionSet, filter: FixFilter.Settings = .init(), lanes count: Int) {
    precondition((1...Fleet.mostLanes).contains(count), "a fleet has 1 to \(Fleet.mostLanes) lanes")
    lanes = (0..<count).map { _ in Lane(Pipeline(regions: regions, filter: filter)) }
  }

  /// How many devices are known.
  public var deviceCount: Int { lanes.reduce(0) { $0 + $1.work.withLock { $0.pipeline.deviceNames.count } } }

  /// Takes a batch of fixes.
  ///
  /// - Parameters:
  ///   - fixes: Fixes of any devices, in the order in which they came.
  ///   - outcomes: What they bring about is appended, in that order.
  ///   - perform: Calls what it is given once with each number below a count, on as many threads as it likes, and returns when all calls
  ///     have; without it they are made one after the other.
  /// - Returns: What became of each fix.
  @discardableResult
  public func process(
    _ fixes: [Fix], into outcomes: inout [Outcome],
    by perform: (Int, @Sendable (Int) -> Void) -> Void = { count, body in (0..<count).forEach(body) }
  ) -> [FixFilter.Verdict] {
    laneOfFix.removeAll(keepingCapacity: true)
    for fix in fixes { laneOfFix.append(lane(of: fix.device)) }
    let (lanes, laneOfFix) = (lanes, laneOfFix)
    perform(lanes.count) { lanes[$0].process(fixes, laneOfFix, UInt8($0)) }
    return collect(fixes.count, into: &outcomes)
  }

  /// Puts together what the lanes have made of a batch.
  private func collect(_ count: Int, into outcomes: inout [Outcome]) -> [FixFilter.Verdict] {
    let results = lanes.map { $0.takeResults() }
    var next = results.map { _ in (verdict: 0, event: 0, outcome: 0) }
    var verdicts: [FixFilter.Verdict] = []
    verdicts.reserveCapacity(count)
    for place in 0..<count {
      let lane = Int(laneOfFix[place])
      verdicts.append(results[lane].verdicts[next[lane].verdict])
      next[lane].verdict += 1
      guard next[lane].event < results[lane].events.count, results[lane].events[next[lane].event].fix == place
      else { continue }
      let end = results[lane].events[next[lane].event].end
      outcomes += results[lane].outcomes[next[lane].outcome..<end]
      next[lane].event += 1
      next[lane].outcome = end
    }
    return verdicts
  }

  /// Puts regions in, or changes them; see ``Pipeline/put(_:version:into:)``.
  ///
  /// - Parameters:
  ///   - entries: The regions, and whether what is known of them still holds.
  ///   - version: The number of the last change that was taken notice of.
  ///   - outcomes: The ends of visits are appended, by device.
  public func put(_ entries: [RegionSet.Entry], version: Int64, into outcomes: inout [Outcome]) {
    edit(into: &outcomes) { pipeline, outcomes in
      pipeline.prepare(entries, into: &outcomes)
    } change: { regions in
      regions.put(entries)
      regions.version = version
    } after: { pipeline, outcomes in
      pipeline.settle(entries, into: &outcomes)
    }
  }

  /// Takes a region out.
  ///
  /// - Parameters:
  ///   - region: Its identifier.
  ///   - version: The number of the last change that was taken notice of.
  ///   - outcomes: The ends of its visits are appended, by device.
  public func remove(_ region: String, version: Int64, into outcomes: inout [Outcome]) {
    edit(into: &outcomes) { pipeline, outcomes in
      pipeline.forget(region, .removed, into: &outcomes)
    } change: { regions in
      regions.remove(region)
      regions.version = version
    } after: { _, _ in
    }
  }

  /// Changes the regions, which all lanes have in common, in place.
  private func edit(
    into outcomes: inout [Outcome], before: (inout Pipeline, inout [Outcome]) -> Void,
    change: (inout RegionSet) -> Void, after: (inout Pipeline, inout [Outcome]) -> Void
  ) {
    var ended: [Outcome] = []
    var regions = RegionSet()
    for lane in lanes {
      lane.work.withLock { work in
        before(&work.pipeline, &ended)
        regions = work.pipeline.exchangeRegions(RegionSet())
      }
    }
    change(&regions)
    for lane in lanes {
      lane.work.withLock { work in
        _ = work.pipeline.exchangeRegions(regions)
        after(&work.pipeline, &ended)
      }
    }
    outcomes += ended.enumerated().sorted {
      ($0.element.device, $0.offset) < ($1.element.device, $1.offset)
    }.map(\.element)
  }

  /// The lane that a device belongs to: the same in every batch.
  private func lane(of device: String) -> UInt8 {
    // Names that are equal are, however they are spelled; how they are spread changes nothing that can be seen.
    UInt8(UInt(bitPattern: device.hashValue) % UInt(lanes.count))
  }
}

@available(*, unavailable)
extension Fleet: Sendable {}

/// A part of the fleet's devices, which one thread at a time works on.
private final class Lane: Sendable {
  struct Work: Sendable {
    var pipeline: Pipeline
    var results = Results()
  }

  /// What came of a lane's part of a batch.
  struct Results: Sendable {
    var verdicts: [FixFilter.Verdict] = []
    var outcomes: [Outcome] = []
    /// The fixes that brought something about, by their places in the batch, and where their outcomes end.
    var events: [(fix: Int, end: Int)] = []
  }

  let work: Mutex<Work>

  init(_ pipeline: Pipeline) { work = Mutex(Work(pipeline: pipeline)) }

  func process(_ fixes: [Fix], _ laneOfFix: [UInt8], _ own: UInt8) {
    work.withLock { work in
      for (place, lane) in laneOfFix.enumerated() where lane == own {
        let before = work.results.outcomes.count
        work.results.verdicts.append(work.pipeline.process(fixes[place], into: &work.results.outcomes))
        let end = work.results.outcomes.count
        if end > before { work.results.events.append((place, end)) }
      }
    }
  }

  func takeResults() -> Results {
    work.withLock { work in
      defer { work.results = Results() }
      return work.results
    }
  }
}
