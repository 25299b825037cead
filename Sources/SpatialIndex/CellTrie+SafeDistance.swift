internal import FencelineGeodesy

extension CellTrie {
  /// Tells how far one may go from a place without meeting a perimeter or leaving its cell, and appends the slots of the circles that
  /// hold it if they are wanted.
  ///
  /// Every circle that reaches into the last cell on the path is in a list on it, so within that cell no other perimeter is met. As a
  /// straight line is no longer than the way on the ground, and by the allowance in ``Candidate``, a perimeter is at least as
  /// far away as its ball's surface, less twice the allowance.
  ///
  /// - Returns: Metres, 0 or more.
  func collectAndMeasure(
    holding place: Coordinate, _ records: ContiguousArray<Record>, into found: inout [CircleIndex.Slot],
    isCollecting: Bool
  ) -> Double {
    guard let (root, grid) = root(of: place) else { return 0 }
    let point = FinePoint(EarthPoint(place))
    var least = SIMD4<Float>(repeating: .infinity)
    var node = nodes[root]
    var shift = Chart.rootShift
    while true {
      let first = Int(node.list.block)
      for block in first..<first + node.list.blocks {
        let reach = SIMD4<Float>(lists.blocks[block].reach)
        let squared = lists.blocks[block].squaredDistances(to: point)
        var away = squared.squareRoot() - reach
        // The library's `pointwiseMin` goes lane by lane.
        away.replace(with: away * -1, where: away .< 0)
        away -= reach * Float(2 * Candidate.allowance) + Float(Candidate.slack)
        least.replace(with: away, where: away .< least)
        guard isCollecting else { continue }
        let near = squared .<= reach * reach
        if any(near) { decide(near, lists.blocks[block], point, place, records, into: &found) }
      }
      guard node.children != 0 else { break }
      shift &-= 2
      guard let child = child(of: node, grid, shift) else { break }
      node = nodes[child]
    }
    // Single precision leaves a distance wrong by 2e-7 of itself.
    let perimeter = Double(least.min()) * ((1 - 1e-6) / FinePoint.unitsPerMetre)
    return max(0, min(perimeter, CellTrie.wall(place, grid, shift)))
  }

  /// How far it is from a place to the sides of its cell with this shift: metres on the ground, never too many.
  private static func wall(_ place: Coordinate, _ grid: GridPlace, _ shift: UInt32) -> Double {
    let side: UInt32 = 1 << shift
    func gap(_ units: UInt32) -> Double {
      let into = units & (side - 1)
      return Double(min(into, side - 1 - into)) - 2
    }
    let (du, dv) = (gap(grid.u), gap(grid.v))
    guard abs(place.latitude) < Chart.edge else {
      let edge = (abs(place.latitude) - Chart.edge) * (Double.pi / 180) * Ellipsoid.smallestRadius
      return min(du / GridPlace.unitsPerMetre, dv / GridPlace.unitsPerMetre, edge)
    }
    // The sine of the angle to a meridian that is λ away is cos φ sin λ; x >= sin x >= x - x³/6.
    let angle = du / GridPlace.unitsPerRadian
    let east = sineAndCosine(degrees: place.latitude).cosine * (angle - angle * angle * angle / 6)
    return min(east, dv / GridPlace.unitsPerRadian) * Ellipsoid.smallestRadius
  }
}
