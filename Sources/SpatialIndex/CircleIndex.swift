public import FencelineGeodesy

/// Circles on the Earth, found by where they are.
///
/// ```swift
/// var index = CircleIndex()
/// index.insert(0, centre: Coordinate(latitude: 47.3769, longitude: 8.5417), radius: 250)
/// var found: [CircleIndex.Slot] = []
/// index.circles(holding: here, into: &found)
/// ```
public struct CircleIndex: Sendable {
  /// The caller's number for a circle, 0 or more; storage grows with the largest one.
  public typealias Slot = Int32

  /// By slot.
  var records: ContiguousArray<Record> = []
  var trie = CellTrie()
  /// The circles that are too large for the trie, by ascending slot.
  var large: ContiguousArray<Slot> = []
  /// How many circles it holds.
  public private(set) var count = 0

  /// Bytes that it holds, unused capacity included.
  public var memory: Int {
    records.capacity * MemoryLayout<Record>.stride + large.capacity * MemoryLayout<Slot>.stride + trie.memory
  }

  /// An index of no circles.
  public init() {}

  /// An index of many circles at once, built in one go.
  ///
  /// - Parameter circles: Their slots, all different, centres and radii, as for ``insert(_:centre:radius:)``.
  @inlinable
  public init(_ circles: some Sequence<(slot: Slot, centre: Coordinate, radius: Double)>) {
    self.init()
    reserve(circles.underestimatedCount)
    for circle in circles { register(circle.slot, centre: circle.centre, radius: circle.radius) }
    buildTrie()
  }

  @usableFromInline
  mutating func reserve(_ count: Int) { records.reserveCapacity(count) }

  /// Notes a circle that is not looked for yet.
  @usableFromInline
  mutating func register(_ slot: Slot, centre: Coordinate, radius: Double) {
    precondition(centre.isValid && radius >= 0 && radius.isFinite, "no circle on Earth")
    while records.count <= Int(slot) { records.append(.none) }
    precondition(records[Int(slot)].radius < 0, "slot \(slot) is in use")
    records[Int(slot)] = Record(centre: centre, radius: radius)
    count += 1
  }

  /// Makes all that is noted be found.
  @usableFromInline
  mutating func buildTrie() {
    trie = TrieBuilder(records).trie
    for slot in records.indices where records[slot].radius > Candidate.largestRadius {
      large.append(Slot(slot))
    }
  }

  /// Adds a circle.
  ///
  /// - Parameters:
  ///   - slot: The caller's number for it, not in use.
  ///   - centre: A valid coordinate.
  ///   - radius: Metres, 0 or more and finite.
  /// - Precondition: `slot` is not held yet.
  public mutating func insert(_ slot: Slot, centre: Coordinate, radius: Double) {
    register(slot, centre: centre, radius: radius)
    if CellTrie.holds(radius) {
      trie.insert(slot, records)
    } else {
      large.insert(slot, at: large.firstIndex { $0 > slot } ?? large.count)
    }
  }

  /// Takes a circle out.
  ///
  /// - Parameter slot: Its number; one that is not held changes nothing.
  public mutating func remove(_ slot: Slot) {
    guard records.indices.contains(Int(slot)), records[Int(slot)].radius >= 0 else { return }
    if CellTrie.holds(records[Int(slot)].radius) {
      trie.remove(slot, records)
    } else {
      large.removeAll { $0 == slot }
    }
    records[Int(slot)] = .none
    count -= 1
  }

  /// Moves or resizes a circle.
  ///
  /// - Parameters:
  ///   - slot: Its number; one that is not held is put in.
  ///   - centre: As for ``insert(_:centre:radius:)``.
  ///   - radius: As there.
  public mutating func update(_ slot: Slot, centre: Coordinate, radius: Double) {
    remove(slot)
    insert(slot, centre: centre, radius: radius)
  }
}
