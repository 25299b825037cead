import FencelineCivilTime
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

/// Tracks that begin anew, sessions, the end of a region, and the order of what a fix brings about.
struct SessionTests {
  private typealias Report = Scene.Report

  @Test func aLongSegmentIsAGap() {
    let reports = [Report(0, 200), Report(1, 200), Report(301, 0), Report(302, 0), Report(303, 0)]
    #expect(
      Scene().told(reports) == ["entry at 151 by 301 observed"])
    let longer =
      (0...5).map { Report(Double($0), 200) } + [
        Report(305.001, 0), Report(306, 0), Report(307, 0), Report(308, 0),
      ]
    // Nobody saw what happened on the way: the hold of 2 s counts from its end.
    #expect(Scene().told(longer) == ["entry at 155 by 308 gap"])
  }

  @Test func aNewTrackKeepsTheState() {
    let inside = (0...10).map { Report(Double($0), 50) }
    let outside = (11...40).map { Report(Double($0), 150, track: 1) }
    // The hold of 20 s counts from the first fix of the new track.
    #expect(Scene().told(inside + outside) == ["began at 2", "exit at 10.5 by 31 gap"])
    let staying = (11...40).map { Report(Double($0), 60, track: 1) }
    #expect(Scene().told(inside + staying) == ["began at 2"])
  }

  @Test func intervalsAcrossTracksDoNotCount() {
    // Two intervals of 1 s and one of 100 s to the new track: the source is not sparse.
    let reports = [
      Report(0, 150), Report(1, 150), Report(2, 150), Report(102, 50, track: 1), Report(103, 50, track: 1),
    ]
    #expect(Scene().told(reports) == [])
  }

  @Test func aCandidateOutlivesANewTrack() {
    let reports = [
      Report(0, 150), Report(1, 150), Report(2, 50), Report(3, 50, track: 1), Report(4, 50, track: 1),
    ]
    #expect(Scene { $0.enterAfter = 0 }.told(reports) == ["entry at 1.5 by 3 observed"])
  }

  @Test func aSessionBeginsEverythingAgain() {
    let first = (1_000...1_010).map { Report(Double($0), 50) }
    let second = [Report(100, 50), Report(105, 50), Report(110, 50), Report(111, 50), Report(112, 50)]
    #expect(Scene().told(first + second) == ["began at 1002", "session at 1010", "began at 112"])
    let outside = [
      Report(100, 150), Report(105, 150), Report(110, 150), Report(111, 50), Report(112, 50), Report(113, 50),
    ]
    #expect(
      Scene().told(first + outside) == ["began at 1002", "session at 1010", "entry at 110.5 by 113 observed"])
  }

  @Test func aVisitEndsWithItsRegion() {
    let scene = Scene {
      $0.expires = Timestamp(milliseconds: 20_500)
      $0.dwell = [10, 30]
    }
    let reports = (0...5).map { Report(Double($0), 150) } + (6...40).map { Report(Double($0), 50) }
    #expect(
      scene.told(reports) == [
        "entry at 5.5 by 8 observed", "dwell at 15.5 by 16 observed", "expired at 20.5",
      ])
    // Later fixes bring nothing about, and the fix at the very end is one of them.
    let late = (20...60).map { Report(Double($0) + 0.5, Double($0 * 40 % 300) - 150) }
    #expect(scene.told(late) == [])
  }

  @Test func aRegionThatHasEndedIsNotEntered() {
    let scene = Scene(.exact) { $0.expires = Timestamp(milliseconds: 5_000) }
    #expect(scene.told([Report(0, 150), Report(4.999, 0)]).map { $0.prefix(5) } == ["entry"])
    #expect(scene.told([Report(0, 150), Report(5, 0)]) == [])
    #expect(scene.told([Report(0, 150), Report(6, -150)]) == [])
  }

  @Test func disabledRegionsAreNotWatched() {
    let scene = Scene(.exact) { $0.isEnabled = false }
    #expect(scene.told([Report(0, 150), Report(1, 0)]) == [])
    #expect(RegionSet([scene.region]).count == 0)
  }

  @Test func regionsAreForTheDevicesThatTheyName() {
    func found(_ device: String, _ globs: [String]) -> Int {
      let region = Scene(.exact) { $0.devices = globs }.region
      return crossings(
        [Report(0, 150), Report(1, 0)].map { report in
          var fix = report.fix
          fix.device = device
          return fix
        }, [region]
      ).count
    }
    #expect(found("phone", ["phone"]) == 1)
    #expect(found("phone2", ["phone"]) == 0)
    #expect(found("phone2", ["phone?"]) == 1)
    #expect(found("Phone", ["phone*"]) == 0)
    #expect(found("van-7", ["car*", "van-[0-9]"]) == 1)
    #expect(found("van-x", ["car*", "van-[0-9]"]) == 0)
    #expect(found("anything", ["x", "*"]) == 1)
  }

  @Test func whatOneFixBringsAboutStandsInOrder() {
    // Nested circles, left and entered by the same two fixes, in the order of the way; the same time by identifier.
    func region(_ id: String, _ north: Double, _ radius: Double) -> Region {
      var region = Region(
        id: id, centre: Scene.centre.destination(azimuth: 0, distance: north), radius: radius)
      region.profile = .exact
      region.dwell = [5]
      return region
    }
    let regions = [
      region("z", 0, 100), region("b", 0, 50), region("a", 0, 100), region("next", 300, 200),
      region("c", 300, 200),
    ]
    let fixes = [Report(0, -10), Report(1, 0), Report(10, 0), Report(20, 400)].map(\.fix)
    let told = crossings(fixes, regions).map { "\($0.kind) \($0.region) \(Scene.tenths($0.at))" }
    #expect(
      told == [
        "dwell a 5", "dwell b 5", "dwell z 5",
        "exit b 11.3", "exit a 12.5", "exit z 12.5", "entry c 12.5", "entry next 12.5",
        "dwell c 17.5", "dwell next 17.5",
      ])
  }

  @Test func anUpdatedRegionTakesThePlaceOfTheOldOne() {
    var regions = RegionSet([Scene().region])
    #expect(regions.count == 1)
    regions.put([.init(Scene(radius: 200).region)])
    #expect(regions.count == 1)
    regions.remove("other")
    #expect(regions.count == 1)
    regions.remove("r")
    #expect(regions.count == 0)
  }
}
