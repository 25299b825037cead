import FencelineGeofencing
import FencelineTestSupport
import Testing

/// A device that runs through a region between two fixes.
struct PassTests {
  private typealias Report = Scene.Report

  /// Dense fixes outside, then one on either side of the centre, so many seconds apart, at so many metres.
  private func throughTheCentre(_ seconds: Double, _ metres: Double, accuracy: Double = 3) -> [Report] {
    [
      Report(0, metres + 20, accuracy: accuracy), Report(1, metres + 10, accuracy: accuracy),
      Report(2, metres, accuracy: accuracy), Report(2 + seconds, -metres, accuracy: accuracy),
    ]
  }

  @Test func aWayThroughTheMiddleIsAPass() {
    #expect(
      Scene().told(throughTheCentre(10, 200)) == ["entry at 4.5 by 12 pass", "exit at 9.5 by 12 pass"])
    let crossings = Scene().outcomes(throughTheCentre(10, 200)).crossings
    #expect(crossings.map(\.earliest).map(Scene.tenths) == ["2", "2"])
    #expect(crossings.map(\.latest).map(Scene.tenths) == ["12", "12"])
  }

  @Test func theStayMustLastAsLongAsTheEntryHold() {
    // 200 of 400 m lie inside: half of the time.
    #expect(Scene().told(throughTheCentre(3.9, 200)) == [])
    #expect(Scene().told(throughTheCentre(4.1, 200)).count == 2)
    #expect(Scene(.fast).told(throughTheCentre(3, 200)).count == 2)
    #expect(Scene { $0.enterAfter = 6 }.told(throughTheCentre(11.9, 200)) == [])
    #expect(Scene { $0.enterAfter = 6 }.told(throughTheCentre(12.1, 200)).count == 2)
    // A stay of less than a millisecond is none, whatever is asked for.
    #expect(Scene(.exact).told([Report(0, 9, east: 100.001), Report(1, -9, east: 100.001)]) == [])
    #expect(Scene(.exact).told([Report(0, 9, east: 99.999), Report(1, -9, east: 99.999)]).count == 2)
    #expect(Scene(.exact).told([Report(0, 99, east: 99.99999999), Report(1, -99, east: 99.99999999)]) == [])
  }

  @Test func aSparseSourceDoesNotWaiveTheStay() {
    let reports = [Report(0, 3_000), Report(20, 2_000), Report(40, 1_000), Report(60, -1_000)]
    #expect(Scene { $0.enterAfter = 1.9 }.told(reports).count == 2)
    #expect(Scene { $0.enterAfter = 2.1 }.told(reports) == [])
  }

  @Test func twoMinutesAreTheLimit() {
    #expect(Scene().told(throughTheCentre(120, 200)).count == 2)
    #expect(Scene().told(throughTheCentre(120.001, 200)) == [])
  }

  @Test func theWayMustComeCloseEnough() {
    // Along the east side: within the perimeter less one sigma of 2 m.
    func past(_ east: Double) -> [Report] {
      [
        Report(0, 1_000, east: east), Report(1, 900, east: east), Report(6, 500, east: east),
        Report(16, -500, east: east),
      ]
    }
    #expect(Scene { $0.enterAfter = 0 }.told(past(97.9)).count == 2)
    #expect(Scene { $0.enterAfter = 0 }.told(past(98.1)) == [])
  }

  @Test func theLargerSigmaOfBothCounts() {
    func past(_ first: Double, _ second: Double) -> [Report] {
      [
        Report(0, 600, east: 93), Report(1, 500, east: 93, accuracy: first),
        Report(11, -500, east: 93, accuracy: second),
      ]
    }
    #expect(Scene { $0.enterAfter = 0 }.told(past(3, 3)).count == 2)
    #expect(Scene { $0.enterAfter = 0 }.told(past(15.1, 3)) == [])
    #expect(Scene { $0.enterAfter = 0 }.told(past(3, 15.1)) == [])
  }

  @Test func bothFixesMustBeGoodEnough() {
    let scene = Scene(radius: 40)
    func reports(_ first: Double, _ second: Double) -> [Report] {
      [Report(0, 500), Report(1, 450), Report(2, 400, accuracy: first), Report(32, -400, accuracy: second)]
    }
    // 80 m are the diameter, which is less than the gate of 100 m.
    #expect(scene.told(reports(79.9, 79.9)).count == 2)
    #expect(scene.told(reports(80.1, 3)) == [])
    #expect(scene.told(reports(3, 80.1)) == [])
  }

  @Test func theClosestPointMustLieBetweenTheFixes() {
    // Straight away from the perimeter, and along a line that would have met the circle earlier.
    #expect(Scene(.exact).told([Report(0, 110), Report(1, 150), Report(2, 200)]) == [])
    #expect(Scene(.exact).told([Report(0, -101), Report(1, -150)]) == [])
  }

  @Test func onlyADeviceThatIsOutsideMayPass() {
    // Unknown before: both fixes in the band, and not clear.
    #expect(Scene().told([Report(0, 110), Report(5, -110)]) == [])
    // Inside before: the fix on the other side is no pass.
    #expect(
      Scene().told([Report(0, 0), Report(1, 0), Report(3, 0), Report(8, 110), Report(16, -110)]) == [
        "began at 3"
      ])
  }

  @Test func noPassOnTheWayToANewTrack() {
    let reports = throughTheCentre(10, 200).map {
      Report($0.seconds, $0.north, track: $0.seconds > 2 ? 1 : 0)
    }
    #expect(Scene().told(reports) == [])
  }

  @Test func anEntryThatIsCancelledWasAPass() {
    // 600 m in 12 s; one fix is inside, the next one clear again before the entry is confirmed.
    let reports = [
      Report(0, 500), Report(1, 450), Report(2, 400), Report(8, 50), Report(10, -250), Report(11, -300),
    ]
    #expect(Scene { $0.enterAfter = 3 }.told(reports) == [])
    let slow = [
      Report(0, 500), Report(1, 450), Report(2, 400), Report(8, 50), Report(14, -250), Report(15, -300),
    ]
    #expect(Scene { $0.enterAfter = 3 }.told(slow) == ["entry at 7.1 by 14 pass", "exit at 11 by 14 pass"])
  }

  @Test func acrossAGapOnlyWhatWasSeenCounts() {
    // In across a gap of 400 s, seen inside at 402, out again across another one: the stay may have been short.
    let gaps = [Report(0, 400), Report(1, 400), Report(2, 400), Report(402, 0), Report(900, -400)]
    #expect(Scene { $0.enterAfter = 10 }.told(gaps) == [])
    // With a way out that was seen, the stay counts from the end of the segment in.
    let seen = [
      Report(0, 400), Report(1, 400), Report(2, 400), Report(402, 90), Report(407, 0), Report(427, -400),
    ]
    #expect(
      Scene { $0.enterAfter = 9 }.told(seen) == ["entry at 389.1 by 427 pass", "exit at 412 by 427 pass"])
    #expect(Scene { $0.enterAfter = 11 }.told(seen) == [])
  }
}
