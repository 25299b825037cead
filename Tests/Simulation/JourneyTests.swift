import FencelineGeodesy
import FencelineTestSupport
import Testing

@testable import FencelineSimulation

@Suite("Journey") struct JourneyTests {
  private let here = Coordinate(latitude: 47.3769, longitude: 8.5417)

  private func journey(_ random: inout SplitMix64, speed: Double, isLoop: Bool = false) -> Journey {
    var place = random.coordinate()
    var stops = [Journey.Stop(place)]
    for _ in 0..<5 {
      place = random.coordinate(within: 20_000, of: place)
      stops.append(Journey.Stop(place))
    }
    return Journey(stops, speed: speed, isLoop: isLoop)
  }

  @Test func theVehicleGoesAsFastAsAsked() {
    var bad: UInt64?
    forAll(seed: 1, count: 100) { random, seed in
      let speed = random.uniform(1...60)
      let journey = journey(&random, speed: speed)
      let time = random.uniform(0...(journey.duration - 1))
      let (start, end) = (journey.moment(at: time), journey.moment(at: time + 0.1))
      let way = start.place.distance(to: end.place)
      // Round a corner the straight way is the shorter one.
      let isStraight = start.course.flatMap { a in end.course.map { abs(a - $0) < 0.01 } } ?? false
      if way > 0.1 * speed * 1.0001 || (isStraight && way < 0.1 * speed * 0.9999) { bad = seed }
      if abs(start.speed / speed - 1) > 1e-9 { bad = seed }
    }
    #expect(bad == nil)
  }

  @Test func itsCourseLeadsToWhereItIsNext() {
    var bad: UInt64?
    forAll(seed: 2, count: 100) { random, seed in
      let start = random.coordinate(within: 4_000_000, of: Coordinate(latitude: 0, longitude: 0))
      let end = start.destination(azimuth: random.uniform(0...360), distance: random.length(10...2_000_000))
      let journey = Journey([.init(start), .init(end)], speed: 10)
      let time = random.uniform(0...1) * (journey.duration - 0.02)
      let (now, next) = (journey.moment(at: time), journey.moment(at: time + 0.01))
      let azimuth = now.place.azimuth(to: next.place)
      guard let course = now.course else { return bad = seed }
      let difference = abs(course - azimuth).truncatingRemainder(dividingBy: 360)
      if min(difference, 360 - difference) > 0.01 { bad = seed }
    }
    #expect(bad == nil)
  }

  @Test func itArrivesWhereItWasSentAndStaysThere() {
    let end = here.destination(azimuth: 70, distance: 1000)
    let journey = Journey([.init(here, altitude: 400), .init(here), .init(end, altitude: 420)], speed: 20)
    #expect(abs(journey.duration - 50) < 1e-6 && abs(journey.length - 1000) < 1e-6)
    #expect(journey.moment(at: 0).place.distance(to: here) < 1e-6)
    #expect(abs(journey.moment(at: 25).altitude - 410) < 1e-6)
    for time in [journey.duration, 51, 1e6] {
      let moment = journey.moment(at: time)
      #expect(moment.place == end && moment.speed == 0 && moment.course == nil && moment.altitude == 420)
    }
  }

  @Test func aTimetableIsKept() {
    let middle = here.destination(azimuth: 0, distance: 100)
    let journey = Journey([
      .init(here), .init(middle, seconds: 10), .init(middle, seconds: 70), .init(here, seconds: 75),
    ])
    #expect(abs(journey.moment(at: 5).speed - 10) < 1e-6)
    #expect(journey.moment(at: 40).place.distance(to: middle) < 1e-6)
    #expect(journey.moment(at: 40).speed == 0 && journey.moment(at: 40).course == nil)
    #expect(abs(journey.moment(at: 72).speed - 20) < 1e-6)
  }

  @Test func aLoopClosesAndNeverEnds() {
    var bad: UInt64?
    forAll(seed: 3, count: 50) { random, seed in
      let journey = journey(&random, speed: 15, isLoop: true)
      let time = random.uniform(0...journey.duration)
      let (first, later) = (journey.moment(at: time), journey.moment(at: time + 3 * journey.duration))
      if first.place.distance(to: later.place) > 1e-3 || !journey.isLoop { bad = seed }
      let (last, next) = (journey.moment(at: journey.duration - 0.1), journey.moment(at: journey.duration))
      if abs(last.place.distance(to: next.place) - 1.5) > 1e-3 { bad = seed }
    }
    #expect(bad == nil)
  }

  @Test func aPlaceAloneIsNoLoop() {
    let journey = Journey([.init(here)], speed: 10, isLoop: true)
    #expect(!journey.isLoop && journey.duration == 0)
    #expect(journey.moment(at: 5).place == here && journey.moment(at: 5).speed == 0)
  }
}
