import FencelineCivilTime
import FencelineDecisions
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Foundation
import Testing

/// What holds for any regions and any fixes.
struct LawTests {
  @Test func entriesAndExitsAlternateWithinASession() {
    forAll(seed: 21, count: 60) { random, seed in
      let world = World(&random)
      var pipeline = Pipeline(regions: RegionSet(world.regions, defaultProfile: world.profile))
      var inside: Set<String> = []
      for fix in world.fixes {
        var outcomes: [Outcome] = []
        pipeline.process(fix, into: &outcomes)
        for outcome in outcomes {
          let isRight =
            switch outcome {
            case .crossing(let crossing):
              switch crossing.kind {
              case .entry: inside.insert(crossing.region).inserted
              case .exit: inside.remove(crossing.region) != nil
              case .dwell: inside.contains(crossing.region) || outcomes.ends(crossing.region)
              }
            case .visitBegan(_, let region, _): inside.insert(region).inserted
            case .visitEnded(_, let region, _, _): inside.remove(region) != nil
            }
          guard isRight else {
            Issue.record("seed \(seed): \(outcome) while inside \(inside.sorted())")
            return
          }
        }
      }
    }
  }

  @Test func timesStandInOrderAndCrossingsOnThePerimeter() {
    forAll(seed: 22, count: 60) { random, seed in
      let world = World(&random)
      for crossing in crossings(world.fixes, world.regions, world.profile) {
        let region = world.regions.first { $0.id == crossing.region }
        let distance = region.map { $0.centre.distance(to: crossing.coordinate) } ?? .nan
        let isOnPerimeter =
          crossing.kind == .dwell || crossing.cause == .initial || crossing.earliest == crossing.latest
          || abs(distance - (region?.radius ?? 0)) < 0.01
        guard crossing.earliest <= crossing.at, crossing.at <= crossing.latest,
          crossing.at <= crossing.confirmedAt,
          isOnPerimeter
        else {
          Issue.record("seed \(seed): \(crossing), \(distance) m from the centre")
          return
        }
      }
    }
  }

  @Test func turningTheEarthChangesNothing() {
    forAll(seed: 23, count: 60) { random, seed in
      let world = World(&random)
      let angle = random.uniform(-360...360)
      let turned = crossings(
        world.fixes.map { fix in
          var fix = fix
          if fix.coordinate != Coordinate(latitude: 0, longitude: 0) {
            fix.coordinate = fix.coordinate.turned(by: angle)
          }
          return fix
        },
        world.regions.map { region in
          var region = region
          region.centre = region.centre.turned(by: angle)
          return region
        }, world.profile)
      let plain = crossings(world.fixes, world.regions, world.profile)
      guard plain.count == turned.count, zip(plain, turned).allSatisfy(isSame) else {
        Issue.record("seed \(seed): by \(angle) degrees")
        return
      }
    }
  }

  private func isSame(_ a: Crossing, _ b: Crossing) -> Bool {
    a.region == b.region && a.kind == b.kind && a.cause == b.cause && a.confirmedAt == b.confirmedAt
      && abs(a.at.milliseconds - b.at.milliseconds) <= 1 && a.earliest == b.earliest && a.latest == b.latest
  }

  @Test func stateThatIsStoredGoesOnWhereItStood() {
    forAll(seed: 24, count: 25) { random, seed in
      let world = World(&random, fixCount: 150)
      let regions = RegionSet(world.regions, defaultProfile: world.profile)
      var whole = Pipeline(regions: regions)
      var pieces = Pipeline(regions: regions, notesChanges: true)
      var kept: [String: [String: RegionState]] = [:]
      var (expected, found): ([Outcome], [Outcome]) = ([], [])
      for fix in world.fixes {
        let verdict = whole.process(fix, into: &expected)
        var next = Pipeline(regions: regions, notesChanges: true)
        for device in pieces.deviceNames {
          if let memory = pieces.memory(of: device) { next.restore(device, memory, kept[device] ?? [:]) }
        }
        pieces = next
        let isSame = pieces.process(fix, into: &found) == verdict
        if pieces.changes.wasReset { kept[fix.device] = [:] }
        for (region, state) in pieces.changes.states { kept[fix.device, default: [:]][region] = state }
        guard isSame, pieces.memory(of: fix.device) == whole.memory(of: fix.device),
          pieces.states(of: fix.device) == whole.states(of: fix.device)
        else {
          Issue.record("seed \(seed): at \(fix.time)")
          return
        }
      }
      guard found == expected else {
        Issue.record("seed \(seed): other outcomes")
        return
      }
    }
  }

  @Test func devicesAreStrangers() {
    forAll(seed: 25, count: 30) { random, seed in
      var world = World(&random)
      for place in world.regions.indices { world.regions[place].devices = ["*"] }
      var alone: [String: [Crossing]] = [:]
      var streams: [[Fix]] = []
      for device in ["phone", "phone2", "Phone", ""] {
        var fixes =
          World(&random, fixCount: 80).fixes + world.fixes.prefix(Int.random(in: 50...250, using: &random))
        for place in fixes.indices { fixes[place].device = device }
        streams.append(fixes)
        alone[device] = crossings(fixes, world.regions, world.profile)
      }
      var mixed: [Fix] = []
      while let stream = streams.indices.filter({ !streams[$0].isEmpty }).randomElement(using: &random) {
        mixed.append(streams[stream].removeFirst())
      }
      let together = Dictionary(grouping: crossings(mixed, world.regions, world.profile), by: \.device)
      guard alone.allSatisfy({ (together[$0.key] ?? []) == $0.value }) else {
        Issue.record("seed \(seed): devices disturb each other")
        return
      }
    }
  }

  @Test func noOtherRegionMatters() {
    forAll(seed: 26, count: 40) { random, seed in
      let world = World(&random)
      let together = Dictionary(grouping: crossings(world.fixes, world.regions, world.profile), by: \.region)
      for region in world.regions {
        guard crossings(world.fixes, [region], world.profile) == together[region.id] ?? [] else {
          Issue.record("seed \(seed): \(region.id)")
          return
        }
      }
    }
  }
}

extension [Outcome] {
  /// Whether a visit of a region ends among them: a dwell of the same fix may come to light with it.
  fileprivate func ends(_ region: String) -> Bool {
    contains {
      switch $0 {
      case .crossing(let crossing): crossing.region == region && crossing.kind == .exit
      case .visitEnded(_, let ended, _, _): ended == region
      case .visitBegan: false
      }
    }
  }
}

extension Coordinate {
  /// The point further round the Earth's axis.
  func turned(by degrees: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: (longitude + degrees).remainder(dividingBy: 360))
  }
}
