internal import FencelineGeodesy

extension CellTrie {
  /// Where a place's path through the trie begins; nil for what is no place on Earth.
  @inline(__always)
  func root(of place: Coordinate) -> (node: Int, place: GridPlace)? {
    guard abs(place.longitude) <= 180 else { return nil }
    let chart: Chart
    let grid: GridPlace
    if abs(place.latitude) < Chart.edge {
      chart = .band
      grid = GridPlace(band: place)
    } else {
      guard abs(place.latitude) <= 90 else { return nil }
      chart = place.latitude > 0 ? .north : .south
      grid = GridPlace(cap: EarthPoint(place))
    }
    let (column, row) = (Int64(grid.u >> Chart.rootShift), Int64(grid.v >> Chart.rootShift))
    return (chart.root(column: column, row: row), grid)
  }

  /// The child of a node on the path to a place; nil where there is none.
  @inline(__always)
  func child(of node: Node, _ place: GridPlace, _ shift: UInt32) -> Int? {
    let child = (place.v >> shift & 3) << 2 | (place.u >> shift & 3)
    return node.mask >> UInt16(truncatingIfNeeded: child) & 1 == 0 ? nil : Int(node.children) + Int(child)
  }

  /// Appends the slots of the circles that hold a place.
  @inline(__always)
  func collect(
    holding place: Coordinate, _ records: ContiguousArray<Record>, into found: inout [CircleIndex.Slot]
  ) {
    guard let (root, grid) = root(of: place) else { return }
    var node = nodes[root]
    var shift = Chart.rootShift
    var point: FinePoint?
    while true {
      if node.list.count > 0 {
        let probe = SIMD4(repeating: CellBox.probe(grid, shift))
        let first = Int(node.list.block)
        for block in first..<first + node.list.blocks {
          guard CellBox.isAny(lists.boxes[block], around: probe) else { continue }
          // Only now is trigonometry needed; many places are in no box at all.
          let known = point ?? FinePoint(EarthPoint(place))
          point = known
          let near = lists.blocks[block].near(known)
          if any(near) { decide(near, lists.blocks[block], known, place, records, into: &found) }
        }
      }
      shift &-= 2
      guard let child = child(of: node, grid, shift) else { return }
      node = nodes[child]
    }
  }

  /// Appends those of a block's candidates that hold a place, of those that `near` leaves.
  @inline(never)
  func decide(
    _ near: SIMDMask<SIMD4<Int32>>, _ block: CandidateBlock, _ point: FinePoint, _ place: Coordinate,
    _ records: ContiguousArray<Record>, into found: inout [CircleIndex.Slot]
  ) {
    for lane in 0..<4 where near[lane] {
      let candidate = block[lane]
      let dx = Double(candidate.centre.x &- point.x)
      let dy = Double(candidate.centre.y &- point.y)
      let dz = Double(candidate.centre.z &- point.z)
      let inner = Candidate.inner(Double(candidate.reach))
      if (inner > 0 && dx * dx + dy * dy + dz * dz <= inner * inner)
        || records[Int(candidate.slot)].holds(place)
      {
        found.append(candidate.slot)
      }
    }
  }
}
