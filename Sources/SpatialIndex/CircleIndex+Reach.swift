public import FencelineGeodesy

extension CircleIndex {
  /// Finds the circles that come within `reach` metres of a point.
  ///
  /// - Parameters:
  ///   - reach: Metres from the circle's perimeter, or less; 0 asks which circles hold the point.
  ///   - point: A point of the surface.
  ///   - found: Gets their slots in ascending order; what it held before is dropped, its storage is used again. None that comes
  ///     within reach on the ground is missed; some that do not quite may be with them, and the caller's geodesic decides.
  public func circles(within reach: Double, of point: EarthPoint, into found: inout [Slot]) {
    circles(within: reach, ofSegmentFrom: point, to: point, into: &found)
  }

  /// Finds the circles that come within `reach` metres of the straight way between two points.
  ///
  /// - Parameters:
  ///   - reach: Metres from the circle's perimeter, or less. The way runs through the Earth: for ground distances add
  ///     the depth of the chord, at most L² / (8 · 6,335,439 m) for a way of L metres.
  ///   - start: Where the way starts, a point of the surface.
  ///   - end: Where it ends. For ways of more than 200 km, or farther reaches, all circles are compared.
  ///   - found: As for ``circles(within:of:into:)``.
  public func circles(
    within reach: Double, ofSegmentFrom start: EarthPoint, to end: EarthPoint, into found: inout [Slot]
  ) {
    if !found.isEmpty { found.removeAll(keepingCapacity: true) }
    let way = Way(from: start, to: end, reach: reach)
    guard way.isShort else {
      for slot in records.indices where records[slot].radius >= 0 {
        let record = records[slot]
        if way.meets(EarthPoint(record.centre), radius: record.radius) { found.append(Slot(slot)) }
      }
      return
    }
    trie.collect(near: way, records, into: &found)
    for slot in large
    where way.meets(EarthPoint(records[Int(slot)].centre), radius: records[Int(slot)].radius) {
      found.append(slot)
    }
    guard found.count > 1 else { return }
    found.sort()
    var kept = 1
    for place in 1..<found.count where found[place] != found[kept - 1] {
      found[kept] = found[place]
      kept += 1
    }
    found.removeLast(found.count - kept)
  }

  /// The circles whose perimeters are nearest to a place.
  ///
  /// - Parameters:
  ///   - count: How many at most.
  ///   - place: A valid coordinate; for one that is not there are none.
  ///   - isWanted: Which circles count.
  /// - Returns: Their slots and the distances to their perimeters in metres, negative inside; the nearest first, of equal ones the
  ///   one with the smaller slot.
  public func nearest(
    _ count: Int, to place: Coordinate, where isWanted: (Slot) -> Bool = { _ in true }
  ) -> [(slot: Slot, distance: Double)] {
    guard place.isValid, count > 0 else { return [] }
    let point = EarthPoint(place)
    var slots: [Slot] = []
    var reach = 1_000.0
    while reach <= Way.longest {
      circles(within: reach, of: point, into: &slots)
      var nearest = Nearest(count, to: place)
      for slot in slots where isWanted(slot) { nearest.add(slot, records[Int(slot)], point) }
      // Only what is that near, within or without, can have no nearer one beyond the reach.
      if let farthest = nearest.farthest, farthest <= reach { return nearest.found }
      reach *= 4
    }
    var nearest = Nearest(count, to: place)
    for slot in records.indices where records[slot].radius >= 0 && isWanted(Slot(slot)) {
      nearest.add(Slot(slot), records[slot], point)
    }
    return nearest.found
  }
}

/// The nearest perimeters of those that it was shown.
private struct Nearest {
  let count: Int
  let place: Coordinate
  private(set) var found: [(slot: CircleIndex.Slot, distance: Double)] = []

  init(_ count: Int, to place: Coordinate) {
    self.count = count
    self.place = place
  }

  /// How far the last one is, once there are enough.
  var farthest: Double? { found.count == count ? found.last.map { abs($0.distance) } : nil }

  mutating func add(_ slot: CircleIndex.Slot, _ record: Record, _ point: EarthPoint) {
    if let farthest {
      // The way on the ground is at least as long as the straight one, and at most 1.58 times.
      let straight = EarthPoint(record.centre).squaredDistance(to: point).squareRoot()
      guard max(straight - record.radius, record.radius - 1.58 * straight) <= farthest + 1e-6 else { return }
    }
    let distance = record.centre.distance(to: place) - record.radius
    let rank = (abs(distance), slot)
    guard found.count < count || rank < (abs(found[count - 1].distance), found[count - 1].slot) else {
      return
    }
    if found.count == count { found.removeLast() }
    let index = found.firstIndex { rank < (abs($0.distance), $0.slot) } ?? found.count
    found.insert((slot, distance), at: index)
  }
}
