import FencelineGeodesy
import FencelineSpatialIndex
import Glibc

/// A circle as the files hold it.
struct CircleRecord {
  var centre: Coordinate
  /// Metres.
  var radius: Double
}

private func readCircles(_ path: String) -> [CircleRecord] {
  let numbers: [Double] = readAll(path)
  return stride(from: 0, to: numbers.count, by: 3).map {
    CircleRecord(
      centre: Coordinate(latitude: numbers[$0], longitude: numbers[$0 + 1]), radius: numbers[$0 + 2])
  }
}

/// What is measured of the index.
struct IndexBench {
  private(set) var circles: [CircleRecord] = []
  private var index = CircleIndex()
  private var chords: [Chord] = []

  /// Places that are asked for at once.
  private static let batch = 1024
  /// A safe distance of less than this many metres is not worth what it costs: the next ``pause`` fixes do without.
  private static let leastSafe = 30.0
  private static let pause = 16

  mutating func load(_ path: String) -> Answer {
    circles = readCircles(path + ".circles")
    index = CircleIndex()
    chords = circles.map(Chord.init)
    return Answer()
  }

  mutating func build() -> Answer {
    index = CircleIndex()
    var answer = Answer()
    let began = nanoseconds()
    index = countedBuild(circles)
    answer.nanoseconds = (nanoseconds() - began) / Double(circles.count)
    answer.more = [("bytes", Double(index.memory) / Double(circles.count))]
    return answer
  }

  func points(_ path: String) -> Answer {
    let places = readPlaces(path)
    var found: [CircleIndex.Slot] = []
    return measured(places.count) {
      var answer = Answer()
      for query in places.indices {
        index.circles(holding: places[query], into: &found)
        answer.hits += found.count
        answer.add(sum(found[...]), query: query)
      }
      return answer
    }
  }

  mutating func batch(_ path: String) -> Answer {
    let places = readPlaces(path)
    let batches = stride(from: 0, to: places.count, by: IndexBench.batch).map {
      Array(places[$0..<min($0 + IndexBench.batch, places.count)])
    }
    var found: [CircleIndex.Slot] = []
    var ends: [Int] = []
    return measured(places.count) {
      var answer = Answer()
      var query = 0
      for batch in batches {
        index.circles(holding: batch, into: &found, ends: &ends)
        var start = 0
        for end in ends {
          answer.add(sum(found[start..<end]), query: query)
          query += 1
          start = end
        }
        answer.hits += start
      }
      return answer
    }
  }

  /// As a client would do it: it asks again when the device has left the safe disc, and does without one where they are small.
  func walkWithSafeDisc(_ path: String) -> Answer {
    let places = readPlaces(path)
    var found: [CircleIndex.Slot] = []
    return measured(places.count) {
      var answer = Answer()
      var evaluations = 0
      var disc: SafeDisc?
      var plain = 0
      var total: UInt64 = 0
      for query in places.indices {
        if disc?.holds(places[query]) != true {
          evaluations += 1
          if plain > 0 {
            plain -= 1
            disc = nil
            index.circles(holding: places[query], into: &found)
          } else {
            let made = index.circlesAndSafeDisc(holding: places[query], into: &found)
            if made.radius < IndexBench.leastSafe { plain = IndexBench.pause }
            disc = made
          }
          total = sum(found[...])
        }
        answer.hits += found.count
        answer.add(total, query: query)
      }
      answer.more = [("evaluations", Double(evaluations) / Double(places.count))]
      return answer
    }
  }

  /// The index gives what comes near; the chord decides, here as for the peers.
  func segments(_ ends: [Coordinate]) -> Answer {
    var found: [CircleIndex.Slot] = []
    return measured(ends.count / 2) {
      var answer = Answer()
      for query in 0..<ends.count / 2 {
        let (a, b) = (EarthPoint(ends[2 * query]), EarthPoint(ends[2 * query + 1]))
        index.circles(within: 0, ofSegmentFrom: a, to: b, into: &found)
        var sum: UInt64 = 0
        for slot in found where chords[Int(slot)].meets(a, b) {
          sum &+= UInt64(slot + 1)
          answer.hits += 1
        }
        answer.add(sum, query: query)
      }
      return answer
    }
  }

  /// The ways between the fixes of a walk; what lies between two of the ten devices is no way.
  func steps(_ path: String) -> Answer {
    let walk = readPlaces(path)
    let each = (walk.count + 9) / 10
    var ends: [Coordinate] = []
    for fix in 1..<walk.count where !fix.isMultiple(of: each) { ends += [walk[fix - 1], walk[fix]] }
    return segments(ends)
  }

  mutating func remove(_ path: String) -> Answer {
    edit(path) { index.remove($0) }
  }

  mutating func insert(_ path: String) -> Answer {
    edit(path) { index.insert($0, centre: circles[Int($0)].centre, radius: circles[Int($0)].radius) }
  }

  private func edit(_ path: String, _ body: (CircleIndex.Slot) -> Void) -> Answer {
    let slots: [CircleIndex.Slot] = readAll(path)
    var answer = Answer()
    let began = nanoseconds()
    for slot in slots { body(slot) }
    answer.nanoseconds = (nanoseconds() - began) / Double(slots.count)
    return answer
  }

  mutating func update(_ path: String) -> Answer {
    let slots: [CircleIndex.Slot] = readAll(path + ".edits")
    let moved = readCircles(path + ".moved")
    let began = nanoseconds()
    for (slot, circle) in zip(slots, moved) {
      index.update(slot, centre: circle.centre, radius: circle.radius)
    }
    let spent = nanoseconds() - began
    var answer = points(path + ".random")
    answer.nanoseconds = spent / Double(slots.count)
    for slot in slots {
      index.update(slot, centre: circles[Int(slot)].centre, radius: circles[Int(slot)].radius)
    }
    return answer
  }

  func answers(_ path: String, to out: String) -> Answer {
    let places = readPlaces(path)
    var found: [CircleIndex.Slot] = []
    var sums: [UInt64] = []
    for place in places {
      index.circles(holding: place, into: &found)
      sums.append(sum(found[...]))
    }
    writeAll(sums, to: out)
    return Answer()
  }

  private func sum(_ slots: ArraySlice<CircleIndex.Slot>) -> UInt64 {
    var sum: UInt64 = 0
    for slot in slots { sum &+= UInt64(slot + 1) }
    return sum
  }
}

/// What `tools/check-instructions` counts of building; it knows the function by its name.
@inline(never)
private func countedBuild(_ circles: [CircleRecord]) -> CircleIndex {
  CircleIndex(circles.indices.lazy.map { (CircleIndex.Slot($0), circles[$0].centre, circles[$0].radius) })
}

/// A circle by the straight distance that stands for its radius, the peers' measure of a way that meets it.
private struct Chord {
  let centre: EarthPoint
  let squared: Double

  init(_ circle: CircleRecord) {
    // 2 R sin(r / 2R), R the mean radius of curvature at the centre.
    let sine = sin(circle.centre.latitude * .pi / 180)
    let (a, e2) = (6378137.0, 0.0066943799901413165)
    let mean = a * (1 - e2).squareRoot() / (1 - e2 * sine * sine)
    let chord = 2 * mean * sin(circle.radius / (2 * mean))
    centre = EarthPoint(circle.centre)
    squared = chord * chord
  }

  func meets(_ start: EarthPoint, _ end: EarthPoint) -> Bool {
    centre.squaredDistance(toSegmentFrom: start, to: end) <= squared
  }
}
