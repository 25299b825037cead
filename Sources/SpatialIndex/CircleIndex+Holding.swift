public import FencelineGeodesy

extension CircleIndex {
  /// Finds the circles that hold a place: those whose centre is no farther away along the geodesic than their radius is long.
  ///
  /// - Parameters:
  ///   - place: A valid coordinate; one that is not finds nothing.
  ///   - found: Gets their slots in ascending order; what it held before is dropped, its storage is used again.
  public func circles(holding place: Coordinate, into found: inout [Slot]) {
    found.removeAll(keepingCapacity: true)
    guard place.isValid else { return }
    circles(within: 0, of: EarthPoint(place), into: &found)
    found.removeAll { slot in
      !(records[slot].map { $0.centre.distance(to: place) <= $0.radius } ?? false)
    }
  }

  /// Finds the circles that hold each of many places.
  ///
  /// - Parameters:
  ///   - places: Coordinates, as for ``circles(holding:into:)``.
  ///   - found: Gets the slots for all places, one place after the other, those of each in ascending order.
  ///   - ends: Gets for each place where its slots end: those of place `i` are `found[ends[i - 1]..<ends[i]]`, of the first `found[..<ends[0]]`.
  public func circles(holding places: [Coordinate], into found: inout [Slot], ends: inout [Int]) {
    found.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    var own: [Slot] = []
    for place in places {
      circles(holding: place, into: &own)
      found += own
      ends.append(found.count)
    }
  }

  /// Finds the circles that hold a place, and how far one may go from there before that can change.
  ///
  /// - Parameters:
  ///   - place: As for ``circles(holding:into:)``; for one that is not valid the disc has radius 0.
  ///   - found: As there.
  /// - Returns: A disc round `place` that no perimeter enters.
  public func circlesAndSafeDisc(holding place: Coordinate, into found: inout [Slot]) -> SafeDisc {
    circles(holding: place, into: &found)
    return safeDisc(at: place)
  }

  /// How far one may go from a place before the circles that hold it can change.
  ///
  /// - Parameter place: A valid coordinate; for one that is not the disc has radius 0.
  /// - Returns: A disc round `place` that no perimeter enters.
  public func safeDisc(at place: Coordinate) -> SafeDisc {
    guard place.isValid else { return SafeDisc(centre: place, radius: 0) }
    var least = Double.infinity
    for (_, circle) in records { least = min(least, abs(circle.centre.distance(to: place) - circle.radius)) }
    return SafeDisc(centre: place, radius: max(0, least * (1 - 1e-9) - 1e-6))
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
    var found: [(slot: Slot, distance: Double)] = []
    for (slot, circle) in records where isWanted(slot) {
      found.append((slot, circle.centre.distance(to: place) - circle.radius))
    }
    found.sort { (abs($0.distance), $0.slot) < (abs($1.distance), $1.slot) }
    return Array(found.prefix(count))
  }

  /// Bytes that it holds.
  public var memory: Int { records.count * 128 }

  /// What is wrong inside, one sentence each; nothing, if the index is in order. For tests: it looks at everything.
  public func checkInvariants() -> [String] {
    var problems: [String] = []
    if records.count != count { problems.append("\(records.count) records for \(count) circles") }
    return problems
  }
}
