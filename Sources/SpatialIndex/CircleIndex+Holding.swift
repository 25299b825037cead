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
    if found.count > 1 { found.sort(from: 0) }
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
    circles(holding: places, into: &found, ends: &ends, sideBySideFrom: Batch.worthwhile)
  }

  /// The same, with the size in bytes from which on places go through the trie side by side.
  func circles(
    holding places: [Coordinate], into found: inout [Slot], ends: inout [Int], sideBySideFrom worthwhile: Int
  ) {
    found.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    ends.reserveCapacity(places.count)
    var first = 0
    func finish(_ place: Coordinate, _ found: inout [Slot]) {
      if !large.isEmpty { collectLarge(holding: place, into: &found) }
      if found.count > first + 1 { found.sort(from: first) }
      first = found.count
      ends.append(first)
    }
    guard trie.memory > worthwhile else {
      for place in places {
        trie.collect(holding: place, records, into: &found)
        finish(place, &found)
      }
      return
    }
    var batch = Batch()
    for start in stride(from: 0, to: places.count, by: Batch.size) {
      let range = start..<min(places.count, start + Batch.size)
      batch.collect(range, of: places, in: trie, records, into: &found, finish: finish)
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
    let disc = safeDisc(at: place, into: &found, isCollecting: true)
    if found.count > 1 { found.sort(from: 0) }
    return disc
  }

  /// How far one may go from a place before the circles that hold it can change.
  ///
  /// - Parameter place: A valid coordinate; for one that is not the disc has radius 0.
  /// - Returns: A disc round `place` that no perimeter enters.
  public func safeDisc(at place: Coordinate) -> SafeDisc {
    var none: [Slot] = []
    return safeDisc(at: place, into: &none, isCollecting: false)
  }

  private func safeDisc(at place: Coordinate, into found: inout [Slot], isCollecting: Bool) -> SafeDisc {
    guard place.isValid else { return SafeDisc(centre: place, radius: 0) }
    var distance = Double.infinity
    if count > large.count {
      distance = trie.collectAndMeasure(holding: place, records, into: &found, isCollecting: isCollecting)
    }
    for slot in large {
      let beyond = records[Int(slot)].centre.distance(to: place) - records[Int(slot)].radius
      // A micrometre: the geodesic's own error is far smaller.
      distance = min(distance, max(0, abs(beyond) - 1e-6))
      if isCollecting, beyond <= 0 { found.append(slot) }
    }
    return SafeDisc(centre: place, radius: distance)
  }

  private func collectLarge(holding place: Coordinate, into found: inout [Slot]) {
    guard place.isValid else { return }
    for slot in large where records[Int(slot)].holds(place) { found.append(slot) }
  }
}

extension [CircleIndex.Slot] {
  /// Sorts from an index on; as a rule there are few, for which the library's sorting is slow.
  mutating func sort(from first: Int) {
    guard count - first <= 16 else {
      self[first...].sort()
      return
    }
    for next in first + 1..<count {
      let slot = self[next]
      var place = next
      while place > first, self[place - 1] > slot {
        self[place] = self[place - 1]
        place -= 1
      }
      self[place] = slot
    }
  }
}
