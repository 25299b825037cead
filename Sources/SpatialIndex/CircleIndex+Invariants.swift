internal import FencelineGeodesy

extension CircleIndex {
  /// What is wrong inside, one sentence each; nothing where all is in order. For tests: it looks at everything.
  public func checkInvariants() -> [String] {
    var problems = trie.problems(records)
    let held = records.indices.filter { records[$0].radius >= 0 }
    if held.count != count { problems.append("\(count) circles are counted, \(held.count) are there") }
    let tooLarge = held.filter { !CellTrie.holds(records[$0].radius) }
    if tooLarge.map(Slot.init) != Array(large) { problems.append("the list of large circles is \(large)") }
    return problems
  }
}

extension CellTrie {
  /// Follows every circle to where the rule says it is, then looks for what is there besides.
  fileprivate func problems(_ records: ContiguousArray<Record>) -> [String] {
    var problems: [String] = []
    var expected = 0
    for slot in records.indices where CellTrie.holds(records[slot].radius) {
      let placement = Placement(records[slot])
      for chart in Chart.allCases where placement.touches(chart) {
        let footprint = placement.footprint(on: chart)
        footprint.forEachRoot(of: chart) { cell in
          let found = occurrences(of: placement.candidate(CircleIndex.Slot(slot)), footprint, at: cell)
          expected += found.lists
          if found.misses > 0 { problems.append("slot \(slot) is missing from \(found.misses) lists") }
        }
      }
    }
    var held = 0
    var blocks = lists.freeBlocks
    for index in nodes.indices {
      let node = nodes[index]
      held += Int(node.list.count)
      blocks += CandidateLists.run(of: node.list)
      for child in 0..<16 {
        let isMarked = node.mask >> UInt16(child) & 1 != 0
        let isEmpty = node.isLeaf || nodes[Int(node.children) + child].isEmpty
        if isMarked == isEmpty { problems.append("node \(index) is wrong about its child \(child)") }
      }
    }
    if held != expected { problems.append("the lists hold \(held) candidates, \(expected) belong there") }
    if blocks != lists.blocks.count { problems.append("\(lists.blocks.count - blocks) blocks are lost") }
    let inner = nodes.count { !$0.isLeaf } + freeChildrenCount
    if nodes.count != Chart.rootCount + 16 * inner { problems.append("nodes are lost") }
    return problems
  }

  private func occurrences(of candidate: Candidate, _ footprint: Footprint, at cell: Cell) -> (
    lists: Int, misses: Int
  ) {
    let node = nodes[cell.node]
    guard !node.isLeaf, footprint.fits(below: cell.shift) else {
      let times = (0..<Int(node.list.count)).count { index in
        let own = lists.candidate(at: index, of: node.list)
        return own.slot == candidate.slot && own.centre == candidate.centre && own.reach == candidate.reach
      }
      return (1, times == 1 ? 0 : 1)
    }
    var sum = (lists: 0, misses: 0)
    footprint.forEachChild(of: cell) { child in
      let found = occurrences(
        of: candidate, footprint, at: cell.child(child, node: Int(node.children) + child))
      sum = (sum.lists + found.lists, sum.misses + found.misses)
    }
    return sum
  }
}
