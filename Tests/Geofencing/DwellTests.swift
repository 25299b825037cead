import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

/// Visits that last as long as was asked for.
struct DwellTests {
  private typealias Report = Scene.Report

  private func scene(_ dwell: [Double], _ profile: Profile = .balanced) -> Scene {
    Scene(profile) { $0.dwell = dwell }
  }

  /// In at 9.5, out at 59.5.
  private let stay: [Report] =
    (0...9).map { Report(Double($0), 150) } + (10...59).map { Report(Double($0), 50) }
    + (60...90).map { Report(Double($0), 150) }

  @Test func eachThresholdFiresOnceAtTheFirstFixThere() {
    #expect(
      scene([20, 5]).told(stay) == [
        "entry at 9.5 by 12 observed", "dwell at 14.5 by 15 observed", "dwell at 29.5 by 30 observed",
        "exit at 59.5 by 80 observed",
      ])
    let dwell = scene([5]).outcomes(stay).crossings[1]
    #expect(dwell.earliest == dwell.at && dwell.latest == dwell.at)
    #expect(dwell.notify)
    #expect(dwell.coordinate == Report(15, 50).fix.coordinate)
  }

  @Test func aThresholdBeforeTheConfirmationFiresWithIt() {
    #expect(
      scene([1]).told(stay) == [
        "entry at 9.5 by 12 observed", "dwell at 10.5 by 12 observed", "exit at 59.5 by 80 observed",
      ])
  }

  @Test func anExitFiresWhatItsOwnTimeHasReached() {
    // Fixes are 20 s apart from 40 on; the visit lasts from 9.5 to 65.
    let reports =
      (0...9).map { Report(Double($0), 150) } + [
        Report(10, 50), Report(11, 50), Report(12, 50), Report(40, 50),
      ]
      + [Report(60, 50), Report(70, 150), Report(80, 150), Report(90, 150), Report(100, 150)]
    #expect(
      scene([55]).told(reports).dropFirst() == ["dwell at 64.5 by 90 observed", "exit at 65 by 90 observed"])
    #expect(scene([56]).told(reports).dropFirst() == ["exit at 65 by 90 observed"])
  }

  @Test func aThresholdWaitsWhileTheDeviceIsBeyondThePerimeter() {
    // Reached at 29.5, while the fixes are in the band; told by the first one within the perimeter.
    let reports =
      (0...9).map { Report(Double($0), 150) } + (10...25).map { Report(Double($0), 50) }
      + (26...40).map { Report(Double($0), 105) } + [Report(41, 99)]
    #expect(scene([20]).told(reports) == ["entry at 9.5 by 12 observed", "dwell at 29.5 by 41 observed"])
  }

  @Test func eachVisitHasItsOwn() {
    let again = stay + stay.map { Report($0.seconds + 91, $0.north) }
    #expect(
      scene([30]).told(again).filter { $0.hasPrefix("dwell") } == [
        "dwell at 39.5 by 40 observed", "dwell at 130.5 by 131 observed",
      ])
  }

  @Test func theClockStartsAtTheConfirmingFixWhereTheStateWasUnknown() {
    let reports = (0...40).map { Report(Double($0), 50) }
    #expect(scene([10]).told(reports) == ["began at 2", "dwell at 12 by 12 observed"])
    #expect(scene([10], .exact).told(reports) == ["began at 0", "dwell at 10 by 10 observed"])
  }

  @Test func acrossAGapTheClockStartsAtItsEnd() {
    let reports = (0...5).map { Report(Double($0), 150) } + (400...440).map { Report(Double($0), 50) }
    #expect(scene([10]).told(reports) == ["entry at 202.5 by 402 gap", "dwell at 410 by 410 observed"])
  }

  @Test func acrossAGapItStopsAtItsBeginning() {
    let reports =
      [Report(0, 150), Report(1, 150)] + (2...40).map { Report(Double($0), 50) }
      + (500...560).map { Report(Double($0), 150) }
    let told = scene([37, 39, 100]).told(reports)
    #expect(told == ["entry at 1.5 by 4 observed", "dwell at 38.5 by 39 observed", "exit at 270 by 520 gap"])
  }

  @Test func aPassHasNone() {
    #expect(
      scene([1]).told([Report(0, 300), Report(1, 250), Report(2, 200), Report(22, -200)]).map { $0.prefix(5) }
        == ["entry", "exit "])
  }
}
