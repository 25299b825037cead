import FencelineGeofencing
import FencelineTestSupport
import Testing

/// Which single fixes speak for inside and for outside.
struct EvidenceTests {
  private typealias Report = Scene.Report

  /// Whether a fix at `distance` gives evidence: `in`, `out` or `none`, from what the device was before.
  private func evidence(_ region: Region, _ distance: Double, _ accuracy: Double?) -> String {
    var scene = Scene()
    scene.region = region
    // Holds of 0 s and a sparse source: one fix enters, two leave.
    let far = 40_000.0
    let entry = scene.told([
      Report(0, far, accuracy: 1), Report(1_000, distance, accuracy: accuracy),
    ])
    let exit = scene.told([
      Report(0, far, accuracy: 1), Report(1_000, 0, accuracy: 1), Report(1_030, 0.1, accuracy: 1),
      Report(1_600, distance, accuracy: accuracy), Report(2_200, distance, accuracy: accuracy),
    ])
    if entry.contains(where: { $0.hasPrefix("entry") }) { return "in" }
    return exit.contains { $0.hasPrefix("exit") } ? "out" : "none"
  }

  @Test(
    arguments: [
      // exact: the perimeter itself is inside; no margin, no gate.
      (.exact, 100, 99.99, 3, "in"), (.exact, 100, 100.01, 3, "out"), (.exact, 100, 99.99, 480, "in"),
      (.exact, 100, 100.01, 480, "out"), (.exact, 2, 1.9, 480, "in"),
      // fast: margin 5 %, at least 5 m, at most 50 m; one sigma (2 m) for outside.
      (.fast, 100, 99.99, 3, "in"), (.fast, 100, 100.01, 3, "none"), (.fast, 100, 106.99, 3, "none"),
      (.fast, 100, 107.01, 3, "out"), (.fast, 400, 421.99, 3, "none"), (.fast, 400, 422.01, 3, "out"),
      (.fast, 5_000, 5_051.99, 3, "none"), (.fast, 5_000, 5_052.01, 3, "out"),
      // balanced: one sigma for inside, three for outside, margin 10 %, 10 to 200 m.
      (.balanced, 100, 97.99, 3, "in"), (.balanced, 100, 98.01, 3, "none"),
      (.balanced, 100, 115.99, 3, "none"),
      (.balanced, 100, 116.01, 3, "out"), (.balanced, 50, 65.99, 3, "none"), (.balanced, 50, 66.01, 3, "out"),
      (.balanced, 5_000, 5_205.99, 3, "none"), (.balanced, 5_000, 5_206.01, 3, "out"),
      // steady: two sigma for inside, margin 15 %, 20 to 300 m.
      (.steady, 100, 95.99, 3, "in"), (.steady, 100, 96.01, 3, "none"), (.steady, 100, 125.99, 3, "none"),
      (.steady, 100, 126.01, 3, "out"), (.steady, 5_000, 5_305.99, 3, "none"),
      (.steady, 5_000, 5_306.01, 3, "out"),
      // An unknown accuracy is a sigma of 10 m.
      (.balanced, 100, 89.99, nil, "in"), (.balanced, 100, 90.01, nil, "none"),
      (.balanced, 100, 139.99, nil, "none"),
      (.balanced, 100, 140.01, nil, "out"),
      // Half the radius is always inside, as far as the accuracy is within the diameter.
      (.balanced, 10, 4.99, 15.2, "in"), (.balanced, 10, 5.01, 15.2, "none"),
      (.balanced, 10, 4.99, 20.1, "none"),
      (.steady, 100, 49.99, 49.9, "in"),
      // The gates: 200 m, 100 m, 50 m, never below the radius; for inside at most the diameter.
      (.fast, 150, 0, 199.9, "in"), (.fast, 150, 0, 200.1, "none"), (.fast, 150, 20_000, 199.9, "out"),
      (.fast, 150, 20_000, 200.1, "none"),
      (.balanced, 60, 0, 99.9, "in"), (.balanced, 60, 0, 100.1, "none"), (.balanced, 60, 20_000, 99.9, "out"),
      (.balanced, 60, 20_000, 100.1, "none"),
      (.steady, 30, 0, 49.9, "in"), (.steady, 30, 0, 50.1, "none"), (.steady, 30, 20_000, 50.1, "none"),
      (.balanced, 400, 0, 399.9, "in"), (.balanced, 400, 0, 400.1, "none"),
      (.balanced, 400, 20_000, 399.9, "out"),
      (.balanced, 20, 0, 39.9, "in"), (.balanced, 20, 0, 40.1, "none"), (.balanced, 20, 20_000, 99.9, "out"),
    ] as [(Profile, Double, Double, Double?, String)])
  func theEdges(
    _ profile: Profile, _ radius: Double, _ distance: Double, _ accuracy: Double?, _ expected: String
  ) {
    #expect(evidence(Scene(profile, radius: radius).region, distance, accuracy) == expected)
  }

  @Test func anExitMarginReplacesTheProfiles() {
    let region = Scene { $0.exitMargin = 40 }.region
    #expect(evidence(region, 145.99, 3) == "none")
    #expect(evidence(region, 146.01, 3) == "out")
    let none = Scene(.steady) { $0.exitMargin = 0 }.region
    #expect(evidence(none, 105.99, 3) == "none")
    #expect(evidence(none, 106.01, 3) == "out")
  }

  @Test func aBadAccuracyNeverEnlargesARegion() {
    for accuracy in [3.0, 15, 50, 99] {
      #expect(evidence(Scene().region, 100.01, accuracy) != "in")
    }
  }
}
