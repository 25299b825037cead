import FencelineTestSupport
import Foundation
import Testing

/// The service behind a real gpsd with several receivers, or with one whose clock jumps.
@Suite("Live receivers", .ownThread, .enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct LiveReceiverTests {
  @Test func twoReceiversCrossOnTheirOwn() throws {
    let scene = try LiveScene()
    try scene.fenceline("settings", "set", "receiver.van", "*/ttyVan")
    try scene.fenceline("settings", "set", "receiver.boat", "*/ttyBoat")
    let (first, second) = (try PseudoTerminal("ttyVan"), try PseudoTerminal("ttyBoat"))
    let (van, boat) = (Vehicle(on: first), Vehicle(at: 600, on: second))
    let daemon = try GPSDaemon(first.path, second.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "van")
    try scene.wait("the boat is inside") { $0.isInside("gate", "boat") && !$0.isInside("gate", "van") }
    van.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    boat.drive(to: 800)
    try scene.wait(forEntries: 1, exits: 1)
    van.drive(to: 400)
    try scene.wait(forEntries: 1, exits: 2)
    try scene.check(["entry", "exit"], of: van, device: "van")
    try scene.check(["exit"], of: boat, device: "boat")
    try scene.check(signals: [])
    #expect(try #require(scene.status).devices.map(\.device) == ["boat", "van"])
    #expect(try #require(scene.status).devices.map(\.receiver) == [second.path, first.path])
    try scene.end()
  }

  /// Drives in, sets the receiver's clock for a while, and drives out.
  private func drive(shift: (Vehicle, LiveScene) throws -> Void) throws -> (LiveScene, Vehicle, Bool) {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    try shift(vehicle, scene)
    let status = try scene.wait("inside again") { $0.isInside("gate") }
    vehicle.drive(to: 800)
    try scene.wait(forEntries: 1, exits: 1)
    try scene.end()
    return (scene, vehicle, status.clockSynchronised)
  }

  @Test func aLogThatLoopsBeginsASession() throws {
    let (scene, vehicle, _) = try drive { vehicle, scene in
      vehicle.shiftClock(by: -120)
      try scene.wait("late fixes") { ($0.fixes.rejected["late"] ?? 0) > 20 }
      try scene.wait("a new session is inside") {
        $0.isInside("gate") && ($0.fixes.rejected["late"] ?? 0) > 40
      }
      sleep(4)
    }
    try scene.check(["entry", "exit"], of: vehicle)
    // By the receiver's time the second visit was before the first.
    #expect(try scene.visits() == ["gate exit", "gate session"])
  }

  @Test func aFixOfAnotherYearDoesNotBlockTheReceiver() throws {
    let (scene, vehicle, isSynchronised) = try drive { vehicle, scene in
      vehicle.shiftClock(by: 12 * 365 * 86_400)
      let sent = vehicle.fixes
      while vehicle.fixes < sent + 2 { usleep(10_000) }
      vehicle.shiftClock(by: 0)
      sleep(16)
    }
    // With a clock that is known to be right such a fix does not count at all.
    #expect(try scene.visits() == (isSynchronised ? ["gate exit"] : ["gate session", "gate exit"]))
    let crossings = try scene.crossings()
    #expect(crossings.map(\.kind) == ["entry", "exit"])
    let end = try #require(crossings.last)
    let meeting = try #require(vehicle.meetings(centre: LiveScene.centre, radius: LiveScene.radius).last)
    #expect(abs(end.time - meeting.time) < 1)
  }
}
