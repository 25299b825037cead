import FencelineLiveSources
import FencelineSQLiteStore
import FencelineTestSupport
import Testing

@testable import FencelineService

/// What the engine makes of the states of sources and of their receivers.
@Suite("Engine signals") struct EngineSignalTests {
  private let folder: TemporaryFolder
  private let test: TestEngine
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("journal.db")
    test = try TestEngine(path)
  }

  /// Gives a signal, a second after the last.
  private func take(
    _ device: String?, _ state: SignalState, _ detail: String? = nil, from source: String = "gpsd"
  ) {
    let signal = Signal(source: source, device: device, state: state, detail: detail, at: test.now)
    test.mailbox.post(.event(.signal(signal)))
    test.wait(1)
  }

  /// The rows of the journal: device, state and event.
  private func rows() throws -> [String] {
    try Connection(path, .read).rows("SELECT device, state, event FROM signal ORDER BY number") { row in
      [row.optionalText(0) ?? "-", row.text(1), row.optionalText(2)].compactMap { $0 }.joined(separator: " ")
    }
  }

  @Test func aSourceIsAsWellAsTheBestOfItsReceivers() throws {
    take(nil, .connecting)
    let states: [(device: String, state: SignalState, shown: SignalState)] = [
      ("bow", .silent, .silent), ("stern", .noFix, .noFix), ("bow", .twoD, .twoD),
      ("stern", .threeD, .threeD),
      ("bow", .silent, .threeD), ("stern", .noReceiver, .silent),
    ]
    for (device, state, shown) in states {
      take(device, state, "\(device) is \(state.rawValue)")
      #expect(test.engine.sources["gpsd"]?.state == shown)
    }
    #expect(test.engine.sources["gpsd"]?.detail == "bow is silent")
    take("bow", .threeD)
    let since = try #require(test.engine.sources["gpsd"]?.since)
    // One of another source makes nothing better or worse here.
    take("van", .noFix, from: "serial")
    take("stern", .threeD)
    take("bow", .noFix)
    #expect(test.engine.sources["gpsd"]?.state == .threeD && test.engine.sources["gpsd"]?.since == since)
    #expect(test.engine.sources["serial"]?.state == .noFix)
    take(nil, .connecting)
    #expect(test.engine.sources["gpsd"]?.state == .connecting)
  }

  @Test func withItsSourceEachReceiverLosesItsSignalAndHasItBack() throws {
    take(nil, .connecting)
    take("bow", .threeD)
    take("stern", .twoD)
    take("mast", .noFix)
    take(nil, .connecting, "Cannot reach gpsd.")
    take("bow", .threeD)
    take("stern", .threeD)
    #expect(
      try rows() == [
        "- connecting", "bow 3D", "stern 2D", "mast no fix", "- connecting", "bow connecting signal lost",
        "stern connecting signal lost", "bow 3D signal back", "stern 3D signal back",
      ])
  }

  @Test func anotherSentenceIsNoChange() throws {
    take(nil, .connecting)
    take(nil, .connecting, "connection refused")
    take(nil, .connecting, "no route to host")
    take("bow", .threeD)
    take("bow", .threeD, "Two receivers match.")
    #expect(try rows() == ["- connecting", "bow 3D"])
    #expect(test.engine.devices["bow"]?.detail == "Two receivers match.")
    take(nil, .connecting, "connection refused")
    #expect(try rows() == ["- connecting", "bow 3D", "- connecting", "bow connecting signal lost"])
  }
}
