import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelinePositioning
import FencelineSQLiteStore
import FencelineSimulation
import FencelineTestSupport
import Testing

/// How many bytes a day of a receiver at 1 Hz takes in the journal.
@Suite("Track budget") struct TrackBudgetTests {
  struct Day: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Metres from place to place, m/s, and seconds to stand after every so many.
    var block: Double
    var speed: Double
    var stops: (every: Double, for: Double)?
    /// Bytes a day at most.
    var limit: Int
  }

  private static let days = [
    Day(testDescription: "parked", block: 0, speed: 1, limit: 60_000),
    // Streets of 150 m with a corner after each, and 30 s at a red light after a minute and a half; all day.
    Day(testDescription: "city", block: 150, speed: 10, stops: (90, 30), limit: 800_000),
    Day(testDescription: "motorway", block: 5000, speed: 33, limit: 800_000),
  ]

  @Test(arguments: days) func aYearFitsInAFewHundredMegabytes(_ day: Day) throws {
    let hours = 4.0
    var random = SplitMix64(seed: 9)
    var place = Coordinate(latitude: 47, longitude: 8)
    var stops = [Journey.Stop(place)]
    var course = 0.0
    while day.block > 0, Double(stops.count) * day.block < hours * 3600 * day.speed {
      place = place.destination(azimuth: course, distance: day.block)
      stops.append(.init(place))
      course += day.block < 1000 ? (random.chance(0.5) ? 90 : -90) : random.uniform(-20...20)
    }
    var settings = SimulatedReceiver.Settings(start: time(0))
    settings.noise = 5
    settings.duration = hours * 3600
    if let stop = day.stops {
      settings.stays = (1...Int(hours * 3600 / (stop.every + stop.for))).map {
        .init(at: Double($0) * (stop.every + stop.for) - stop.for, for: stop.for)
      }
    }
    var receiver = SimulatedReceiver(on: Journey(stops, speed: day.speed), settings)
    let test = try TestJournal()
    let connection = try Connection(test.path, .write)
    func pages() throws -> Int64 { try connection.rows("PRAGMA page_count") { $0.integer(0) }[0] }
    let before = try pages()
    var store = PositionStore()
    var isFirst = true
    while let epoch = receiver.next() {
      let fix = Fix(
        time: epoch.time, coordinate: epoch.place, accuracy: Accuracy.fromSigma(epoch.sigma), altitude: 400,
        speed: epoch.speed, course: epoch.course)
      try store.store(fix, start: isFirst ? .newTrack : .continues, keep: false, in: test.journal)
      isFirst = false
    }
    let perDay = Int(try pages() - before) * 4096 * Int(24 / hours)
    let rows = try connection.rows("SELECT count(*) FROM position") { Int($0.integer(0)) }[0]
    print("\(day.testDescription): \(rows * Int(24 / hours)) positions, \(perDay) bytes a day")
    #expect(perDay <= day.limit && rows > 50)
  }
}
