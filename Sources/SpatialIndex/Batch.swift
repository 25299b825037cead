internal import FencelineGeodesy

/// Places that go through the trie side by side.
///
/// All of them do one step before any does the next, so that what each waits for is fetched from memory together; what a step has
/// fetched it notes for the next without looking at it.
struct Batch {
  static let size = 32
  /// Bytes of a trie from which on there is something to wait for; smaller ones are in the cache.
  static let worthwhile = 8 << 20
  /// Levels of the trie.
  private static let levels = Int(Chart.rootShift - CellTrie.leastShift) / 2 + 1

  /// A list on the path of a place.
  private struct Visit {
    var list = CandidateList()
    var shift: UInt32 = 0
    /// Which of the first 32 blocks have a box that the place is in.
    var blocks: UInt32 = 0
  }

  /// A block with a box that a place is in.
  private struct Hit {
    var block: Int32
    /// Which of its balls hold the place.
    var near: SIMDMask<SIMD4<Int32>>
  }

  private var grids = InlineArray<32, GridPlace>(repeating: GridPlace(u: 0, v: 0))
  private var points = InlineArray<32, FinePoint>(repeating: FinePoint(x: 0, y: 0, z: 0))
  /// The node that each place has come to, -1 at the end of its path, and what it says.
  private var current = InlineArray<32, Int32>(repeating: -1)
  private var nodes = InlineArray<32, Node>(repeating: Node())
  private var visits = ContiguousArray(repeating: Visit(), count: Batch.size * Batch.levels)
  private var visitCounts = InlineArray<32, Int32>(repeating: 0)
  private var hits: ContiguousArray<Hit> = []
  private var hitEnds = InlineArray<32, Int32>(repeating: 0)

  /// What comes of looking at something only to have it fetched. Nobody reads it: that whoever writes it is no part of who could see
  /// that is what keeps the glances.
  private var glance: UInt32 = 0

  /// Appends, for each of up to 32 places, the slots of the circles that hold it, and calls `finish` after each.
  @inline(__always)
  mutating func collect(
    _ range: Range<Int>, of places: [Coordinate], in trie: CellTrie, _ records: ContiguousArray<Record>,
    into found: inout [CircleIndex.Slot], finish: (Coordinate, inout [CircleIndex.Slot]) -> Void
  ) {
    start(range, of: places, in: trie)
    descend(range.count, in: trie)
    look(range, of: places, in: trie)
    var hit = 0
    for index in 0..<range.count {
      let place = places[range.lowerBound + index]
      while hit < Int(hitEnds[index]) {
        if any(hits[hit].near) {
          trie.decide(
            hits[hit].near, trie.lists.blocks[Int(hits[hit].block)], points[index], place, records,
            into: &found
          )
        }
        hit += 1
      }
      finish(place, &found)
    }
  }

  private mutating func start(_ range: Range<Int>, of places: [Coordinate], in trie: CellTrie) {
    for index in 0..<range.count {
      visitCounts[index] = 0
      current[index] = -1
      if let (node, grid) = trie.root(of: places[range.lowerBound + index]) {
        grids[index] = grid
        current[index] = Int32(node)
      }
    }
  }

  /// Follows the paths to their ends, level by level, and notes the lists on them and which of their boxes the places are in.
  ///
  /// No branch hangs on the boxes that are being fetched: a wrong guess would throw the other fetches away.
  @inline(never)
  private mutating func descend(_ count: Int, in trie: CellTrie) {
    var shift = Chart.rootShift
    var isGoingOn = true
    while isGoingOn {
      isGoingOn = false
      for index in 0..<count where current[index] >= 0 { nodes[index] = trie.nodes[Int(current[index])] }
      // What a place needs of its list takes so many instructions that the processor does not see beyond the next: so one glance
      // at each, to have all of them fetched.
      for index in 0..<count where current[index] >= 0 && nodes[index].list.count > 0 {
        glance |= trie.lists.boxes[Int(nodes[index].list.block)].x
      }
      for index in 0..<count where current[index] >= 0 {
        let list = nodes[index].list
        if list.count > 0 {
          let probe = SIMD4(repeating: CellBox.probe(grids[index], shift))
          let first = Int(list.block)
          var blocks: UInt32 = 0
          for step in 0..<min(32, list.blocks) {
            let isIn = CellBox.isAny(trie.lists.boxes[first + step], around: probe)
            blocks |= (isIn ? 1 : 0) << UInt32(truncatingIfNeeded: step)
          }
          visits[index * Batch.levels + Int(visitCounts[index])] = Visit(
            list: list, shift: shift, blocks: blocks)
          visitCounts[index] &+= 1
        }
        let child = trie.child(of: nodes[index], grids[index], shift &- 2)
        current[index] = Int32(truncatingIfNeeded: child ?? -1)
        isGoingOn = isGoingOn || child != nil
      }
      shift &-= 2
    }
  }

  /// Looks at the balls of the boxes that a place is in.
  @inline(never)
  private mutating func look(_ range: Range<Int>, of coordinates: [Coordinate], in trie: CellTrie) {
    hits.removeAll(keepingCapacity: true)
    for index in 0..<range.count {
      for visit in index * Batch.levels..<index * Batch.levels + Int(visitCounts[index])
      where visits[visit].blocks != 0 {
        let block = Int(visits[visit].list.block) + visits[visit].blocks.trailingZeroBitCount
        glance |= UInt32(truncatingIfNeeded: trie.lists.blocks[block].slots.w)
      }
    }
    for index in 0..<range.count {
      let firstHit = hits.count
      for visit in index * Batch.levels..<index * Batch.levels + Int(visitCounts[index]) {
        let (list, shift) = (visits[visit].list, visits[visit].shift)
        var blocks = visits[visit].blocks
        while blocks != 0 {
          note(Int(list.block) + blocks.trailingZeroBitCount, index, firstHit, range, coordinates, trie)
          blocks &= blocks &- 1
        }
        guard list.blocks > 32 else { continue }
        let probe = SIMD4(repeating: CellBox.probe(grids[index], shift))
        for block in Int(list.block) + 32..<Int(list.block) + list.blocks
        where CellBox.isAny(trie.lists.boxes[block], around: probe) {
          note(block, index, firstHit, range, coordinates, trie)
        }
      }
      hitEnds[index] = Int32(truncatingIfNeeded: hits.count)
    }
  }

  @inline(__always)
  private mutating func note(
    _ block: Int, _ index: Int, _ firstHit: Int, _ range: Range<Int>, _ coordinates: [Coordinate],
    _ trie: CellTrie
  ) {
    if hits.count == firstHit { points[index] = FinePoint(EarthPoint(coordinates[range.lowerBound + index])) }
    let near = trie.lists.blocks[block].near(points[index])
    hits.append(Hit(block: Int32(truncatingIfNeeded: block), near: near))
  }
}
