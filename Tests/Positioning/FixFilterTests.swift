import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

/// A fix of a test: seconds, metres to the east of a fixed point, and what else is known.
struct Report {
  static let origin = Coordinate(latitude: 47, longitude: 8)

  var seconds: Double
  var east: Double
  var accuracy: Double? = 3
  var speed: Double?
  var track: Int32 = 0

  init(_ seconds: Double, _ east: Double, accuracy: Double? = 3, speed: Double? = nil, track: Int32 = 0) {
    (self.seconds, self.east, self.accuracy, self.speed, self.track) = (seconds, east, accuracy, speed, track)
  }

  var fix: Fix {
    Fix(
      time: Timestamp(rounding: seconds * 1000),
      coordinate: Report.origin.destination(azimuth: 90, distance: east),
      accuracy: accuracy, speed: speed, track: track)
  }
}

/// The verdicts on fixes, in one word each.
private func verdicts(_ fixes: [Fix], _ settings: FixFilter.Settings = .init()) -> [String] {
  var filter = FixFilter()
  return fixes.map { fix in
    switch filter.judge(fix, settings) {
    case .accepted(.continues): "continues"
    case .accepted(.newTrack): "track"
    case .accepted(.newSession): "session"
    case .rejected(let reason): reason.rawValue
    }
  }
}

private func verdicts(_ reports: [Report], _ settings: FixFilter.Settings = .init()) -> [String] {
  verdicts(reports.map(\.fix), settings)
}

struct FixFilterTests {
  @Test(
    arguments: [
      (91, 0), (-90.0001, 0), (0, 180.0001), (0, -181), (.nan, 0), (1, .nan), (.infinity, 0), (1, -.infinity),
      (0, 0),
      (-0.0, 0),
    ] as [(Double, Double)])
  func whatIsNoPlaceIsInvalid(_ latitude: Double, _ longitude: Double) {
    let fix = Fix(
      time: Timestamp(milliseconds: 0), coordinate: Coordinate(latitude: latitude, longitude: longitude))
    #expect(verdicts([fix]) == ["invalid"])
  }

  @Test(arguments: [(0, 1e-9), (1e-9, 0), (90, 0), (-90, 180), (0, 180), (0, -180)] as [(Double, Double)])
  func everyOtherPlaceIsAccepted(_ latitude: Double, _ longitude: Double) {
    let fix = Fix(
      time: Timestamp(milliseconds: 0), coordinate: Coordinate(latitude: latitude, longitude: longitude))
    #expect(verdicts([fix]) == ["track"])
  }

  @Test func anAccuracyBeyondTheLimitIsCoarse() {
    #expect(verdicts([Report(0, 0, accuracy: 499.9), Report(1, 0, accuracy: 500.1)]) == ["track", "coarse"])
    #expect(verdicts([Report(0, 0, accuracy: 499.9)], .init(maxAccuracy: 499)) == ["coarse"])
    // An unknown accuracy counts as 15.1 m, and none as better than 3.02 m.
    #expect(verdicts([Report(0, 0, accuracy: nil)], .init(maxAccuracy: 15)) == ["coarse"])
    #expect(verdicts([Report(0, 0, accuracy: 1)], .init(maxAccuracy: 3)) == ["coarse"])
  }

