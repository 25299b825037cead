import FencelineCivilTime
import FencelineGeodesy
import FencelineGeofencing
import FencelineTestSupport
import Testing

/// How evidence becomes an entry or an exit.
struct ConfirmationTests {
  private typealias Report = Scene.Report

  /// A fix each second from outside, then inside from 10 on; the perimeter is met at 9.5.
  private func arrival(_ until: Int) -> [Report] {
    (0...9).map { Report(Double($0), 150) } + (10...until).map { Report(Double($0), 50) }
  }

  /// The same the other way round.
  private func departure(_ until: Int) -> [Report] {
    (0...19).map { Report(Double($0), 50) } + (20..<until + 1).map { Report(Double($0), 150) }
  }

  @Test(
    arguments: [(.exact, 10), (.fast, 10), (.balanced, 12), (.steady, 15)] as [(Profile, Int)])
  func anEntryNeedsItsFixesAndItsHold(_ profile: Profile, _ confirmed: Int) {
    if confirmed > 10 { #expect(Scene(profile).told(arrival(confirmed - 1)) == []) }
    #expect(Scene(profile).told(arrival(confirmed)) == ["entry at 9.5 by \(confirmed) observed"])
    #expect(Scene(profile).told(arrival(confirmed + 30)) == ["entry at 9.5 by \(confirmed) observed"])
  }

  @Test(
    arguments: [(.exact, 20), (.fast, 20), (.balanced, 40), (.steady, 50)] as [(Profile, Int)])
  func anExitNeedsItsFixesAndItsHold(_ profile: Profile, _ confirmed: Int) {
    let scene = Scene(profile)
    #expect(scene.told(departure(confirmed - 1)).filter { $0.hasPrefix("exit") } == [])
    #expect(scene.told(departure(confirmed)).last == "exit at 19.5 by \(confirmed) observed")
    #expect(scene.told(departure(confirmed + 60)).last == "exit at 19.5 by \(confirmed) observed")
  }

  @Test func theFixesCountEvenWhereTheHoldIsLong() {
    // Two fixes 6 s after the perimeter, then the second one counts.
    let reports = [Report(0, 150), Report(1, 150), Report(12, 60), Report(18, 50)]
    #expect(Scene().told(Array(reports.prefix(3))) == [])
    #expect(Scene().told(reports).map { $0.hasSuffix("by 18 observed") } == [true])
  }

  @Test func evidenceForTheOldStateClearsTheCandidate() {
    let scene = Scene(.steady)
    // Three fixes outside of five, then inside again: no exit, and the count starts anew.
    let reports =
      (0...19).map { Report(Double($0), 50) } + [
        Report(25, 150), Report(30, 150), Report(35, 150), Report(40, 50),
      ]
      + [Report(45, 150), Report(55, 150), Report(65, 150), Report(75, 150), Report(85, 150)]
    #expect(scene.told(reports).dropFirst() == ["exit at 42.5 by 85 observed"])
  }

  @Test func fixesInTheBandChangeNothing() {
    let scene = Scene()
    let inside =
      (0...30).map { Report(Double($0), 50) }
      + (31...300).map { Report(Double($0), $0.isMultiple(of: 2) ? 97 : 114) }
    #expect(scene.told(inside) == ["began at 2"])
    let outside =
      (0...30).map { Report(Double($0), 150) }
      + (31...300).map { Report(Double($0), $0.isMultiple(of: 2) ? 99 : 114) }
    #expect(scene.told(outside) == [])
  }

  @Test func aNewMeetingStartsTheCountAnew() {
    // Out at 20, back inside the perimeter without inside evidence at 25, out again at 30: the hold counts from there.
    let reports =
      (0...19).map { Report(Double($0), 50) } + (20...24).map { Report(Double($0), 150) } + [Report(25, 99)]
      + (26...60).map { Report(Double($0), 150) }
    #expect(Scene().told(reports).dropFirst() == ["exit at 25 by 46 observed"])
  }

  @Test func theTimeOfTheMeetingIsThatOfTheStraightWay() {
    let outcomes = Scene(.exact).outcomes([Report(0, 300), Report(10, 200), Report(20, 0), Report(40, -400)])
    let found = outcomes.crossings
    #expect(found.map(\.kind) == [.entry, .exit])
    #expect(found.map(\.at.milliseconds) == [15_000, 25_000])
    #expect(found.map(\.earliest.milliseconds) == [10_000, 20_000])
    #expect(found.map(\.latest.milliseconds) == [20_000, 40_000])
    #expect(found.map(\.confirmedAt.milliseconds) == [20_000, 40_000])
    for crossing in found { #expect(abs(crossing.coordinate.distance(to: Scene.centre) - 100) < 1e-6) }
    #expect(found[0].coordinate.latitude > Scene.centre.latitude)
    #expect(found[1].coordinate.latitude < Scene.centre.latitude)
  }

  @Test func aFirstFixInsideIsAVisitWithoutAnEntry() {
    let reports = (0...5).map { Report(Double($0), 50) }
    #expect(Scene().told(reports) == ["began at 2"])
    #expect(Scene(.exact).told(reports) == ["began at 0"])
    #expect(Scene(.exact) { $0.initial = .entry }.told(reports) == ["entry at 0 by 0 initial"])
    #expect(Scene { $0.initial = .entry }.told(reports) == ["entry at 2 by 2 initial"])
  }

  @Test func aFirstFixOutsideIsSilent() {
    #expect(Scene(.exact) { $0.initial = .entry }.told([Report(0, 150), Report(1, 150)]) == [])
  }

  @Test func anUnknownStateThatNoFixClearsStaysUnknown() {
    // In the band first, then inside: the state was never outside, so there is no entry.
    let reports = [
      Report(0, 105), Report(1, 105), Report(2, 50), Report(3, 50), Report(4, 50), Report(5, 50),
    ]
    #expect(Scene().told(reports) == ["began at 4"])
    // Too coarse to say anything at first.
    let coarse = [Report(0, 250, accuracy: 200), Report(1, 50), Report(2, 50), Report(3, 50)]
    #expect(Scene().told(coarse) == ["began at 3"])
  }

  @Test func aSparseSourceNeedsLess() {
    let reports = [
      Report(0, 150), Report(20, 150), Report(40, 50), Report(60, 50), Report(80, 150), Report(100, 150),
    ]
    #expect(Scene().told(reports) == ["entry at 30 by 40 observed", "exit at 70 by 100 observed"])
    #expect(Scene(.steady).told(reports) == ["entry at 30 by 40 observed", "exit at 70 by 100 observed"])
    // A second less between the fixes, and the profile's rules hold.
    let dense = reports.map { Report($0.seconds * 0.95, $0.north) }
    #expect(Scene().told(dense) == ["entry at 28.5 by 57 observed"])
  }

  @Test func theMedianOfFiveIntervalsDecides() {
    // Intervals of 1 s, then ever more of 30 s: with the third of five the source is sparse.
    let lead = (0...5).map { Report(Double($0), 150) }
    #expect(Scene().told(lead + [Report(35, 150), Report(65, 50)]) == [])
    #expect(
      Scene().told(lead + [Report(35, 150), Report(65, 150), Report(95, 50)]) == [
        "entry at 80 by 95 observed"
      ])
    // Of an even number the mean of the middle two: 10 and 30 make 20.
    #expect(
      Scene().told([Report(0, 150), Report(10, 150), Report(40, 50)]) == ["entry at 25 by 40 observed"])
    #expect(Scene().told([Report(0, 150), Report(9, 150), Report(39, 50)]) == [])
  }

