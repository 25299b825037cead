import FencelineTestSupport
import Foundation
import Testing

/// The service behind a real gpsd that loses its receiver, or is lost itself.
@Suite("Live unplugged", .ownThread, .enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct LiveUnplugTests {
  /// Drives into the region, lets something happen there, and drives out of it.
  private func drive(
    _ signals: [String]?, around trouble: (LiveScene, GPSDaemon, PseudoTerminal) throws -> Void,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    try trouble(scene, daemon, line)
    let back = try scene.wait("a fix again", 90) { $0.state() == "3D" }
    #expect(back.problems.isEmpty, sourceLocation: location)
    #expect(back.isInside("gate"), sourceLocation: location)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 800)
    try scene.wait(forEntries: 1, exits: 1)
    try scene.check(["entry", "exit"], of: vehicle, location: location)
    let events = try scene.signals().compactMap(\.event)
    try scene.check(
      signals: signals ?? (events.isEmpty ? [] : ["signal lost", "signal back"]), location: location)
    #expect(try scene.visits() == ["gate exit"], sourceLocation: location)
    try scene.end()
  }

  @Test func pulledOutForFiveSeconds() throws {
    // Whether that is long enough to be a loss depends on how soon gpsd opens it again.
    try drive(nil) { scene, daemon, line in
      line.pullOut()
      sleep(5)
      try line.plugIn()
      let before = try #require(scene.status).fixes.read
      let next = try scene.wait("gpsd has it back or not") {
        $0.fixes.read > before + 3 || ["no receiver", "silent"].contains($0.state())
      }
      // Now and then gpsd keeps it and does not open it again; udev tells it what has happened.
      if next.fixes.read <= before + 3 {
        try? daemon.remove(line.path)
        try daemon.add(line.path)
      }
    }
  }

  @Test func pulledOutForThirtySeconds() throws {
    try drive(["signal lost", "signal back"]) { scene, daemon, line in
      let began = Date()
      line.pullOut()
      try scene.wait("the receiver is missed") { !["2D", "3D"].contains($0.state()) }
      sleep(UInt32(max(0, 30 + began.timeIntervalSinceNow)))
      try line.plugIn()
      try? daemon.remove(line.path)
      try daemon.add(line.path)
    }
  }

  @Test func removedAndAddedThroughTheControlSocket() throws {
    try drive(["signal lost", "signal back"]) { scene, daemon, line in
      try daemon.remove(line.path)
      try scene.wait(forProblem: "has let its receiver \(line.path) go. Plug it in again.")
      try daemon.add(line.path)
    }
  }

  @Test func gpsdStandsForAMinute() throws {
    try drive(["signal lost", "signal back"]) { scene, daemon, line in
      daemon.stop()
      try scene.wait(forProblem: "Cannot reach gpsd at 127.0.0.1:\(daemon.port): connection refused.")
      sleep(60)
      try daemon.start([line.path])
    }
  }
}
