import FencelineCivilTime
import FencelineDecisions
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport
import Testing

struct OracleTests {
  @Test func thePipelineAgreesWithTheNaiveEvaluator() {
    var (kinds, causes): ([Crossing.Kind: Int], [Crossing.Cause: Int]) = ([:], [:])
    forAll(seed: 20, count: 150) { random, seed in
      let world = World(&random)
      let found = crossings(world.fixes, world.regions, world.profile)
      let regions = world.regions.filter { $0.devices == ["*"] || $0.devices.contains("d*") }
      let expected = NaiveEvaluator.events(NaiveFilter.accepted(world.fixes, .init()), regions, world.profile)
      for crossing in found {
        kinds[crossing.kind, default: 0] += 1
        causes[crossing.cause, default: 0] += 1
      }
      guard found.count == expected.count, zip(found, expected).allSatisfy(agree) else {
        let place =
          zip(found, expected).enumerated().first { !agree($1.0, $1.1) }?.offset
          ?? min(found.count, expected.count)
        Issue.record(
          """
          seed \(seed), crossing \(place) of \(found.count) and \(expected.count): \
          \(found.dropFirst(place).first.map { "\($0)" } ?? "none"), \
          not \(expected.dropFirst(place).first.map { "\($0)" } ?? "none")
          """)
        return
      }
    }
    // The worlds must be lively enough for the comparison to mean something.
    for kind in Crossing.Kind.allCases { #expect(kinds[kind, default: 0] > 80, "\(kind)") }
    for cause in Crossing.Cause.allCases { #expect(causes[cause, default: 0] > 20, "\(cause)") }
  }

  private func agree(_ found: Crossing, _ expected: NaiveEvaluator.Event) -> Bool {
    found.region == expected.region && found.kind == expected.kind && found.cause == expected.cause
      && abs(Double(found.at.milliseconds) - expected.at) <= 1
      && found.confirmedAt == Timestamp(rounding: expected.confirmed)
      && abs(Double(found.earliest.milliseconds) - expected.earliest) <= 0.51
      && abs(Double(found.latest.milliseconds) - expected.latest) <= 0.51
  }
}
