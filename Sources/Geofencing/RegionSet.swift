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
    for region in regions where region.isEnabled { insert(region) }
  }

  /// How many regions there are.
  public var count: Int { slots.count }

  /// Adds a region, in place of one with the same identifier.
  ///
  /// - Parameter region: A region without ``Region/problems()``.
  public mutating func insert(_ region: Region) {
    remove(region.id)
    let slot = CircleIndex.Slot(rules.count)
    let own = RegionRules(region, defaultProfile: defaultProfile)
    rules.append(own)
    slots[region.id] = slot
    // The band beyond the perimeter matters too: what lies outside it has nothing to say about the region.
    index.insert(slot, centre: region.centre, radius: own.radius + own.exitMargin)
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
