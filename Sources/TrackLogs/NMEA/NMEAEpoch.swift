import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning

/// What a receiver says about one instant, gathered from several sentences; the first value wins in every slot.
struct NMEAEpoch: Sendable {
  /// A position, who reports it and where it stands in ``FixSource``.
  struct Position: Sendable {
    var coordinate: Coordinate
    var source: FixSource
    var talker: NMEATalker
  }

  /// A date and the time of day in milliseconds that was sent with it.
  struct DateReport: Sendable {
    var date: CivilDate
    var timeOfDay: Int?
  }

  /// Time of day in milliseconds, below 86,400,000.
  private(set) var key: Int
  var positions: [Position] = []
  /// Talkers that call their position invalid.
  var invalid: [NMEATalker] = []
  /// Sentences that have come for this epoch, of the kinds without a time.
  var seen: [(NMEAKind, NMEATalker)] = []

  /// What has been said.
  var said = Said()

  /// What can be said once.
  struct Said: Sendable {
    var isEstimated = false
    var isSimulated = false
    var hasConfirmedGGA = false
    var hasConfirmedRMC = false
    /// The best mode of all GSA; nil where there was none.
    var satelliteMode: Int?

    var recommendedDate: DateReport?
    var clockDate: DateReport?

    var altitude: Double?
    var speedByRMC: Double?
    var courseByRMC: Double?
    var speedByVTG: Double?
    var courseByVTG: Double?
    var speedByPUBX: Double?
    var courseByPUBX: Double?

    /// One-axis standard deviation in metres.
    var sigmaByPUBX: Double?
    var sigmasByGST: (Double, Double)?
    var sigmasByGBS: (Double, Double)?
    /// Radius in metres that holds 50 %.
    var radiusByPGRME: Double?
    var hdopByGGA: Double?
    var hdopByGNS: Double?
    var hdopByGSA: Double?
  }

  init(key: Int) {
    self.key = key
  }

  /// Begins anew at another time of day, in the memory that it has.
  mutating func restart(at key: Int) {
    self.key = key
    said = Said()
    // There are one or two: taking them out one by one is quicker than any call for all.
    while positions.popLast() != nil {}
    while invalid.popLast() != nil {}
    while seen.popLast() != nil {}
  }

  /// What the epoch comes to.
  enum Verdict {
    case position(Position)
    case noPosition
    case contradicted
    case estimated
    case simulated
  }

  /// At most one position: the best that no sentence of its talker calls invalid.
  func verdict(_ options: LogOptions) -> Verdict {
    guard !positions.isEmpty else { return .noPosition }
    var best: Position?
    for position in positions where !isVetoed(position.talker) {
      guard let held = best else {
        best = position
        continue
      }
      if Self.rank(position.source) < Self.rank(held.source) { best = position }
    }
    guard let best else { return .contradicted }
    // The satellites say that there is no fix: two other sentences must say otherwise.
    if said.satelliteMode == 1, !(said.hasConfirmedGGA && said.hasConfirmedRMC) { return .contradicted }
    if said.isSimulated, !options.includesSimulated { return .simulated }
    if said.isEstimated, !options.includesEstimated { return .estimated }
    return .position(best)
  }

  /// Appends the position as a fix whose time is yet to be set; where there is none, that is counted.
  ///
  /// - Returns: Whether there is one.
  func appendFix(
    of device: String, to fixes: inout [Fix], _ options: LogOptions, _ tally: inout LogTally
  ) -> Bool {
    switch verdict(options) {
    case .noPosition: tally.leaveOut(.noFix)
    case .contradicted: tally.leaveOut(.conflictingEpoch)
    case .estimated: tally.leaveOut(.estimated)
    case .simulated: tally.leaveOut(.simulated)
    case .position(let position):
      fixes.append(
        Fix(
          device: device, time: Timestamp(milliseconds: 0), coordinate: position.coordinate,
          accuracy: accuracy, altitude: said.altitude, speed: speed, course: course, source: position.source))
      return true
    }
    return false
  }

  /// Whether someone who speaks for `talker`, or whom it speaks for, calls the position invalid.
  private func isVetoed(_ talker: NMEATalker) -> Bool {
    invalid.contains { $0 == talker || $0.speaksForAll || talker.speaksForAll }
  }

  private static func rank(_ source: FixSource) -> Int {
    switch source {
    case .gga: 0
    case .gns: 1
    case .pubx00: 2
    case .rmc: 3
    default: 4
    }
  }

  /// Radius in metres that holds 68 %, by the best that the receiver says.
  var accuracy: Double? {
    if let sigma = said.sigmaByPUBX { return Accuracy.fromSigma(sigma) }
    if let sigmas = said.sigmasByGST { return Accuracy.fromSigmas(sigmas.0, sigmas.1) }
    if let sigmas = said.sigmasByGBS { return Accuracy.fromSigmas(sigmas.0, sigmas.1) }
    if let radius = said.radiusByPGRME { return Accuracy.from50(radius) }
    return (said.hdopByGGA ?? said.hdopByGNS ?? said.hdopByGSA).map(Accuracy.fromHDOP)
  }

  var speed: Double? { said.speedByRMC ?? said.speedByVTG ?? said.speedByPUBX }
  var course: Double? { said.courseByRMC ?? said.courseByVTG ?? said.courseByPUBX }
}
