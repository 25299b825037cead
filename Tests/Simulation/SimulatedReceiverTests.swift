import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineSimulation

@Suite("Simulated receiver") struct SimulatedReceiverTests {
  private static let here = Coordinate(latitude: 47.3769, longitude: 8.5417)
  /// 1,000 s at 20 m/s.
  private let journey = Journey(
    [.init(here), .init(here.destination(azimuth: 30, distance: 20_000))], speed: 20)
  private var settings: SimulatedReceiver.Settings {
    .init(start: Timestamp(milliseconds: 1_800_000_000_000))
  }

  private func epochs(_ settings: SimulatedReceiver.Settings, on journey: Journey? = nil) -> [Epoch] {
    var receiver = SimulatedReceiver(on: journey ?? self.journey, settings)
    var epochs: [Epoch] = []
    while let epoch = receiver.next() { epochs.append(epoch) }
    return epochs
  }

  @Test(arguments: [0.5, 1, 3, 10]) func epochsComeAtTheRate(_ rate: Double) {
    var settings = settings
    settings.rate = rate
    let epochs = epochs(settings)
    #expect(epochs.count == Int(1000 * rate) + 1)
    for (number, epoch) in epochs.enumerated() {
      guard epoch.elapsed == Int64((Double(number) * 1000 / rate).rounded()),
        epoch.time.milliseconds == settings.start.milliseconds + epoch.elapsed
      else {
        Issue.record("epoch \(number) is at \(epoch.elapsed) ms")
        return
      }
    }
  }

  @Test func theErrorIsAsLargeAsAskedAndWanders() {
    var settings = settings
    settings.noise = 8
    settings.rate = 0.1
    settings.duration = 200_000
    let errors = epochs(settings).map { epoch in
      let seen = AzimuthalPlane(centre: epoch.truth).project(epoch.place)
      return (east: seen.east, north: seen.north, distance: seen.distance)
    }
    let within = Double(errors.count { $0.distance <= 8 }) / Double(errors.count)
    #expect(abs(within - 0.68) < 0.02, "\(within)")
    for axis in [errors.map(\.east), errors.map(\.north)] {
      let mean = axis.reduce(0, +) / Double(axis.count)
      let variance = axis.reduce(0) { $0 + $1 * $1 } / Double(axis.count)
      #expect(abs(mean) < 0.5 && abs(variance.squareRoot() - 8 / Accuracy.radius68PerSigma) < 0.2)
      // 96 % of the variance forgets itself with a time constant of a minute, the rest at once.
      for (lag, expected) in [(1, 0.813), (6, 0.353), (60, 0.0)] {
        let pairs = zip(axis, axis.dropFirst(lag)).map { $0 * $1 }
        let correlation = pairs.reduce(0, +) / Double(pairs.count) / variance
        #expect(abs(correlation - expected) < 0.05, "lag \(lag): \(correlation)")
      }
    }
  }

  @Test func withoutNoiseItIsWhereTheVehicleIs() {
    var settings = settings
    settings.noise = 0
    let epochs = epochs(settings)
    #expect(epochs.allSatisfy { $0.place == $0.truth })
    #expect(Accuracy.fromSigma(epochs[0].sigma) == SimulatedReceiver.bestAccuracy)
  }

  @Test func aSeedGivesTheSameAndAnotherDoesNot() {
    var settings = settings
    let first = epochs(settings).map(\.place)
    #expect(epochs(settings).map(\.place) == first)
    settings.seed = 2
    #expect(zip(epochs(settings), first).allSatisfy { $0.place != $1 })
  }

  @Test func outagesSilencesAndColdStartsAreExact() {
    var settings = settings
    settings.rate = 2
    settings.undated = 3
    settings.outages = [.init(at: 100, for: 30), .init(at: 110, for: 40)]
    settings.silences = [.init(at: 200, for: 0.5), .init(at: 120, for: 1)]
    let quiet = epochs(settings)
    for epoch in quiet {
      let expected: Epoch.Kind =
        switch epoch.elapsed {
        case 0...1000: .undated
        case 120_000..<121_000, 200_000..<200_500: .silent
        case 100_000..<150_000: .noFix
        default: .fix
        }
      if epoch.kind != expected { Issue.record("\(epoch.kind) at \(epoch.elapsed) ms") }
    }
    // What is not told changes nothing of what is.
    var loud = settings
    (loud.outages, loud.silences, loud.undated) = ([], [], 0)
    #expect(epochs(loud).map(\.place) == quiet.map(\.place))
  }

  @Test func aJumpIsAsFarAndAsLongAsAsked() {
    var settings = settings
    settings.noise = 0
    settings.jumps = [.init(.init(at: 90, for: 5), metres: 800), .init(.init(at: 300, for: 1), metres: 5000)]
    for epoch in epochs(settings) {
      let expected: Double =
        switch epoch.elapsed {
        case 90_000..<95_000: 800
        case 300_000: 5000
        default: 0
        }
      let found = epoch.truth.distance(to: epoch.place)
      if abs(found - expected) > 1e-6 { Issue.record("\(found) m off at \(epoch.elapsed) ms") }
    }
  }

  @Test func aStayIsStoodAndTheWayIsGoneAllTheSame() {
    var settings = settings
    settings.noise = 0
    // The second one begins within the first: together they are 90 s.
    settings.stays = [.init(at: 100, for: 60), .init(at: 130, for: 60), .init(at: 5000, for: 60)]
    let epochs = epochs(settings)
    #expect(epochs.count == 1091)
    #expect(epochs.last?.truth == journey.moment(at: 1000).place)
    for epoch in epochs where (100_000..<190_000).contains(epoch.elapsed) {
      #expect(epoch.speed == 0 && epoch.course == nil)
      #expect(epoch.place == journey.moment(at: 100).place)
    }
    #expect(epochs[190].speed > 19 && epochs[99].speed > 19)
  }

  @Test func aDurationEndsEarlyOrLate() {
    var settings = settings
    settings.noise = 0
    settings.duration = 10
    #expect(epochs(settings).count == 11)
    settings.duration = 1200
    let late = epochs(settings)
    #expect(late.count == 1201 && late[1100].speed == 0 && late[1100].place == late[1200].place)
    #expect(SimulatedReceiver(on: Journey([.init(Self.here)], isLoop: true), settings).end == 1_200_000)
    settings.duration = nil
    let loop = Journey([.init(Self.here), .init(journey.moment(at: 9).place)], speed: 1, isLoop: true)
    #expect(SimulatedReceiver(on: loop, settings).end == nil)
  }
}
