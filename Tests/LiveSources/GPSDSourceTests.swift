import FencelineCivilTime
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineLiveSources

/// A real gpsd, fed through pseudo-terminals.
@Suite("gpsd source", .enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"), .timeLimit(.minutes(10)))
struct GPSDSourceTests {
  @Test func aReceiverWithoutADateGivesTheTimeOfArrival() async throws {
    let receiver = SampleReceiver(try PseudoTerminal(), .undated)
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)")
    try await live.inbox.wait(forFixes: 5)
    #expect(live.inbox.fixes.allSatisfy { $0.fix.time == $0.arrival.utc })
    #expect(live.inbox.signals.first?.state == .connecting)
    receiver.send(.fix)
    try await live.inbox.wait(until: { inbox in
      receiver.sent.contains { time in inbox.fixes.last?.fix.time == time }
    })
  }

  @Test func aFixIsLostAndFoundAgain() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)")
    try await live.inbox.wait(forFixes: 10)
    let states = live.inbox.states
    receiver.send(.noFix)
    try await live.inbox.wait(for: .noFix)
    let count = live.inbox.fixes.count
    #expect(live.count("reports without a fix") > 0)
    receiver.send(.fix)
    try await live.inbox.wait(forFixes: 5)
    #expect(live.inbox.states.starts(with: states + [.noFix]))
    #expect([.twoD, .threeD].contains(live.inbox.states.last))
    #expect(live.inbox.fixes.count > count)
    #expect(live.inbox.fixes.allSatisfy { $0.fix.device == "default" && $0.fix.source == .tpv })
    // From an outage on, gpsd reports after each sentence: RMC has the speed, GGA that follows the altitude. One fix is told of both.
    try await live.inbox.wait(until: { !$0.completed.isEmpty })
    let fixes = live.inbox.fixes.map(\.fix)
    #expect(Set(fixes.map(\.time)).count == fixes.count)
    for fix in live.inbox.completed {
      #expect(fix.speed != nil && fix.altitude == 400)
      let told = try #require(fixes.first { $0.time == fix.time })
      var known = told
      #expect(told.altitude == nil && known.complete(from: fix) && known == fix)
    }
  }

  @Test func silenceIsToldOnceAndSoIsItsEnd() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)")
    try await live.inbox.wait(forFixes: 10)
    receiver.send(.nothing)
    let began = Arrival.now.boot
    try await live.inbox.wait(for: .silent)
    let signal = try #require(live.inbox.signals.last)
    #expect((9_000...11_500).contains(signal.at.boot - began))
    #expect(signal.device == "default" && signal.receiver == receiver.line.path)
    #expect(signal.detail?.contains("Nothing has come from \(receiver.line.path) for 10 s") == true)
    try await Task.sleep(for: .milliseconds(15_000 - (Arrival.now.boot - began)))
    receiver.send(.fix)
    try await live.inbox.wait(forFixes: 3)
    #expect(live.inbox.states.count { $0 == .silent } == 1)
    #expect([.twoD, .threeD].contains(live.inbox.states.last))
  }

  @Test func aCableThatIsPulledAndPutBackCostsNoMoreThanThatTime() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)", .silence(2))
    try await live.inbox.wait(forFixes: 10)
    receiver.line.pullOut()
    try await live.inbox.wait(until: { [.silent, .noReceiver].contains($0.states.last) })
    try await Task.sleep(for: .seconds(2.5))
    let count = live.inbox.fixes.count
    try receiver.line.plugIn()
    try await Task.sleep(for: .seconds(3))
    // gpsd 3.22 mostly opens it again by itself; now and then it neither does nor gives it up, until udev tells it.
    if live.inbox.fixes.count == count {
      try daemon.remove(receiver.line.path)
      try daemon.add(receiver.line.path)
    }
    try await live.inbox.wait(forFixes: 5)
    #expect(Set(live.inbox.fixes.map(\.fix.device)) == ["default"])
  }

  @Test func aReceiverIsTakenAwayAndAdded() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)")
    try await live.inbox.wait(forFixes: 5)
    try daemon.remove(receiver.line.path)
    try await live.inbox.wait(for: .noReceiver, within: 8)
    let signal = try #require(live.inbox.signals.last)
    #expect(signal.device == nil)
    #expect(signal.detail?.contains(receiver.line.path) == true)
    try daemon.add(receiver.line.path)
    try await live.inbox.wait(forFixes: 5)
    #expect(live.inbox.states.count { $0 == .noReceiver } == 1)
  }

  @Test func aReceiverThatComesBackUnderAnotherPathIsTheSame() async throws {
    let first = SampleReceiver(try PseudoTerminal("ttyUSB0"))
    let daemon = try GPSDaemon(first.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)")
    try await live.inbox.wait(forFixes: 5)
    try daemon.remove(first.line.path)
    try await live.inbox.wait(for: .noReceiver)
    let second = SampleReceiver(try PseudoTerminal("ttyUSB1"))
    try daemon.add(second.line.path)
    try await live.inbox.wait(forFixes: 5)
    #expect(Set(live.inbox.fixes.map(\.fix.device)) == ["default"])
    #expect(live.inbox.signals.last?.receiver == second.line.path)
    // One that comes beside it is another.
    try daemon.add(first.line.path)
    try await live.inbox.wait(until: { $0.fixes.contains { $0.fix.device == first.line.path } })
  }

  @Test func gpsdIsStoppedAndStartedAgain() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)")
    try await live.inbox.wait(forFixes: 5)
    daemon.stop()
    try await live.inbox.wait(until: { $0.signals.last?.detail?.contains("connection refused") == true })
    let signal = try #require(live.inbox.signals.last)
    #expect(signal.state == .connecting && signal.device == nil)
    #expect(
      signal.detail
        == "Cannot reach gpsd at 127.0.0.1:\(daemon.port): connection refused. "
        + "Start it with 'systemctl start gpsd.socket', or check the port.")
    try daemon.start([receiver.line.path])
    try await live.inbox.wait(forFixes: 5)
    #expect([.twoD, .threeD].contains(live.inbox.states.last))
  }

  @Test func aConnectionThatIsOnlyHalfOpenIsGivenUp() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)", .silence(1))
    try await live.inbox.wait(forFixes: 5)
    daemon.hold(true)
    try await live.inbox.wait(until: {
      $0.signals.contains { $0.detail?.contains("does not answer any more") == true }
    })
    daemon.hold(false)
    try await live.inbox.wait(forFixes: 5)
  }

  @Test func severalReceiversKeepTheirPathsAndNames() async throws {
    let (one, two) = (SampleReceiver(try PseudoTerminal("one")), SampleReceiver(try PseudoTerminal("two")))
    let daemon = try GPSDaemon(one.line.path, two.line.path)
    var options = SourceOptions()
    options.receivers = [("bow", "*/one")]
    let named = try Running("127.0.0.1:\(daemon.port)", options)
    let unnamed = try Running("127.0.0.1:\(daemon.port)")
    let chosen = try Running("127.0.0.1:\(daemon.port):\(two.line.path)")
    for live in [named, unnamed] {
      try await live.inbox.wait(until: { Set($0.fixes.map(\.fix.device)).count == 2 && $0.fixes.count >= 20 })
    }
    try await chosen.inbox.wait(forFixes: 5)
    #expect(Set(named.inbox.fixes.map(\.fix.device)) == ["bow", "default"])
    #expect(Set(unnamed.inbox.fixes.map(\.fix.device)) == [one.line.path, two.line.path])
    #expect(Set(chosen.inbox.fixes.map(\.fix.device)) == ["default"])
    #expect(chosen.inbox.signals.last?.receiver == two.line.path)
  }

  @Test func twoReceiversThatMatchOneNameAreToldAndNotMixed() async throws {
    let (one, two) = (SampleReceiver(try PseudoTerminal("one")), SampleReceiver(try PseudoTerminal("two")))
    let paths = [one.line.path, two.line.path]
    let daemon = try GPSDaemon(paths[0], paths[1])
    var options = SourceOptions()
    options.receivers = [("van", "*")]
    let live = try Running("127.0.0.1:\(daemon.port)", options)
    try await live.inbox.wait(until: { Set($0.fixes.map(\.fix.device)).count == 2 && $0.fixes.count >= 20 })
    let second = try #require(live.inbox.fixes.map(\.fix.device).first { $0 != "van" })
    let first = paths[0] == second ? paths[1] : paths[0]
    #expect(Set(live.inbox.fixes.map(\.fix.device)) == ["van", second] && paths.contains(second))
    #expect(
      live.inbox.signals.last { $0.device == second }?.detail
        == "Two receivers match the name 'van': \(first) and \(second). "
        + "Give each its own pattern with 'fenceline settings set receiver.NAME PATTERN'.")
    #expect(live.inbox.signals.last { $0.device == "van" }?.detail == nil)
  }

  @Test func aReceiverThatGPSDDoesNotHaveIsNamed() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port):/dev/ttyNone", .silence(1))
    try await live.inbox.wait(for: .noReceiver)
    #expect(
      live.inbox.signals.last?.detail
        == "gpsd at 127.0.0.1:\(daemon.port) has no receiver '/dev/ttyNone', but \(receiver.line.path). "
        + "Check the path.")
    try await Task.sleep(for: .seconds(2.5))
    #expect(live.inbox.fixes.isEmpty && live.inbox.signals.count == 2)
  }

  @Test func aDaemonWithoutReceiversSaysSo() async throws {
    let daemon = try GPSDaemon()
    let live = try Running("127.0.0.1:\(daemon.port)", .silence(1))
    try await live.inbox.wait(for: .noReceiver)
    #expect(live.inbox.signals.last?.detail?.contains("has no receiver. Plug one in") == true)
    let receiver = SampleReceiver(try PseudoTerminal())
    try daemon.add(receiver.line.path)
    try await live.inbox.wait(forFixes: 3)
  }

  @Test func tenFixesEachSecondAllArrive() async throws {
    let receiver = SampleReceiver(try PseudoTerminal(), every: 100)
    let daemon = try GPSDaemon(receiver.line.path)
    let live = try Running("127.0.0.1:\(daemon.port)")
    try await live.inbox.wait(forFixes: 40)
    let times = live.inbox.fixes.map(\.fix.time)
    // gpsd listens before it has understood the receiver, and knows the date from the first RMC on.
    let first = try #require(times.first { receiver.sent.contains($0) })
    let found = Array(times.drop { $0 != first })
    let sent = receiver.sent.drop { $0 != first }.prefix(found.count)
    #expect(found == Array(sent))
    #expect(found.count > 30)
  }
}
