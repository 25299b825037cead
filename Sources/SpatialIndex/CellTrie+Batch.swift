internal import FencelineGeodesy

extension CellTrie {
  /// A list on the path of one of the places of a batch, and its first boxes.
  struct Visit {
    var list: CandidateList
    var shift: UInt32
    var boxes: SIMD4<UInt32>
  }

  /// A block that may hold a circle of one of the places of a batch.
  struct Hit {
    var place: Int
    var block: Int
    var lanes: SIMD16<Int32>
  }

  /// Working storage of a batch.
  struct Batch {
    /// How many places go through the phases together.
    static let size = 32
    static let deepest = Int(Chart.rootShift - CellTrie.leastShift) / 2 + 1

    var grids: [GridPlace] = []
    var nodes: [Int] = []
    var visits: [Visit]
    var visitCounts: [Int] = []
    var hits: [Hit] = []

    init() {
      let none = Visit(list: CandidateList(), shift: 0, boxes: .zero)
      visits = Array(repeating: none, count: Batch.size * Batch.deepest)
    }
  }

  /// Appends the slots of the circles that hold each of some places, and where those of each end.
  ///
  /// All places do one step before any does the next, so that what each waits for is fetched from memory side by side; each step keeps
  /// what it has fetched for the next.
  func collect(
    holding places: ArraySlice<Coordinate>, _ records: ContiguousArray<Record>, _ batch: inout Batch,
    into found: inout [CircleIndex.Slot], ends: inout [Int],
    large: (Coordinate, inout [CircleIndex.Slot]) -> Void
  ) {
    batch.grids.removeAll(keepingCapacity: true)
    batch.nodes.removeAll(keepingCapacity: true)
    batch.visitCounts.removeAll(keepingCapacity: true)
    batch.hits.removeAll(keepingCapacity: true)
    var remaining = 0
    for place in places {
      let start = root(of: place)
      batch.grids.append(start?.place ?? GridPlace(u: 0, v: 0))
      batch.nodes.append(start?.node ?? -1)
      batch.visitCounts.append(0)
      remaining += start == nil ? 0 : 1
    }
    descend(&batch, remaining)
    for index in batch.grids.indices {
      let firstVisit = index * Batch.deepest
      for visit in batch.visits[firstVisit..<firstVisit + batch.visitCounts[index]] {
        let probe = SIMD4(repeating: CellBox.probe(batch.grids[index], visit.shift))
        var boxes = visit.boxes
        let first = Int(visit.list.block)
        for block in first..<first + visit.list.blocks {
          if block > first { boxes = lists.boxes[block] }
          if CellBox.isAny(boxes, around: probe) {
            batch.hits.append(Hit(place: index, block: block, lanes: lists.blocks[block]))
          }
        }
      }
    }
    var hit = 0
    for (index, place) in places.enumerated() {
      let first = found.count
      if hit < batch.hits.count, batch.hits[hit].place == index {
        let point = FinePoint(EarthPoint(place))
        while hit < batch.hits.count, batch.hits[hit].place == index {
          test(batch.hits[hit].lanes, batch.hits[hit].block, point, place, records, into: &found)
          hit += 1
        }
      }
      large(place, &found)
      if found.count > first + 1 { found[first...].sort() }
      ends.append(found.count)
    }
  }

  /// Takes all places of a batch down to the ends of their paths, level by level.
  private func descend(_ batch: inout Batch, _ remaining: Int) {
    var remaining = remaining
    var shift = Chart.rootShift
    while remaining > 0 {
      for index in batch.nodes.indices where batch.nodes[index] >= 0 {
        let node = nodes[batch.nodes[index]]
        if node.list.count > 0 {
          batch.visits[index * Batch.deepest + batch.visitCounts[index]] = Visit(
            list: node.list, shift: shift, boxes: lists.boxes[Int(node.list.block)])
          batch.visitCounts[index] += 1
        }
        batch.nodes[index] = child(of: node, batch.grids[index], shift &- 2) ?? -1
        if batch.nodes[index] < 0 { remaining -= 1 }
      }
      shift &-= 2
    }
  }
}
