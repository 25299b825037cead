import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import FencelineTrackLogs
import Glibc
import Testing

@testable import FencelineLiveSources

/// What is no gpsd, and what a gpsd's reports come to.
@Suite("gpsd troubles", .timeLimit(.minutes(10))) struct GPSDTroubleTests {
  @Test func nobodyListens() async throws {
    let port = try GPSDaemon.freePort()
    let live = try Running("localhost:\(port)")
    try await live.inbox.wait(until: { $0.signals.last?.detail != nil })
    #expect(live.source.name == "gpsd localhost:\(port)")
    #expect(live.inbox.states == [.connecting, .connecting])
    #expect(live.inbox.signals[1].detail?.contains("connection refused") == true)
  }

  @Test func aNameThatNobodyHas() async throws {
    let live = try Running("fenceline.invalid:2947")
    try await live.inbox.wait(until: { $0.signals.last?.detail != nil })
    #expect(
      live.inbox.signals.last?.detail?.hasPrefix("Cannot reach gpsd at fenceline.invalid:2947: ") == true)
  }

  @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "$GPZDA,201530.00,04,07,2002,00,00*60\r\n"])
  func anotherServerIsToldFromGPSD(_ greeting: String) async throws {
    let server = try SampleServer()
    let live = try Running("127.0.0.1:\(server.port)")
    try await server.accept()
    try await server.accept()
    server.write(greeting)
    try await live.inbox.wait(until: {
      $0.signals.last?.detail?.contains("does not speak as gpsd does") == true
    })
    #expect(live.inbox.fixes.isEmpty)
  }

  @Test func aFloodWithoutLinesEndsTheConnection() async throws {
    let server = try SampleServer()
    let live = try Running("127.0.0.1:\(server.port)")
    try await server.accept()
    try await server.accept()
    for _ in 0..<40 { server.write([UInt8](repeating: 0x7b, count: 1_000)) }
    try await live.inbox.wait(until: {
      $0.signals.last?.detail?.contains("does not speak as gpsd does") == true
    })
  }

  @Test func stoppingDoesNotWaitForAHostThatDoesNotAnswer() async throws {
    // Its queue is full: the system drops whoever comes.
    let server = try SampleServer(backlog: 0)
    let filling = [
      try SampleClient(server.port), try SampleClient(server.port), try SampleClient(server.port),
    ]
    let live = try Running("127.0.0.1:\(server.port)")
    try await Task.sleep(for: .milliseconds(300))
    let began = Arrival.now.boot
    live.source.stop()
    #expect(Arrival.now.boot - began < 1_000)
    let count = live.inbox.signals.count
    withExtendedLifetime(filling) { filling.forEach { $0.close() } }
    try await Task.sleep(for: .milliseconds(300))
    #expect(live.inbox.signals.count == count)
  }

  @Test(.enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
  func aRecordingOfTheSameReportsGivesTheSameFixes() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let daemon = try GPSDaemon(receiver.line.path)
    let client = try SampleClient(daemon.port)
    client.write("?WATCH={\"enable\":true,\"json\":true};\n")
    var options = SourceOptions()
    options.gpsdConfidence = 0.68
    let live = try Running("127.0.0.1:\(daemon.port)", options)
    try await live.inbox.wait(forFixes: 20)
    let folder = try TemporaryFolder()
    var log = LogOptions()
    log.gpsdConfidence = 0.68
    let reader = try TrackLogReader(path: try folder.write("log.json", client.read()), options: log)
    var recorded: [Timestamp: Fix] = [:]
    var fixes: [Fix] = []
    while try reader.read(into: &fixes) {}
    for fix in fixes where recorded[fix.time] == nil { recorded[fix.time] = fix }
    var compared = 0
    for (fix, _) in live.inbox.fixes {
      guard let other = recorded[fix.time] else { continue }
      compared += 1
      #expect(fix.device == other.device && fix.source == other.source)
      #expect(abs(fix.coordinate.latitude - other.coordinate.latitude) < 1e-9)
      #expect(abs(fix.coordinate.longitude - other.coordinate.longitude) < 1e-9)
      #expect(near(fix.accuracy, other.accuracy) && near(fix.altitude, other.altitude))
      #expect(near(fix.speed, other.speed) && near(fix.course, other.course))
    }
    #expect(compared >= 10)
  }

  private func near(_ a: Double?, _ b: Double?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return abs(a - b) < 1e-6
  }
}
