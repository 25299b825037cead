import FencelineCivilTime
import FencelineDecisions
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

/// What only happens live: time that passes without fixes, clocks, and regions that change meanwhile.
struct LiveTests {
  private static let region = Scene(.exact) { $0.dwell = [30, 100, 500] }.region

  private typealias Report = Scene.Report

  private func told(_ outcomes: [Outcome]) -> [String] {
    outcomes.compactMap { outcome in
      switch outcome {
      case .crossing(let crossing):
        "\(crossing.kind) \(Scene.tenths(crossing.at)) \(Scene.tenths(crossing.confirmedAt))"
      case .visitBegan: "began"
      case .visitEnded(_, _, let at, let reason): "ended \(Scene.tenths(at)) \(reason)"
      }
    }
  }

  /// A pipeline that has seen a device enter at 1 s; its clock is 5,000 ms ahead of that which never jumps.
  private func entered(_ region: Region = LiveTests.region) -> Pipeline {
    var pipeline = Pipeline(regions: RegionSet([region]))
    var outcomes: [Outcome] = []
    for (seconds, metres) in [(0.0, 200.0), (2.0, 0.0)] {
      pipeline.process(
        Report(seconds, metres).fix, arrival: Int64(seconds * 1000) + 5_000, into: &outcomes)
    }
    #expect(told(outcomes) == ["entry 1 2"])
    return pipeline
  }

  @Test func aDwellFiresByTimeAlone() {
    var pipeline = entered()
    // At 31 s by its own clock, two seconds later in case that a fix comes.
    #expect(pipeline.nextDue == 38_000)
    #expect(pipeline.deviceWithSomethingDue(at: 37_999) == nil)
    #expect(pipeline.deviceWithSomethingDue(at: 38_000) == Fix.defaultDevice)
    var outcomes: [Outcome] = []
    pipeline.advance(Fix.defaultDevice, to: 37_999, into: &outcomes)
    #expect(outcomes.isEmpty)
    pipeline.advance(Fix.defaultDevice, to: 38_000, into: &outcomes)
    #expect(told(outcomes) == ["dwell 31 33"])
    // The next one is due within 120 s of the last fix, the last one is not.
    #expect(pipeline.nextDue == 108_000)
    pipeline.advance(Fix.defaultDevice, to: 108_000, into: &outcomes)
    #expect(told(outcomes) == ["dwell 31 33", "dwell 101 103"])
    #expect(pipeline.nextDue == nil)
  }

  @Test func aFixTellsOfADwellBeforeTheTimerDoes() {
    var pipeline = entered()
    var outcomes: [Outcome] = []
    pipeline.process(Report(32, 0).fix, arrival: 37_000, into: &outcomes)
    #expect(told(outcomes) == ["dwell 31 32"])
    pipeline.advance(Fix.defaultDevice, to: 38_000, into: &outcomes)
    #expect(outcomes.count == 1)
  }

  @Test func aDwellNeedsAFixThatWasInside() {
    var pipeline = Pipeline(regions: RegionSet([Scene(.balanced) { $0.dwell = [30] }.region]))
    var outcomes: [Outcome] = []
    pipeline.process(Report(0, 200).fix, arrival: 0, into: &outcomes)
    for second in 3..<7 { pipeline.process(Report(Double(second), 0).fix, arrival: 0, into: &outcomes) }
    #expect(pipeline.nextDue != nil)
    // Beyond the perimeter, though not long enough to have left.
    pipeline.process(Report(7, 104).fix, arrival: 11_000, into: &outcomes)
    #expect(pipeline.nextDue == nil)
  }

  @Test func withoutAnArrivalNothingIsDue() {
    var pipeline = Pipeline(regions: RegionSet([LiveTests.region]))
    var outcomes: [Outcome] = []
    for (seconds, metres) in [(0.0, 200.0), (2.0, 0.0)] {
      pipeline.process(Report(seconds, metres).fix, into: &outcomes)
    }
    #expect(pipeline.nextDue == nil)
  }

