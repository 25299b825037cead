internal import FencelineCivilTime
public import FencelineGeofencing
internal import FencelinePositioning
internal import FencelineSpatialIndex

/// Edits while fixes come.
extension Pipeline {
  /// Puts regions in, or changes them.
  ///
  /// - Parameters:
  ///   - entries: The regions, and whether what is known of them still holds.
  ///   - version: The number of the last change that was taken notice of.
  ///   - outcomes: The ends of visits are appended: of regions of which nothing holds any more, and of devices that a region does not
  ///     concern any more.
  public mutating func put(
    _ entries: [RegionSet.Entry], version: Int64, into outcomes: inout [Outcome]
  ) {
    prepare(entries, into: &outcomes)
    regions.put(entries)
    regions.version = version
    settle(entries, into: &outcomes)
  }

  /// Forgets what will not hold of regions that are about to be put in.
  mutating func prepare(_ entries: [RegionSet.Entry], into outcomes: inout [Outcome]) {
    for entry in entries where entry.isNew || !entry.region.isEnabled {
      forget(entry.region.id, entry.region.isEnabled ? .edited : .disabled, into: &outcomes)
    }
  }

  /// Takes notice of regions that were put in.
  mutating func settle(_ entries: [RegionSet.Entry], into outcomes: inout [Outcome]) {
    for entry in entries where !entry.isNew { dismissStrangers(entry.region, into: &outcomes) }
    for place in devices.indices { setDue(place) }
  }

  /// Watches other regions, which must have the same slots as those that it gives back.
  mutating func exchangeRegions(_ others: RegionSet) -> RegionSet {
    let before = regions
    regions = others
    return before
  }

  /// Takes a region out; the ends of its visits are appended to `outcomes`.
  public mutating func remove(_ region: String, version: Int64, into outcomes: inout [Outcome]) {
    forget(region, .removed, into: &outcomes)
    regions.remove(region)
    regions.version = version
  }

  /// The profile of regions that name none, from the next ``put(_:version:into:)`` on.
  public mutating func setDefaultProfile(_ profile: Profile) {
    regions.defaultProfile = profile
  }

  mutating func forget(_ region: String, _ reason: VisitEnd, into outcomes: inout [Outcome]) {
    guard let slot = regions.slot(of: region) else { return }
    for place in devices.indices { forget(slot, place, region, reason, into: &outcomes) }
  }

  private mutating func forget(
    _ slot: CircleIndex.Slot, _ place: Int, _ region: String, _ reason: VisitEnd,
    into outcomes: inout [Outcome]
  ) {
    guard devices[place].evaluator.forget(slot)?.side == .inside,
      let last = devices[place].evaluator.last
    else { return }
    outcomes.append(.visitEnded(device: deviceNames[place], region: region, at: last.time, reason))
  }

  /// Forgets what is known of a region by devices that it does not concern any more.
  private mutating func dismissStrangers(_ region: Region, into outcomes: inout [Outcome]) {
    guard let slot = regions.slot(of: region.id), !region.devices.contains("*") else { return }
    let globs = region.devices.map(Glob.init)
    for (place, name) in deviceNames.enumerated() where !globs.contains(where: { $0.matches(name) }) {
      forget(slot, place, region.id, .edited, into: &outcomes)
    }
  }
}