  @Test func aCoarseFixLeavesNoTrace() {
    #expect(
      verdicts([Report(0, 0), Report(1, 50_000, accuracy: 600), Report(1, 20), Report(0.5, 0, accuracy: 600)])
        == ["track", "coarse", "continues", "coarse"])
  }

  @Test func theTimeOfTheLastAcceptedFixIsADuplicate() {
    #expect(
      verdicts([Report(0, 0), Report(0, 0), Report(0, 90_000), Report(0.001, 0), Report(0, 0)])
        == ["track", "duplicate", "duplicate", "continues", "late"])
  }

  @Test func theTopSpeedCounts() {
    // 3 m of accuracy are 2 m of sigma on either side: 8 m are forgiven.
    #expect(verdicts([Report(0, 0), Report(10, 1_507.9)]) == ["track", "continues"])
    #expect(verdicts([Report(0, 0), Report(10, 1_508.1)]) == ["track", "jump"])
    #expect(verdicts([Report(0, 0), Report(10, 107.9)], .init(maxSpeed: 10)) == ["track", "continues"])
    #expect(verdicts([Report(0, 0), Report(10, 108.1)], .init(maxSpeed: 10)) == ["track", "jump"])
  }

  @Test func whatTheFixesMayBeWrongByIsForgiven() {
    // Accuracies of 150.96 m and 15.096 m are 100 m and 10 m of sigma.
    #expect(
      verdicts([Report(0, 0, accuracy: 150.96), Report(1, 369.9, accuracy: nil)]) == ["track", "continues"])
    #expect(
      verdicts([Report(0, 0, accuracy: 150.96), Report(1, 370.1, accuracy: nil)]) == ["track", "jump"])
  }

  @Test func lessThanATenthOfASecondCountsAsOne() {
    #expect(verdicts([Report(0, 0), Report(0.001, 22.9)]) == ["track", "continues"])
    #expect(verdicts([Report(0, 0), Report(0.001, 23.1)]) == ["track", "jump"])
    #expect(verdicts([Report(0, 0), Report(0.2, 37.9)]) == ["track", "continues"])
  }

  @Test func theFixesOwnSpeedRaisesTheLimit() {
    // 300 m/s, as the faster of two fixes says, allow 450 m/s.
    #expect(verdicts([Report(0, 0, speed: 300), Report(1, 457.9)]) == ["track", "continues"])
    #expect(verdicts([Report(0, 0), Report(1, 457.9, speed: 300)]) == ["track", "continues"])
    #expect(verdicts([Report(0, 0, speed: 200), Report(1, 458.1, speed: 300)]) == ["track", "jump"])
    // 90 m/s allow 135 m/s, which is less than the top speed.
    #expect(verdicts([Report(0, 0, speed: 90), Report(1, 157.9, speed: 90)]) == ["track", "continues"])
  }

  @Test(arguments: [.nan, .infinity, -50] as [Double])
  func aSpeedThatIsNoneAllowsNothing(_ speed: Double) {
    #expect(verdicts([Report(0, 0, speed: speed), Report(1, 400)]) == ["track", "jump"])
    #expect(verdicts([Report(0, 0), Report(1, 100, speed: speed)]) == ["track", "continues"])
  }

  @Test func oneGlitchChangesNothing() {
    #expect(
      verdicts([Report(0, 0), Report(1, 80_000), Report(2, 10), Report(3, 20)])
        == ["track", "jump", "continues", "continues"])
  }

  @Test func oneWildTimeChangesNothing() {
    #expect(
      verdicts([Report(1_000, 0), Report(2, 0), Report(1_001, 10), Report(1_002, 20)])
        == ["track", "late", "continues", "continues"])
    // A wild time in the future is accepted; three fixes over ten seconds overrule it.
    #expect(
      verdicts([Report(0, 0), Report(90_000, 0), Report(1, 0), Report(6, 0), Report(11, 0), Report(12, 0)])
        == ["track", "continues", "late", "late", "session", "continues"])
  }

  @Test func threeSuspectsOverTenSecondsAreANewTrack() {
    #expect(
      verdicts([Report(0, 0), Report(1, 80_000), Report(6, 80_010), Report(11, 80_020), Report(12, 80_030)])
        == ["track", "jump", "jump", "track", "continues"])
    // Ten seconds less a millisecond are not enough.
    #expect(
      verdicts([
        Report(0, 0), Report(1, 80_000), Report(6, 80_010), Report(10.999, 80_020), Report(11, 80_020),
      ])
        == ["track", "jump", "jump", "jump", "track"])
    // Nor are two of them.
    #expect(
      verdicts([Report(0, 0), Report(1, 80_000), Report(30, 80_010), Report(31, 80_010)])
        == ["track", "jump", "jump", "track"])
  }

  @Test func lateAndJumpedFixesTogetherMakeASession() {
    #expect(
      verdicts([Report(1_000, 0), Report(100, 90_000), Report(105, 90_000), Report(110, 90_000)])
        == ["track", "late", "late", "session"])
    // The last of them is not earlier than the last accepted fix: a new track.
    #expect(
      verdicts([Report(1_000, 0), Report(990, 90_000), Report(995, 90_000), Report(1_001, 90_000)])
        == ["track", "late", "late", "track"])
  }

  @Test func theTimeOfTheNewestSuspectIsADuplicate() {
    #expect(
      verdicts([
        Report(0, 0), Report(1, 80_000), Report(1, 80_000), Report(6, 80_000), Report(6, 80_000),
        Report(11, 80_000),
      ]) == ["track", "jump", "duplicate", "jump", "duplicate", "track"])
    // A fix that counts is none, whichever time a suspect had.
    #expect(verdicts([Report(0, 0), Report(1, 80_000), Report(1, 10)]) == ["track", "jump", "continues"])
  }

  @Test func suspectsThatDoNotFollowStartAnew() {
    // The third is too far from the second: its list begins with it.
    #expect(
      verdicts([
        Report(0, 0), Report(1, 80_000), Report(6, 80_000), Report(11, 200_000), Report(16, 200_000),
        Report(20, 200_000), Report(21, 200_000),
      ]) == ["track", "jump", "jump", "jump", "jump", "jump", "track"])
    // The third is earlier than the second.
    #expect(
      verdicts([
        Report(1_000, 0), Report(100, 0), Report(105, 0), Report(90, 0), Report(95, 0), Report(100, 0),
      ]) == ["track", "late", "late", "late", "late", "session"])
  }

  @Test func anAcceptedFixEmptiesTheSuspects() {
    #expect(
      verdicts([
        Report(0, 0), Report(1, 80_000), Report(6, 80_000), Report(7, 0), Report(11, 80_000),
        Report(16, 80_000),
        Report(21, 80_000),
      ]) == ["track", "jump", "jump", "continues", "jump", "jump", "track"])
  }

  @Test func aFixNearerToTheSuspectIsAJump() {
    // 2,000 m in 20 s would be believed, but the suspect lies at 3,500 m.
    #expect(
      verdicts([Report(0, 0), Report(1, 3_500), Report(20, 2_000)]) == ["track", "jump", "jump"])
    #expect(
      verdicts([Report(0, 0), Report(1, 3_500), Report(20, 1_700)]) == ["track", "jump", "continues"])
  }

  @Test func aNewPieceOfTrackStartsANewTrack() {
    #expect(
      verdicts([Report(0, 0), Report(1, 10, track: 1), Report(2, 20, track: 1), Report(3, 30, track: 2)])
        == ["track", "track", "continues", "track"])
    // It has to be plausible all the same.
    #expect(verdicts([Report(0, 0), Report(1, 80_000, track: 1)]) == ["track", "jump"])
    #expect(verdicts([Report(1, 0), Report(0, 0, track: 1)]) == ["track", "late"])
  }

  @Test func everyFixIsAcceptedOrCountedAndNoDeviceIsBlocked() {
    forAll(seed: 19, count: 300) { random, seed in
      var filter = FixFilter()
      var (time, east, sinceAccepted) = (0.0, 0.0, 0.0)
      for _ in 0..<200 {
        let step = random.uniform(0.5...5)
        time += random.chance(0.01) ? random.uniform(-5_000...5_000) : step
        east += random.chance(0.02) ? random.uniform(-1e5...1e5) : random.uniform(-100...100)
        sinceAccepted += step
        if case .accepted = filter.judge(Report(time, east).fix, .init()) { sinceAccepted = 0 }
        // Each wild value may cost a list of suspects: ten seconds and two fixes, and two lists may follow each other.
        guard sinceAccepted < 100 else {
          Issue.record("seed \(seed): nothing accepted for \(sinceAccepted) s")
          return
        }
      }
    }
  }

  @Test(arguments: [1e308, .infinity, 5000 / 3.6, 600.1])
  func aSpeedThatCannotBeExcusesNoJump(_ speed: Double) {
    #expect(verdicts([Report(0, 0), Report(1, 700, speed: speed)]) == ["track", "jump"])
    #expect(verdicts([Report(0, 0, speed: speed), Report(1, 700)]) == ["track", "jump"])
    // A limit that is above it holds as before.
    #expect(
      verdicts([Report(0, 0), Report(1, 700, speed: speed)], .init(maxSpeed: 1000)) == ["track", "continues"])
  }

  @Test func aSpeedThatCanBeDoes() {
    #expect(verdicts([Report(0, 0), Report(1, 880, speed: 600)]) == ["track", "continues"])
  }
}
