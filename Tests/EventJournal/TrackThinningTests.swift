import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@Suite("Track thinning") struct TrackThinningTests {
  private static let here = Coordinate(latitude: 47, longitude: 8)

  /// A fix so many seconds after noon, so many metres to the north.
  private func fix(
    _ seconds: Double, north: Double, speed: Double? = nil, course: Double? = nil, accuracy: Double? = 3
  ) -> Fix {
    Fix(
      time: time(seconds), coordinate: Self.here.destination(azimuth: 0, distance: north), accuracy: accuracy,
      speed: speed, course: course)
  }

  /// The seconds at which fixes are stored, of some that come one after the other.
  private func stored(_ fixes: [Fix], keeping: Set<Double> = []) -> [Double] {
    var thinning = TrackThinning()
    return fixes.enumerated().flatMap { place, fix in
      thinning.take(
        fix, start: place == 0 ? .newTrack : .continues,
        keep: keeping.contains(fix.time.seconds(since: time(0))))
    }.map { $0.time.seconds(since: time(0)) }
  }

  @Test func aDriveIsStoredEveryFiveSeconds() {
    let drive = (0...30).map { fix(Double($0), north: 14 * Double($0), speed: 14, course: 0) }
    #expect(stored(drive) == [0, 5, 10, 15, 20, 25, 30])
  }

  @Test func aBendIsStoredEverySecond() {
    let bend = (0...6).map {
      fix(Double($0), north: 14 * Double($0), speed: 14, course: 350 + 16 * Double($0))
    }
    #expect(stored(bend) == [0, 1, 2, 3, 4, 5, 6])
    // Fifteen degrees count both ways, and across north; a bend within ten metres does not.
    let turns = [(0.0, 350.0), (1, 4), (2, 5), (3, 351), (4, 336)]
    #expect(stored(turns.map { fix($0.0, north: 14 * $0.0, speed: 14, course: $0.1) }) == [0, 2, 4])
    #expect(stored(turns.map { fix($0.0, north: 2 * $0.0, speed: 2, course: $0.1) }) == [0])
  }

  @Test func aWalkIsStoredEveryTenMetresAndACreepEveryMinute() {
    let walk = (0...40).map { fix(Double($0), north: 1.3 * Double($0), speed: 1.3) }
    #expect(stored(walk) == [0, 8, 16, 24, 32, 40])
    let creep = (0...130).map { fix(Double($0), north: 0.05 * Double($0), speed: 0.6) }
    #expect(stored(creep) == [0, 60, 120])
  }

  @Test func oneThatStandsIsStoredEveryFourMinutesHoweverItWanders() {
    for speed in [nil, 0.2] as [Double?] {
      let wander = (0...900).map { fix(Double($0), north: $0 % 2 == 0 ? 0 : 25, speed: speed, accuracy: 13) }
      #expect(stored(wander) == [0, 240, 480, 720])
    }
    // Of whose accuracy nothing is known, 30 m are twice of it.
    let unknown = (0...300).map { fix(Double($0), north: $0 % 2 == 0 ? 0 : 30, accuracy: nil) }
    #expect(stored(unknown) == [0, 240])
  }

  @Test func theMomentOfDepartureIsStored() {
    let stand = (0...100).map { fix(Double($0), north: 0, speed: 0) }
    let drive = (101...110).map { fix(Double($0), north: 14 * Double($0 - 100), speed: 14) }
    #expect(stored(stand + drive) == [0, 100, 101, 106])
  }

  @Test func bothEndsOfASilenceAndOfATrackAreStored() {
    let drive = [0, 1, 2, 3, 40, 41, 42].map { fix($0, north: 14 * $0, speed: 14) }
    #expect(stored(drive) == [0, 3, 40])
    var thinning = TrackThinning()
    _ = thinning.take(fix(0, north: 0), start: .newTrack, keep: false)
    _ = thinning.take(fix(1, north: 1), start: .continues, keep: false)
    for start in [TrackStart.newTrack, .newSession] {
      var thinning = thinning
      let rows = thinning.take(fix(2, north: 2), start: start, keep: false)
      #expect(rows.map(\.time) == [time(1), time(2)])
      #expect(thinning.take(fix(3, north: 3), start: .continues, keep: false) == [])
    }
  }

  @Test func whatHasHappenedIsStoredWithTheFixBeforeIt() {
    let drive = (0...8).map { fix(Double($0), north: 14 * Double($0), speed: 14) }
    #expect(stored(drive, keeping: [3, 4]) == [0, 2, 3, 4])
  }

  /// Whatever a device does, the way that is stored stays near to the one that it went, and no gap is longer than four minutes.
  @Test func theStoredWayIsNearTheTrueOne() {
    var bad: UInt64?
    forAll(seed: 5, count: 100) { random, seed in
      var (place, course, speed, clock) = (Self.here, 0.0, 10.0, 0.0)
      var all: [Fix] = []
      var kept: [Fix] = []
      var thinning = TrackThinning()
      for step in 0..<600 {
        if random.chance(0.02) { speed = random.chance(0.5) ? 0 : random.uniform(0...40) }
        if random.chance(0.1) { course = random.uniform(0...359) }
        clock += 1
        place = place.destination(azimuth: course, distance: speed)
        let fix = Fix(time: time(clock), coordinate: place, accuracy: 3, speed: speed, course: course)
        all.append(fix)
        kept += thinning.take(fix, start: step == 0 ? .newTrack : .continues, keep: false)
      }
      if zip(kept, kept.dropFirst()).contains(where: {
        $1.time.seconds(since: $0.time) > 240 || $1.time <= $0.time
      }) {
        bad = seed
      }
      for fix in all where fix.time <= kept[kept.count - 1].time {
        guard let after = kept.firstIndex(where: { $0.time >= fix.time }) else { return bad = seed }
        let (a, b) = (kept[max(0, after - 1)], kept[after])
        let way = EarthPoint(fix.coordinate).squaredDistance(
          toSegmentFrom: EarthPoint(a.coordinate), to: EarthPoint(b.coordinate))
        // A second's way may pass before a bend is seen, and ten metres before it counts.
        if way.squareRoot() > 10 + topSpeed { bad = seed }
      }
    }
    #expect(bad == nil)
  }

  /// Metres in a second.
  private let topSpeed = 40.0
}
