import FencelineTestSupport
import Testing

@testable import FencelineMapDrawing

@Suite("Label placer") struct LabelPlacerTests {
  @Test func placedBoxesNeverOverlapNorLeaveThePicture() {
    var failures: [UInt64] = []
    forAll(seed: 51, count: 150) { random, seed in
      let bounds = Box(
        left: 10, top: 20, right: random.uniform(60...900), bottom: random.uniform(60...700))
      var placer = LabelPlacer(bounds: bounds)
      var boxes: [Box] = []
      for _ in 0..<20 {
        let box = Box(
          centre: Point(x: random.uniform(0...1_000), y: random.uniform(0...800)), width: 12, height: 12)
        placer.reserve(box)
        boxes.append(box)
      }
      let reserved = boxes.count
      placer.avoid(
        (0..<10).map { _ in Point(x: random.uniform(-50...950), y: random.uniform(-50...750)) }, weight: 3)
      for _ in 0..<150 {
        let (width, height) = (random.uniform(10...160), random.uniform(10...20))
        let point = Point(x: random.uniform(-20...950), y: random.uniform(-20...750))
        let candidates = LabelPlacer.Candidate.around(point, distance: 8, width: width, height: height)
        guard
          let place = placer.place(
            width: width, height: height, at: candidates, isImportant: random.chance(0.5))
        else { continue }
        boxes.append(Box(centre: place.centre, width: width, height: height))
      }
      for (number, box) in boxes.enumerated().dropFirst(reserved) {
        if !bounds.contains(box) || boxes[..<number].contains(where: box.intersects) {
          failures.append(seed)
          break
        }
      }
    }
    #expect(failures == [])
  }

  @Test func aTextPrefersNotToCoverALine() throws {
    var placer = LabelPlacer(bounds: Box(left: 0, top: 0, right: 400, bottom: 400))
    placer.avoid([Point(x: 200, y: 200), Point(x: 400, y: 200)])
    let candidates = LabelPlacer.Candidate.around(
      Point(x: 200, y: 200), distance: 8, width: 60, height: 14)
    let found = placer.place(width: 60, height: 14, at: candidates)
    let place = try #require(found)
    #expect(
      !Box(centre: place.centre, width: 60, height: 14).contains(Point(x: place.centre.x, y: 200))
        || place.centre.x < 200)
  }

  @Test func whereThereIsNoRoomThereIsNoPlace() {
    var placer = LabelPlacer(bounds: Box(left: 0, top: 0, right: 50, bottom: 50))
    let middle = [LabelPlacer.Candidate(centre: Point(x: 25, y: 25))]
    let found = [60.0, 40, 40].map { placer.place(width: $0, height: 10, at: middle) != nil }
    #expect(found == [false, true, false])
  }
}