  @Test func anOwnHoldHoldsForSparseSourcesToo() {
    let reports = [
      Report(0, 150), Report(20, 150), Report(40, 50), Report(60, 50), Report(80, 50), Report(100, 50),
    ]
    #expect(Scene { $0.enterAfter = 45 }.told(reports) == ["entry at 30 by 80 observed"])
    #expect(Scene { $0.enterAfter = 0 }.told(reports) == ["entry at 30 by 40 observed"])
    let leaving = [
      Report(0, 50), Report(20, 50), Report(40, 150), Report(60, 150), Report(80, 150), Report(100, 150),
      Report(120, 150),
    ]
    #expect(Scene { $0.exitAfter = 60 }.told(leaving) == ["began at 20", "exit at 30 by 100 observed"])
  }

  @Test func ownHoldsReplaceTheProfiles() {
    #expect(Scene { $0.enterAfter = 8 }.told(arrival(40)) == ["entry at 9.5 by 18 observed"])
    #expect(Scene { $0.enterAfter = 0 }.told(arrival(40)) == ["entry at 9.5 by 11 observed"])
    #expect(Scene { $0.exitAfter = 5 }.told(departure(80)).last == "exit at 19.5 by 25 observed")
    #expect(Scene { $0.exitAfter = 0 }.told(departure(80)).last == "exit at 19.5 by 22 observed")
  }

  @Test func notificationsAreWantedByKind() {
    let reports = [Report(0, 150), Report(10, 0), Report(20, -150)]
    func wanted(_ change: (inout Region) -> Void) -> [Bool] {
      Scene(.exact, change).outcomes(reports).crossings.map(\.notify)
    }
    #expect(wanted { _ in } == [true, true])
    #expect(wanted { $0.notifyOnEntry = false } == [false, true])
    #expect(wanted { $0.notifyOnExit = false } == [true, false])
    #expect(wanted { ($0.notifyOnEntry, $0.dwell) = (false, [1]) } == [false, true, true])
  }
}
