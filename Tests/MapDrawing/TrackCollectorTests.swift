import FencelineCivilTime
import FencelineGeodesy
import FencelineTestSupport
import Testing

@testable import FencelineMapDrawing

@Suite("Track collector") struct TrackCollectorTests {
  private let start = Coordinate(latitude: 47, longitude: 8)

  private func pieces(_ seconds: [Double], cut: Int? = nil, anew: Int? = nil) -> [Track.Piece] {
    var collector = TrackCollector()
    for (number, second) in seconds.enumerated() {
      collector.add(
        "default", Sample.time(second), start.destination(azimuth: 90, distance: Double(number) * 100),
        isCut: number == cut, isAnew: number == anew)
    }
    return collector.finish().flatMap(\.pieces)
  }

  @Test func aFewMissingFixesAreNoGap() {
    #expect(pieces([0, 1, 2, 3, 4, 20]).count == 1)
    #expect(pieces([0, 30, 60, 90, 120, 290]).count == 1)
  }

  @Test func manyUsualIntervalsAreAGap() {
    let found = pieces([0, 1, 2, 3, 4, 25, 26])
    #expect(found.map(\.followsGap) == [false, true])
    #expect(
      found.map(\.began) == [0, 25].map(Sample.time) && found.map(\.ended) == [4, 26].map(Sample.time))
  }

  @Test func fiveMinutesAreAGapForEverySource() {
    #expect(pieces([0, 300]).count == 1)
    #expect(pieces([0, 301]).count == 2)
    #expect(pieces([0, 240, 480, 720, 960, 1261]).map(\.followsGap) == [false, true])
  }

  @Test func aNewTrackFollowsAGapAndANewSessionDoesNot() {
    #expect(pieces([0, 1, 2, 3], cut: 2).map(\.followsGap) == [false, true])
    #expect(pieces([0, 1, 2, 3], anew: 2).map(\.followsGap) == [false, false])
  }

  @Test func devicesAreKeptApart() {
    var collector = TrackCollector()
    for second in 0..<10 {
      collector.add(
        second % 2 == 0 ? "a" : "b", Sample.time(Double(second)), start, isCut: false, isAnew: false)
    }
    #expect(collector.finish().map(\.device) == ["a", "b"])
  }

  @Test func aLongLogIsThinnedAndKeepsItsShape() throws {
    var collector = TrackCollector(limit: 600)
    var random = SplitMix64(seed: 5)
    var place = start
    var (azimuth, all): (Double, [Coordinate]) = (0, [])
    for second in 0..<6_000 {
      azimuth += 3 * random.normal()
      place = place.destination(azimuth: azimuth, distance: 10)
      all.append(place)
      collector.add("default", Sample.time(Double(second)), place, isCut: false, isAnew: false)
    }
    let tracks = collector.finish()
    let track = try #require(tracks.first)
    #expect(track.pieces.count == 1)
    #expect(track.count <= 600 && track.count > 100)
    let kept = try #require(track.pieces.first).points.map(EarthPoint.init)
    let extent = kept.map { $0.squaredDistance(to: kept[0]) }.max() ?? 0
    let worst = all.map(EarthPoint.init).map { point in
      zip(kept, kept.dropFirst()).map { point.squaredDistance(toSegmentFrom: $0, to: $1) }.min() ?? .infinity
    }.max()
    // A hundredth of the extent is less than ten pixels of a thousand even here, where very little is kept.
    #expect(try #require(worst) < extent / 10_000)
  }
}

@Suite("Simplification") struct SimplificationTests {
  @Test func whatIsLeftOutLiesWithinTheTolerance() {
    var failures: [UInt64] = []
    forAll(seed: 11, count: 200) { random, seed in
      let count = Int(random.uniform(3...400))
      var (x, y) = (0.0, 0.0)
      let line = (0..<count).map { _ in
        x += random.normal()
        y += random.normal()
        return Point(x: x, y: y)
      }
      let tolerance = random.uniform(0.01...5)
      let kept = simplified(line, within: tolerance) { $0.squaredDistance(toSegmentFrom: $1, to: $2) }
      let isWhole = kept.first == 0 && kept.last == count - 1 && kept == kept.sorted()
      let isClose = zip(kept, kept.dropFirst()).allSatisfy { a, b in
        (a...b).allSatisfy {
          line[$0].squaredDistance(toSegmentFrom: line[a], to: line[b]) <= tolerance * tolerance
        }
      }
      if !isWhole || !isClose { failures.append(seed) }
    }
    #expect(failures == [])
  }

  /// As in a history of single sightings: none can be left out, and looking for one each time would take minutes.
  @Test(.timeLimit(.minutes(1))) func fixesThatStandAloneAreAllKept() {
    var collector = TrackCollector(limit: 100)
    for number in 0..<60_000 {
      collector.add(
        "a", Sample.time(400 * Double(number)), Coordinate(latitude: 47 + Double(number) / 1e4, longitude: 8),
        isCut: false, isAnew: false)
    }
    #expect(collector.finish().first?.pieces.count == 60_000)
  }

  @Test func aStraightLineNeedsItsEndsAlone() {
    let line = (0...1_000).map { Point(x: Double($0), y: 2 * Double($0)) }
    #expect(simplified(line, within: 0.1) { $0.squaredDistance(toSegmentFrom: $1, to: $2) } == [0, 1_000])
  }
}
