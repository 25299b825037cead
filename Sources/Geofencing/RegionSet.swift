internal import FencelineGeodesy
internal import FencelineSpatialIndex

/// The regions that are watched, found by place.
public struct RegionSet: Sendable {
  /// By slot; a removed region leaves its slot empty.
  private(set) var rules: [RegionRules?] = []
  private var slots: [String: CircleIndex.Slot] = [:]
  private(set) var index = CircleIndex()
  private let defaultProfile: Profile

  /// The enabled ones of `regions`.
  ///
  /// - Parameters:
  ///   - regions: Valid regions; disabled ones are left out.
  ///   - defaultProfile: For those that name none.
  public init(_ regions: some Sequence<Region> = [], defaultProfile: Profile = .balanced) {
    self.defaultProfile = defaultProfile
    for region in regions where region.isEnabled {
      if let slot = slots[region.id] { rules[Int(slot)] = nil }
      slots[region.id] = CircleIndex.Slot(rules.count)
      rules.append(RegionRules(region, defaultProfile: defaultProfile))
    }
    index = CircleIndex(
      rules.indices.compactMap { slot in
        rules[slot].map { (CircleIndex.Slot(slot), $0.plane.centre, $0.reach) }
      })
  }

  /// How many regions there are.
  public var count: Int { slots.count }

  /// Adds a region, in place of one with the same identifier.
  ///
  /// To evaluators that have seen fixes already, a new region is one that was there all the time: a device that stands in it
  /// seems to enter. So regions are put in before the first fix.
  ///
  /// - Parameter region: A region without ``Region/problems()``.
  public mutating func insert(_ region: Region) {
    remove(region.id)
    let slot = CircleIndex.Slot(rules.count)
    let own = RegionRules(region, defaultProfile: defaultProfile)
    rules.append(own)
    slots[region.id] = slot
    index.insert(slot, centre: region.centre, radius: own.reach)
  }

  /// Takes a region out.
  ///
  /// - Parameter id: Its identifier; one that is not there changes nothing.
  public mutating func remove(_ id: String) {
    guard let slot = slots.removeValue(forKey: id) else { return }
    rules[Int(slot)] = nil
    index.remove(slot)
  }
}
