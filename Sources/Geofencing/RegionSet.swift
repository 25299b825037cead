internal import FencelineGeodesy
public import FencelineSpatialIndex

/// The regions that are watched, found by place.
public struct RegionSet: Sendable {
  /// A region that is put into a set, and since when it is there.
  public struct Entry: Sendable {
    /// The region.
    public var region: Region
    /// The number of the change after which something may be known of it; 0 where it has always been there.
    public var since: Int64
    /// Whether nothing holds that was known of it: it is new, or was moved, resized or enabled.
    public var isNew: Bool

    /// A region without ``Region/problems()``, and since when it is there.
    public init(_ region: Region, since: Int64 = 0, isNew: Bool = true) {
      self.region = region
      self.since = since
      self.isNew = isNew
    }
  }

  /// By slot; a removed region leaves its slot empty.
  private(set) var rules: [RegionRules?] = []
  private var slots: [String: CircleIndex.Slot] = [:]
  private var freeSlots: [CircleIndex.Slot] = []
  private(set) var index = CircleIndex()
  /// Goes up with every change to any region: what was found out about distances before does not hold.
  private(set) var generation = 0
  /// For regions that name none; those that are there keep what they have.
  public var defaultProfile: Profile
  /// The number of the last change to the regions that was taken notice of: what evaluators learn from now on, they know of
  /// every region whose ``Entry/since`` is not later.
  public var version: Int64 = 0

  /// How many changes are applied one by one to the index; more than that, and it is built anew.
  private static let fewChanges = 64

  /// The enabled ones of `regions`.
  ///
  /// - Parameters:
  ///   - regions: Valid regions; disabled ones are left out.
  ///   - defaultProfile: For those that name none.
  @inlinable
  public init(_ regions: some Sequence<Region> = [], defaultProfile: Profile = .balanced) {
    self.init(roomFor: regions.underestimatedCount, defaultProfile)
    for region in regions { put(region, since: 0, keepingIndex: true) }
    rebuildIndex()
  }

  @usableFromInline
  init(roomFor count: Int, _ defaultProfile: Profile) {
    self.defaultProfile = defaultProfile
    slots.reserveCapacity(count)
    rules.reserveCapacity(count)
  }

  /// How many regions there are.
  public var count: Int { slots.count }

  /// The region's identifier; nil where the slot is empty.
  public func id(in slot: CircleIndex.Slot) -> String? {
    rules.indices.contains(Int(slot)) ? rules[Int(slot)]?.id : nil
  }

  /// The slot of the region with an identifier; nil where there is none.
  public func slot(of id: String) -> CircleIndex.Slot? { slots[id] }

  /// Puts regions in, each in place of one with the same identifier; a disabled one is taken out.
  ///
  /// Evaluators that go on must forget what they know of those that are new: ``CrossingEvaluator/forget(_:)`` before, with
  /// the slot that it had.
  ///
  /// - Parameter entries: What to put in.
  public mutating func put(_ entries: [Entry]) {
    generation += 1
    let isBulk = entries.count > RegionSet.fewChanges
    for entry in entries { put(entry.region, since: entry.since, keepingIndex: isBulk) }
    if isBulk { rebuildIndex() }
  }

  @usableFromInline
  mutating func put(_ region: Region, since: Int64, keepingIndex: Bool) {
    guard region.isEnabled else { return remove(region.id, keepingIndex: keepingIndex) }
    let own = RegionRules(region, defaultProfile: defaultProfile, since: since)
    if let slot = slots[own.id], let old = rules[Int(slot)] {
      rules[Int(slot)] = own
      if !keepingIndex, old.reach != own.reach || old.plane != own.plane {
        index.update(slot, centre: own.plane.centre, radius: own.reach)
      }
    } else {
      let slot = freeSlots.popLast() ?? CircleIndex.Slot(rules.count)
      if Int(slot) == rules.count { rules.append(own) } else { rules[Int(slot)] = own }
      slots[own.id] = slot
      if !keepingIndex { index.insert(slot, centre: own.plane.centre, radius: own.reach) }
    }
  }

  /// Takes a region out.
  ///
  /// - Parameter id: Its identifier; one that is not there changes nothing.
  public mutating func remove(_ id: String) {
    generation += 1
    remove(id, keepingIndex: false)
  }

  private mutating func remove(_ id: String, keepingIndex: Bool) {
    guard let slot = slots.removeValue(forKey: id) else { return }
    rules[Int(slot)] = nil
    freeSlots.append(slot)
    if !keepingIndex { index.remove(slot) }
  }

  @usableFromInline
  mutating func rebuildIndex() {
    index = CircleIndex(
      rules.indices.compactMap { slot in
        rules[slot].map { (CircleIndex.Slot(slot), $0.plane.centre, $0.reach) }
      })
  }
}
