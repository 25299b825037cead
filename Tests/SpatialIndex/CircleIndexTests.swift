import FencelineGeodesy
import FencelineSpatialIndex
import FencelineTestSupport
import Testing

/// What is put in, taken out and changed.
struct CircleIndexTests {
  private func found(_ index: CircleIndex, _ place: Coordinate) -> [Slot] {
    var found: [Slot] = []
    index.circles(holding: place, into: &found)
    return found
  }

  @Test func anEmptyIndexFindsNothing() {
    let index = CircleIndex()
    let place = Coordinate(latitude: 0, longitude: 0)
    var within: [Slot] = [7]
    index.circles(within: 1e9, of: EarthPoint(place), into: &within)
    #expect(within == [])
    #expect(found(index, place) == [])
    #expect(index.count == 0)
    #expect(index.nearest(5, to: place).isEmpty)
    #expect(index.checkInvariants() == [])
  }

  @Test func slotsComeInAscendingOrder() {
    var index = CircleIndex()
    let centre = Coordinate(latitude: 47, longitude: 8)
    for slot: Slot in [5, 3, 99, 0, 41] { index.insert(slot, centre: centre, radius: 10) }
    index.insert(7, centre: centre, radius: 2_000_000)
    #expect(found(index, centre) == [0, 3, 5, 7, 41, 99])
    index.remove(41)
    index.remove(41)
    index.remove(1_000)
    index.remove(-1)
    #expect(found(index, centre) == [0, 3, 5, 7, 99])
    #expect(index.count == 5)
  }

  @Test func circlesMoveAndChangeTheirSize() {
    var index = CircleIndex()
    let (here, there) = (
      Coordinate(latitude: 47, longitude: 8), Coordinate(latitude: -10, longitude: 179.9999)
    )
    index.update(2, centre: here, radius: 10)
    #expect(found(index, here) == [2])
    index.update(2, centre: there, radius: 10)
    #expect(found(index, here) == [] && found(index, there) == [2])
    index.update(2, centre: there, radius: 19_000_000)
    #expect(found(index, here) == [2])
    index.update(2, centre: there, radius: 0)
    #expect(found(index, here) == [] && found(index, there) == [2])
    #expect(index.count == 1)
    #expect(index.checkInvariants() == [])
  }

  @Test func aCopyIsAValue() {
    let centre = Coordinate(latitude: 1, longitude: 1)
    var index = CircleIndex((0..<100).map { (slot: Slot($0), centre: centre, radius: 5.0) })
    let copy = index
    for slot: Slot in 0..<100 where slot != 50 { index.remove(slot) }
    index.insert(200, centre: centre, radius: 1)
    #expect(found(copy, centre) == Array(0..<100))
    #expect(found(index, centre) == [50, 200])
    #expect(copy.checkInvariants() == [] && index.checkInvariants() == [])
  }

  @Test func itAgreesWithALinearScanThroughAllChanges() {
    forAll(seed: 16, count: 60) { random, seed in
      let country = Country(&random)
      var scan = LinearScan()
      // Crowds, so that cells are split; from one go or from nothing.
      for slot: Slot in 0..<Slot(random.chance(0.5) ? 0 : 500) {
        scan[slot] = (country.place(&random), random.length(1...max(2, country.spread / 10)))
      }
      var index = scan.index
      for step in 0..<8 {
        for _ in 0..<Int.random(in: 1...200, using: &random) {
          let slot = Slot.random(in: 0..<800, using: &random)
          if random.chance(step == 6 ? 0.9 : 0.3) {
            index.remove(slot)
            scan[slot] = nil
          } else {
            let largest = random.chance(0.02) ? 10_000_000.0 : country.spread / 10
            let (centre, radius) = (country.place(&random), random.length(1...max(2, largest)))
            index.update(slot, centre: centre, radius: radius)
            scan[slot] = (centre, radius)
          }
        }
        guard index.checkInvariants() == [], index.count == scan.circles.count else {
          Issue.record("seed \(seed): \(index.checkInvariants())")
          return
        }
        for _ in 0..<10 {
          let place = country.place(&random)
          guard found(index, place) == scan.circles(holding: place) else {
            Issue.record("seed \(seed): \(place): \(found(index, place)), \(scan.circles(holding: place))")
            return
          }
        }
      }
      for slot in scan.slots { index.remove(slot) }
      guard index.count == 0, index.checkInvariants() == [], found(index, country.clusters[0]) == [] else {
        Issue.record("seed \(seed): not empty: \(index.checkInvariants())")
        return
      }
    }
  }

  /// What is given back is used again.
  @Test func comingAndGoingDoesNotGrow() {
    var random = SplitMix64(seed: 17)
    let cluster = Coordinate(latitude: 47, longitude: 8)
    var index = CircleIndex(
      (0..<5_000).map { slot in
        (
          slot: Slot(slot), centre: random.coordinate(within: 50_000, of: cluster),
          radius: random.length(20...500)
        )
      })
    var sizes: [Int] = []
    for _ in 0..<6 {
      for _ in 0..<5_000 {
        let slot = Slot.random(in: 0..<5_000, using: &random)
        index.update(
          slot, centre: random.coordinate(within: 50_000, of: cluster), radius: random.length(20...500))
      }
      sizes.append(index.memory)
    }
    #expect(sizes[5] <= sizes[1])
    #expect(index.checkInvariants() == [])
  }

  @Test func aSlotIsUsedOnce() async {
    await #expect(processExitsWith: .failure) {
      var index = CircleIndex()
      index.insert(1, centre: Coordinate(latitude: 0, longitude: 0), radius: 1)
      index.insert(1, centre: Coordinate(latitude: 0, longitude: 0), radius: 1)
    }
  }
}
