import FencelineGeodesy
import FencelineTestSupport
import Testing

struct DecimalTextTests {
  @Test(
    arguments: [
      (48.137, 3, "48.137"), (0, 0, "0"), (0.5, 0, "1"), (-0.5, 0, "-1"), (0.4, 0, "0"),
      (-0.0004, 3, "0.000"),
      (-0.0005, 3, "-0.001"), (1.005, 1, "1.0"), (99.999, 2, "100.00"), (8.5417, 7, "8.5417000"),
      (0.07, 2, "0.07"),
      (-12, 2, "-12.00"), (1e-12, 12, "0.000000000001"), (1e20, 2, "1e+20"), (.infinity, 2, "inf"),
      (.nan, 2, "nan"),
    ] as [(Double, Int, String)])
  func exactlySoManyDecimals(_ number: Double, _ places: Int, _ text: String) {
    #expect(number.fixed(places) == text)
  }

  @Test(
    arguments: [
      (1.5, 3, "1.5"), (100, 3, "100"), (0, 2, "0"), (-0.001, 2, "0"), (0.1, 1, "0.1"), (250.10, 2, "250.1"),
      (10, 0, "10"),
      (1e20, 2, "1e+20"), (1.5e300, 2, "1.5e+300"),
    ] as [(Double, Int, String)])
  func atMostSoManyDecimals(_ number: Double, _ places: Int, _ text: String) {
    #expect(number.trimmed(places) == text)
  }

  @Test func fixedTextIsWithinHalfAUnit() {
    forAll(seed: 13, count: 2_000) { random, seed in
      let number = random.uniform(-200...200)
      let text = number.fixed(7)
      guard let read = Double(text), abs(read - number) <= 0.500001e-7,
        text.split(separator: ".").last?.count == 7
      else {
        Issue.record("seed \(seed): \(number), \(text)")
        return
      }
    }
  }
}
