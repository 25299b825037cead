public import FencelineGeofencing
public import FencelinePositioning

/// From fixes to what they bring about: the filter, then the evaluator, for any number of devices.
///
/// ```swift
/// var pipeline = Pipeline(regions: RegionSet(regions))
/// var outcomes: [Outcome] = []
/// for fix in fixes { pipeline.process(fix, into: &outcomes) }
/// ```
public struct Pipeline: Sendable {
  /// What is known of one device; it can be stored and taken up again between any two fixes.
  public struct DeviceState: Hashable, Sendable, Codable {
    var filter = FixFilter()
    var evaluator = CrossingEvaluator()

    /// The state of a device that has never been seen.
    public init() {}
  }

  /// The regions that are watched.
  public let regions: RegionSet
  /// What the filter is strict about.
  public let filter: FixFilter.Settings
  private var devices: [DeviceState]
  private var places: [String: Int]
  private var scratch = CrossingEvaluator.Scratch()

  /// A pipeline that watches `regions`.
  ///
  /// - Parameters:
  ///   - regions: What to watch.
  ///   - filter: Which fixes count.
  ///   - states: States to go on from, by device; those of ``states``, for the same regions in the same order.
  public init(
    regions: RegionSet, filter: FixFilter.Settings = .init(), states: [String: DeviceState] = [:]
  ) {
    self.regions = regions
    self.filter = filter
    let names = states.keys.sorted()
    devices = names.compactMap { states[$0] }
    places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }

  /// What is known of each device.
  public var states: [String: DeviceState] {
    places.mapValues { devices[$0] }
  }

  /// Takes the next fix of any device.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - outcomes: What it brings about is appended, in the order in which it is to be told.
  /// - Returns: Whether the fix counted, and if not, why.
  @discardableResult
  public mutating func process(_ fix: Fix, into outcomes: inout [Outcome]) -> FixFilter.Verdict {
    let place = place(of: fix.device)
    let verdict = devices[place].filter.judge(fix, filter)
    if case .accepted(let start) = verdict {
      devices[place].evaluator.process(fix, start, in: regions, scratch: &scratch, into: &outcomes)
    }
    return verdict
  }

  private mutating func place(of device: String) -> Int {
    if let place = places[device] { return place }
    places[device] = devices.count
    devices.append(DeviceState())
    return devices.count - 1
  }
}
