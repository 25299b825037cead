public import FencelineGeodesy

extension CircleIndex {
  /// Finds the circles that hold a place: those whose centre is no farther away along the geodesic than their radius is long.
  ///
  /// - Parameters:
  ///   - place: A valid coordinate; one that is not finds nothing.
  ///   - found: Gets their slots in ascending order; what it held before is dropped, its storage is used again.
  public func circles(holding place: Coordinate, into found: inout [Slot]) {
    if !found.isEmpty { found.removeAll(keepingCapacity: true) }
    trie.collect(holding: place, records, into: &found)
    if !large.isEmpty { collectLarge(holding: place, into: &found) }
    if found.count > 1 { found.sort() }
  }

  /// Finds the circles that hold each of many places.
  ///
  /// Faster than one call for each place where the circles are many, as memory is waited for side by side.
  ///
  /// - Parameters:
  ///   - places: Coordinates, as for ``circles(holding:into:)-(Coordinate,_)``.
  ///   - found: Gets the slots for all places, one place after the other, those of each in ascending order.
  ///   - ends: Gets for each place where its slots end: those of place `i` are `found[ends[i - 1]..<ends[i]]`, those of the first
  ///     `found[..<ends[0]]`.
  public func circles(holding places: [Coordinate], into found: inout [Slot], ends: inout [Int]) {
    found.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    ends.reserveCapacity(places.count)
    var batch = CellTrie.Batch()
    var next = 0
    while next < places.count {
      let end = min(places.count, next + CellTrie.Batch.size)
      trie.collect(holding: places[next..<end], records, &batch, into: &found, ends: &ends) { place, found in
        if !large.isEmpty { collectLarge(holding: place, into: &found) }
      }
      next = end
    }
  }

  /// Finds the circles that hold a place, and how far one may go from there before that can change.
  ///
  /// - Parameters:
  ///   - place: A valid coordinate; for one that is not, nothing is found and the disc has radius 0.
  ///   - found: As for ``circles(holding:into:)-(Coordinate,_)``.
  /// - Returns: A disc round `place` that no perimeter enters.
  public func circlesAndSafeDisc(holding place: Coordinate, into found: inout [Slot]) -> SafeDisc {
    if !found.isEmpty { found.removeAll(keepingCapacity: true) }
    var distance = trie.collectAndMeasure(holding: place, records, into: &found)
    guard place.isValid else { return SafeDisc(centre: place, radius: 0) }
    if count == large.count { distance = .infinity }
    for slot in large {
      let beyond = records[Int(slot)].centre.distance(to: place) - records[Int(slot)].radius
      // The geodesic's own error is far smaller.
      distance = min(distance, max(0, abs(beyond) - 1e-6))
      if beyond <= 0 { found.append(slot) }
    }
    if found.count > 1 { found.sort() }
    return SafeDisc(centre: place, radius: distance)
  }

  /// How far one may go from a place before the circles that hold it can change.
  ///
  /// - Parameter place: A valid coordinate; for one that is not the disc has radius 0.
  /// - Returns: A disc round `place` that no perimeter enters.
  public func safeDisc(at place: Coordinate) -> SafeDisc {
    var found: [Slot] = []
    return circlesAndSafeDisc(holding: place, into: &found)
  }

  private func collectLarge(holding place: Coordinate, into found: inout [Slot]) {
    guard place.isValid else { return }
    for slot in large where records[Int(slot)].holds(place) { found.append(slot) }
  }
}