  @Test func aRegionExpiresByTimeAlone() {
    var pipeline = entered(
      Scene(.exact) {
        $0.dwell = [30, 500]
        $0.expires = Timestamp(milliseconds: 40_000)
      }.region)
    #expect(pipeline.nextDue == 38_000)
    var outcomes: [Outcome] = []
    pipeline.advance(Fix.defaultDevice, to: 45_000, into: &outcomes)
    #expect(told(outcomes) == ["ended 40 expired", "dwell 31 40"])
    #expect(pipeline.nextDue == nil)
  }

  @Test func aFixAheadOfARightClockDoesNotCount() {
    var filter = FixFilter()
    func judge(_ seconds: Double, now: Double?) -> FixFilter.Verdict {
      filter.judge(
        Report(seconds, 0).fix, .init(),
        now: now.map { Timestamp(milliseconds: Int64($0 * 1000)) })
    }
    #expect(judge(0, now: 0) == .accepted(.newTrack))
    // 2038, and then as if nothing had been.
    #expect(judge(400_000_000, now: 1) == .rejected(.future))
    #expect(judge(62, now: 1) == .rejected(.future))
    #expect(judge(61, now: 1) == .accepted(.continues))
    #expect(judge(62, now: 2) == .accepted(.continues))
    // Without a clock that can be trusted it is believed.
    #expect(judge(400_000_000, now: nil) == .accepted(.continues))
  }

  @Test func bestAccuraciesAnswerForEachVersion() {
    var kept = BestAccuracies()
    var all: [BestAccuracies.Entry] = []
    var random = SplitMix64(seed: 3)
    for version in Int64(0)..<8 {
      for _ in 0..<5 {
        let accuracy = random.uniform(1...100).rounded()
        kept.take(accuracy, at: version)
        all.append(.init(version: version, accuracy: accuracy))
        for asked in Int64(0)...9 {
          let expected = all.filter { $0.version >= asked }.map(\.accuracy).min()
          #expect(kept.best(since: asked) == expected)
        }
      }
    }
    #expect(BestAccuracies(kept.entries) == kept)
  }

  @Test func manyEditsLeaveTheSameRegionsAsAFreshSet() {
    forAll(seed: 31, count: 40) { random, seed in
      var edited = RegionSet()
      var known: [String: Region] = [:]
      for change in Int64(1)...30 {
        var entries: [RegionSet.Entry] = []
        // Sometimes so many that the index is built anew.
        for _ in 0..<(random.chance(0.1) ? 100 : 3) {
          let id = "r\(Int(random.uniform(0...60)))"
          var region = Region(id: id, centre: random.coordinate(), radius: random.length(10...100_000))
          region.isEnabled = random.chance(0.8)
          known[id] = region
          entries.append(.init(region, since: change))
        }
        edited.put(entries)
        if random.chance(0.3), let id = known.keys.sorted().first {
          known[id] = nil
          edited.remove(id)
        }
      }
      let fresh = RegionSet(known.values)
      guard edited.count == fresh.count else {
        Issue.record("seed \(seed): \(edited.count) regions")
        return
      }
      for _ in 0..<5 {
        let place = random.coordinate()
        let (a, b) = (
          edited.nearest(to: place, device: "d", count: 8), fresh.nearest(to: place, device: "d", count: 8)
        )
        guard a.map(\.id) == b.map(\.id), a.map(\.distance) == b.map(\.distance) else {
          Issue.record("seed \(seed): other regions")
          return
        }
        let expected = known.values.filter(\.isEnabled).map {
          (id: $0.id, distance: $0.centre.distance(to: place) - $0.radius)
        }.sorted { (abs($0.distance), $0.id) < (abs($1.distance), $1.id) }.prefix(8)
        guard a.map(\.id) == expected.map(\.id) else {
          Issue.record("seed \(seed): not the nearest")
          return
        }
      }
    }
  }
}
