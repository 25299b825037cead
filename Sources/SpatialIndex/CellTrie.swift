internal import FencelineGeodesy

/// The circles on the charts: a tree of cells, each split into 4 × 4.
///
/// A circle is in the lists of all cells that it may touch, at the depth where a cell is a leaf or where its children would be
/// less than half as wide as the circle. So a place's circles are in the lists on the one path from the root to it, each once. A leaf
/// splits when it has more than ``fewEnough`` candidates half of which can go down. Where a circle is follows from its geometry and
/// from which cells are split, so that a removal finds it again without a note.
struct CellTrie: Sendable {
  /// The root cells of all charts, then blocks of sixteen children.
  var nodes = ContiguousArray(repeating: Node(), count: Chart.rootCount)
  var lists = CandidateLists()
  private var freeChildren: [Int32] = []

  /// A leaf with more candidates is split.
  static let fewEnough: Int32 = 32
  /// Cells of 4.8 m are never split.
  static let leastShift: UInt32 = 9

  /// Whether circles of this radius are kept in the trie.
  static func holds(_ radius: Double) -> Bool { radius >= 0 && radius <= Candidate.largestRadius }

  /// Adds a circle whose record is there already.
  mutating func insert(_ slot: CircleIndex.Slot, _ records: ContiguousArray<Record>) {
    let placement = Placement(records[Int(slot)])
    let candidate = placement.candidate(slot)
    for chart in Chart.allCases where placement.touches(chart) {
      let footprint = placement.footprint(on: chart)
      footprint.forEachRoot(of: chart) { insert(candidate, footprint, chart, at: $0, records) }
    }
  }

  /// Takes a circle out whose record is still there.
  mutating func remove(_ slot: CircleIndex.Slot, _ records: ContiguousArray<Record>) {
    let placement = Placement(records[Int(slot)])
    for chart in Chart.allCases where placement.touches(chart) {
      let footprint = placement.footprint(on: chart)
      footprint.forEachRoot(of: chart) { remove(slot, footprint, at: $0) }
    }
  }

  private mutating func insert(
    _ candidate: Candidate, _ footprint: Footprint, _ chart: Chart, at cell: Cell,
    _ records: ContiguousArray<Record>
  ) {
    let node = nodes[cell.node]
    // Looking whether it may be split only when the list moves anyway keeps insertion cheap where it may not.
    if node.isLeaf, node.list.count >= CellTrie.fewEnough, lists.isFull(node.list) {
      split(cell, chart, records)
    }
    if !nodes[cell.node].isLeaf, footprint.fits(below: cell.shift) {
      footprint.forEachChild(of: cell) { child in
        nodes[cell.node].mask |= 1 << UInt16(child)
        let place = Int(nodes[cell.node].children) + child
        insert(candidate, footprint, chart, at: cell.child(child, node: place), records)
      }
    } else {
      add(candidate, footprint, to: cell)
    }
  }

  private mutating func add(_ candidate: Candidate, _ footprint: Footprint, to cell: Cell) {
    lists.append(candidate, footprint.box(in: cell), to: &nodes[cell.node].list)
  }

  private mutating func remove(_ slot: CircleIndex.Slot, _ footprint: Footprint, at cell: Cell) {
    guard !nodes[cell.node].isLeaf, footprint.fits(below: cell.shift) else {
      lists.remove(slot, footprint.box(in: cell), from: &nodes[cell.node].list)
      return
    }
    footprint.forEachChild(of: cell) { child in
      let place = Int(nodes[cell.node].children) + child
      remove(slot, footprint, at: cell.child(child, node: place))
      if nodes[place].isEmpty { nodes[cell.node].mask &= ~(1 << UInt16(child)) }
    }
    if nodes[cell.node].mask == 0 {
      freeChildren.append(nodes[cell.node].children)
      nodes[cell.node].children = 0
    }
  }

  /// Splits a leaf if half of its candidates can go into its children.
  private mutating func split(_ cell: Cell, _ chart: Chart, _ records: ContiguousArray<Record>) {
    guard cell.shift > CellTrie.leastShift else { return }
    let old = nodes[cell.node].list
    var moving: [(Candidate, Footprint)] = []
    var staying: [(Candidate, Footprint)] = []
    for index in 0..<Int(old.count) {
      let candidate = lists.candidate(at: index, of: old)
      let footprint = Placement(records[Int(candidate.slot)]).footprint(on: chart)
      if footprint.fits(below: cell.shift) {
        moving.append((candidate, footprint))
      } else {
        staying.append((candidate, footprint))
      }
    }
    guard moving.count >= staying.count else { return }
    lists.drop(&nodes[cell.node].list)
    nodes[cell.node].children = takeChildren()
    for (candidate, footprint) in staying { add(candidate, footprint, to: cell) }
    for (candidate, footprint) in moving { insert(candidate, footprint, chart, at: cell, records) }
  }

  /// Sixteen empty leaves.
  mutating func takeChildren() -> Int32 {
    if let children = freeChildren.popLast() { return children }
    nodes.append(contentsOf: repeatElement(Node(), count: 16))
    return Int32(nodes.count - 16)
  }

  /// Bytes that it holds.
  var memory: Int { nodes.capacity * MemoryLayout<Node>.stride + lists.memory }

  /// How many blocks of children wait to be used again.
  var freeChildrenCount: Int { freeChildren.count }
}
