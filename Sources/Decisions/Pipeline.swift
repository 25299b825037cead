public import FencelineCivilTime
public import FencelineGeofencing
public import FencelinePositioning

/// From fixes to what they bring about: the filter, then the evaluator, for any number of devices.
///
/// ```swift
/// var pipeline = Pipeline(regions: RegionSet(regions))
/// var outcomes: [Outcome] = []
/// for fix in fixes { pipeline.process(fix, into: &outcomes) }
/// ```
///
/// It knows no clock: what time it is comes with each call. What it knows of a device can be kept in a database between any
/// two calls, see ``memory(of:)`` and ``changes``.
public struct Pipeline: Sendable {
  /// The regions that are watched.
  public internal(set) var regions: RegionSet
  /// What the filter is strict about.
  public var filter: FixFilter.Settings
  /// What the last call has changed in the memory of its device, where the pipeline was made to note that.
  public private(set) var changes = MemoryChanges()

  /// How many fixes were passed over, since nothing could come of them.
  public var passedOver: Int { scratch.passedOver }

  struct Device {
    var filter = FixFilter()
    var evaluator = CrossingEvaluator()
    /// Milliseconds of a clock that never jumps, when the last accepted fix arrived; nil where that is not known.
    var arrived: Int64?
    /// When time alone brings something about, by the same clock.
    var due: Int64?
  }

  var devices: [Device] = []
  private var places: [String: Int] = [:]
  /// The place of the device that the last fix came from.
  private var latest: Int?
  /// The names of the devices that are known, in the order of their first fix.
  public private(set) var deviceNames: [String] = []
  private var scratch: CrossingEvaluator.Scratch
  private let notesChanges: Bool

  /// A pipeline that watches `regions`.
  ///
  /// - Parameters:
  ///   - regions: What to watch.
  ///   - filter: Which fixes count.
  ///   - notesChanges: Whether ``changes`` is wanted.
  ///   - usesCalm: Whether fixes that cannot bring anything about are passed over; without, the outcomes are the same.
  public init(
    regions: RegionSet, filter: FixFilter.Settings = .init(), notesChanges: Bool = false,
    usesCalm: Bool = true
  ) {
    self.regions = regions
    self.filter = filter
    self.notesChanges = notesChanges
    scratch = CrossingEvaluator.Scratch(tracksChanges: notesChanges, usesCalm: usesCalm)
  }

  /// Takes the next fix of any device.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The time by a clock that can be trusted; nil where there is none, as for a log.
  ///   - arrival: Milliseconds of a clock that never jumps, when the fix arrived; nil for a log: time alone then brings nothing about.
  ///   - outcomes: What it brings about is appended, in the order in which it is to be told.
  /// - Returns: Whether the fix counted, and if not, why.
  @discardableResult
  public mutating func process(
    _ fix: Fix, now: Timestamp? = nil, arrival: Int64? = nil, into outcomes: inout [Outcome]
  ) -> FixFilter.Verdict {
    let place = place(of: fix.device)
    let verdict = devices[place].filter.judge(fix, filter, now: now)
    if case .accepted(let start) = verdict {
      devices[place].evaluator.process(fix, start, in: regions, scratch: &scratch, into: &outcomes)
      devices[place].arrived = arrival
      setDue(place)
      noteChanges(place)
    } else if notesChanges {
      changes = MemoryChanges()
    }
    return verdict
  }

  private mutating func place(of device: String) -> Int {
    // Most fixes come from the device of the one before.
    if let latest, deviceNames[latest] == device { return latest }
    let place = findPlace(of: device)
    latest = place
    return place
  }
  private mutating func findPlace(of device: String) -> Int {
    if let place = places[device] { return place }
    places[device] = devices.count
    devices.append(Device())
    deviceNames.append(device)
    return devices.count - 1
  }
}

/// What passes between fixes.
extension Pipeline {
  /// When time alone brings something about for some device, in milliseconds of the clock that never jumps; nil where it does not.
  public var nextDue: Int64? {
    var next: Int64?
    for device in devices {
      if let due = device.due { next = min(next ?? due, due) }
    }
    return next
  }

  /// A device for which something is due.
  ///
  /// - Parameter now: Milliseconds of the clock that never jumps.
  /// - Returns: Its name; nil where nothing is due.
  public func deviceWithSomethingDue(at now: Int64) -> String? {
    devices.firstIndex { $0.due.map { $0 <= now } ?? false }.map { deviceNames[$0] }
  }

  /// Lets time pass for one device without a fix: dwells that are due, regions that expire.
  ///
  /// - Parameters:
  ///   - device: Its name.
  ///   - now: Milliseconds of the clock that never jumps.
  ///   - outcomes: What is due is appended.
  public mutating func advance(_ device: String, to now: Int64, into outcomes: inout [Outcome]) {
    guard let place = places[device], let arrived = devices[place].arrived,
      let last = devices[place].evaluator.last
    else { return }
    let time = Timestamp(milliseconds: last.time.milliseconds + max(0, now - arrived))
    devices[place].evaluator.advance(to: time, in: regions, scratch: &scratch, into: &outcomes)
    setDue(place)
    noteChanges(place)
  }

  mutating func setDue(_ place: Int) {
    guard let arrived = devices[place].arrived, let last = devices[place].evaluator.last,
      let due = devices[place].evaluator.nextDue(in: regions)
    else {
      devices[place].due = nil
      return
    }
    devices[place].due = arrived + (due.milliseconds - last.time.milliseconds)
  }
}

/// What a database keeps.
extension Pipeline {
  /// What is known of a device beside its regions; nil where no fix of it has counted yet.
  public func memory(of device: String) -> DeviceMemory? {
    guard let place = places[device], let last = devices[place].evaluator.last else { return nil }
    let (filter, evaluator) = (devices[place].filter, devices[place].evaluator)
    return DeviceMemory(
      last: last, suspects: filter.suspects, intervals: evaluator.intervals, accuracies: evaluator.accuracies)
  }

  /// What is known of a device and each region that it is near, inside or in doubt about, by the region's identifier.
  public func states(of device: String) -> [String: RegionState] {
    places[device].map { devices[$0].evaluator.states(in: regions) } ?? [:]
  }

  /// Lets a device go on where it stood.
  ///
  /// - Parameters:
  ///   - device: Its name.
  ///   - memory: Its ``memory(of:)``.
  ///   - states: Its ``states(of:)``.
  public mutating func restore(_ device: String, _ memory: DeviceMemory, _ states: [String: RegionState]) {
    let place = place(of: device)
    devices[place] = Device(
      filter: FixFilter(last: memory.last, suspects: memory.suspects),
      evaluator: CrossingEvaluator(
        last: memory.last, intervals: memory.intervals, accuracies: memory.accuracies, states: states,
        in: regions))
  }

  private mutating func noteChanges(_ place: Int) {
    guard notesChanges else { return }
    changes = MemoryChanges(wasReset: scratch.wasReset)
    for slot in scratch.changed {
      guard let id = regions.id(in: slot) else { continue }
      changes.states[id] = .some(devices[place].evaluator.state(in: slot))
    }
  }
}
