internal import FencelineGeodesy

/// Builds a trie of many circles in one go, from the root cells down.
///
/// It answers as one into which they are inserted one by one; it may have split other cells, since here all that a cell will hold is known.
struct TrieBuilder {
  /// A circle that touches a root cell.
  private struct Item {
    var candidate: Candidate
    var footprint: Footprint
    var root: Int32
  }

  private(set) var trie = CellTrie()
  /// By root cell.
  private var items: ContiguousArray<Item> = []
  /// The items of the cells on the path that is being built, those of the deepest last.
  private var order: ContiguousArray<Int32> = []
  /// Where each item of the cell that is being split goes: a child, ``stays`` or ``several``.
  private var goals: ContiguousArray<UInt8> = []
  private static let stays: UInt8 = 16
  private static let several: UInt8 = 17

  /// A trie of all records whose circles are no larger than the trie takes.
  init(_ records: ContiguousArray<Record>) {
    for chart in Chart.allCases { build(chart, records) }
  }

  private mutating func build(_ chart: Chart, _ records: ContiguousArray<Record>) {
    var found: ContiguousArray<Item> = []
    if chart == .band { found.reserveCapacity(records.count + records.count / 16) }
    let firstRoot = chart.firstRoot
    var ends = ContiguousArray<Int32>(repeating: 0, count: Int(chart.columns * chart.rows))
    for slot in records.indices where CellTrie.holds(records[slot].radius) {
      let placement = Placement(records[slot])
      guard placement.touches(chart) else { continue }
      let footprint = placement.footprint(on: chart)
      let candidate = placement.candidate(CircleIndex.Slot(slot))
      footprint.forEachRoot(of: chart) { cell in
        found.append(Item(candidate: candidate, footprint: footprint, root: Int32(cell.node - firstRoot)))
        ends[cell.node - firstRoot] += 1
      }
    }
    guard let some = found.first else { return }
    // A counting sort: from counts to where each root's items begin, which become where they end.
    var sum: Int32 = 0
    for root in ends.indices { (ends[root], sum) = (sum, sum + ends[root]) }
    items = ContiguousArray(repeating: some, count: found.count)
    for item in found {
      items[Int(ends[Int(item.root)])] = item
      ends[Int(item.root)] += 1
    }
    found = []
    let shift = Chart.rootShift
    var start: Int32 = 0
    for root in ends.indices where ends[root] > start {
      order.removeAll(keepingCapacity: true)
      order.append(contentsOf: start..<ends[root])
      start = ends[root]
      let (row, column) = Int64(root).quotientAndRemainder(dividingBy: chart.columns)
      build(
        Cell(node: firstRoot + root, u: UInt32(column) << shift, v: UInt32(row) << shift, shift: shift),
        order.indices)
    }
  }

  private mutating func build(_ cell: Cell, _ range: Range<Int>) {
    guard range.count > CellTrie.fewEnough, cell.shift > CellTrie.leastShift else {
      fill(cell, range)
      return
    }
    // How many go into each child; in the end the ones that stay.
    var counts = InlineArray<17, Int32>(repeating: 0)
    var moving = 0
    goals.removeAll(keepingCapacity: true)
    for place in range {
      let footprint = items[Int(order[place])].footprint
      if footprint.fits(below: cell.shift) {
        moving += 1
        if let child = footprint.onlyChild(of: cell) {
          counts[child] += 1
          goals.append(UInt8(truncatingIfNeeded: child))
        } else {
          footprint.forEachChild(of: cell) { counts[$0] += 1 }
          goals.append(TrieBuilder.several)
        }
      } else {
        counts[16] += 1
        goals.append(TrieBuilder.stays)
      }
    }
    guard moving * 2 >= range.count else {
      fill(cell, range)
      return
    }
    var ends = InlineArray<17, Int32>(repeating: 0)
    var sum = Int32(order.count)
    for child in 0...16 { (ends[child], sum) = (sum, sum + counts[child]) }
    let top = order.count
    order.append(contentsOf: repeatElement(0, count: Int(sum) - top))
    for (step, place) in range.enumerated() {
      let item = order[place]
      let goal = goals[step]
      if goal == TrieBuilder.several {
        items[Int(item)].footprint.forEachChild(of: cell) { child in
          order[Int(ends[child])] = item
          ends[child] += 1
        }
      } else {
        order[Int(ends[Int(goal)])] = item
        ends[Int(goal)] += 1
      }
    }
    fill(cell, Int(ends[15])..<Int(ends[16]))
    let children = trie.takeChildren()
    trie.nodes[cell.node].children = children
    var start = top
    for child in 0..<16 {
      let end = Int(ends[child])
      if end > start {
        trie.nodes[cell.node].mask |= 1 << UInt16(child)
        build(cell.child(child, node: Int(children) + child), start..<end)
      }
      start = end
    }
    order.removeSubrange(top...)
  }

  /// Makes a node's list.
  private mutating func fill(_ cell: Cell, _ range: Range<Int>) {
    var list = trie.lists.list(for: range.count)
    for place in range {
      let item = items[Int(order[place])]
      trie.lists.put(item.candidate, item.footprint.box(in: cell), atEndOf: &list)
    }
    trie.nodes[cell.node].list = list
  }
}
