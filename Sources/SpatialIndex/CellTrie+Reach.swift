internal import FencelineGeodesy

extension CellTrie {
  /// Appends the slots of the circles that come within reach of a short way; those that reach into several cells may come twice.
  func collect(near way: Way, _ records: ContiguousArray<Record>, into found: inout [CircleIndex.Slot]) {
    way.forEachFootprint { footprint, chart in
      footprint.forEachRoot(of: chart) { collect(near: way, footprint, at: $0, records, into: &found) }
    }
  }

  private func collect(
    near way: Way, _ footprint: Footprint, at cell: Cell, _ records: ContiguousArray<Record>,
    into found: inout [CircleIndex.Slot]
  ) {
    let node = nodes[cell.node]
    let middle = FinePoint(way.middle)
    let margin = Float((way.reach + way.length / 2 + 0.1) * FinePoint.unitsPerMetre)
    let first = Int(node.list.block)
    for block in first..<first + node.list.blocks {
      // The radius is up to a thousandth longer than the chord that the reach was made of.
      let limit = SIMD4<Float>(lists.blocks[block].reach) * 1.0011 + margin
      let near = lists.blocks[block].squaredDistances(to: middle) .<= limit * limit
      guard any(near) else { continue }
      for lane in 0..<4 where near[lane] {
        let slot = lists.blocks[block].slots[lane]
        guard slot >= 0 else { continue }
        let centre = EarthPoint(records[Int(slot)].centre)
        if way.meets(centre, radius: records[Int(slot)].radius) { found.append(slot) }
      }
    }
    guard node.mask != 0 else { return }
    footprint.forEachChild(of: cell) { child in
      guard node.mask >> UInt16(child) & 1 != 0 else { return }
      let inner = cell.child(child, node: Int(node.children) + child)
      collect(near: way, footprint, at: inner, records, into: &found)
    }
  }
}
