import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

struct AccuracyTests {
  @Test(
    arguments: [
      (Accuracy.fromSigma(10), 15.0959), (Accuracy.from95(24.47747), 15.0959),
      (Accuracy.from50(11.7741), 15.0959),
      (Accuracy.fromHDOP(2.5), 15.0959), (Accuracy.fromSigmas(6, 8), 10.6744),
      (Accuracy.fromSigmas(10, 10), 15.0959),
      (Accuracy.fromSigmas(0, 10), 10.6744), (Accuracy.fromSigma(0), 0),
    ] as [(Double, Double)])
  func everySourceBecomesTheSameRadius(_ radius: Double, _ expected: Double) {
    #expect(abs(radius - expected) < 0.001)
  }

  @Test func theRadiiHoldWhatTheySay() {
    var random = SplitMix64(seed: 18)
    var (in50, in68, in95) = (0, 0, 0)
    let count = 40_000
    for _ in 0..<count {
      let (east, north) = (random.normal(), random.normal())
      let distance = (east * east + north * north).squareRoot()
      if distance <= Accuracy.radius50PerSigma { in50 += 1 }
      if distance <= Accuracy.radius68PerSigma { in68 += 1 }
      if distance <= Accuracy.radius95PerSigma { in95 += 1 }
    }
    #expect(abs(Double(in50) / Double(count) - 0.50) < 0.01)
    #expect(abs(Double(in68) / Double(count) - 0.68) < 0.01)
    #expect(abs(Double(in95) / Double(count) - 0.95) < 0.01)
  }

  @Test(
    arguments: [
      (nil, 10, 15.0959), (15.0959, 10, 15.0959), (3, 2, 3.0192), (0.5, 2, 3.0192), (0, 10, 15.0959),
      (-5, 10, 15.0959),
      (.nan, 10, 15.0959), (.infinity, 10, 15.0959), (150.959, 100, 150.959),
    ] as [(Double?, Double, Double)])
  func sigmaOfAFix(_ accuracy: Double?, _ sigma: Double, _ radius: Double) {
    let fix = Fix(
      time: Timestamp(milliseconds: 0), coordinate: Coordinate(latitude: 1, longitude: 1), accuracy: accuracy)
    #expect(abs(fix.sigma - sigma) < 0.001)
    #expect(abs(fix.accuracyOrDefault - radius) < 0.001)
  }
}
