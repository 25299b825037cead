import FencelineTestSupport
import Foundation
import Testing

/// The service behind a real gpsd whose receiver loses its fix, its tongue or its time.
@Suite("Live signal", .ownThread, .enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct LiveSignalTests {
  @Test func aColdStartWithoutADateHasCrossings() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(at: 400, .undated, on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    vehicle.send(.fix)
    sleep(2)
    vehicle.drive(to: 800)
    try scene.wait(forEntries: 1, exits: 1)
    try scene.check(["entry", "exit"], of: vehicle)
    try scene.check(signals: [])
    try scene.end()
  }

  @Test func aFixIsLostAndComesBack() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    vehicle.send(.noFix)
    try scene.wait("no fix") { $0.state() == "no fix" }
    sleep(3)
    vehicle.send(.fix)
    try scene.wait("a fix again") { $0.state() == "3D" }
    vehicle.drive(to: 800)
    try scene.wait(forEntries: 1, exits: 1)
    try scene.check(["entry", "exit"], of: vehicle)
    try scene.check(signals: ["signal lost", "signal back"])
    #expect(try scene.visits() == ["gate exit"])
    try scene.end()
  }

  @Test func fifteenSecondsOfSilenceAreToldAndEnd() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    vehicle.send(.nothing)
    let began = Date()
    let silent = try scene.wait("silence") { $0.state() == "silent" }
    #expect(silent.isInside("gate"))
    #expect(silent.problems.count { $0.hasPrefix("Nothing has come from \(line.path) for ") } == 1)
    sleep(UInt32(max(0, 15 + began.timeIntervalSinceNow)))
    vehicle.send(.fix)
    let back = try scene.wait("a fix again") { $0.state() == "3D" }
    #expect(back.problems.isEmpty)
    vehicle.drive(to: 800)
    try scene.wait(forEntries: 1, exits: 1)
    try scene.check(["entry", "exit"], of: vehicle)
    try scene.check(signals: ["signal lost", "signal back"])
    #expect(try scene.visits() == ["gate exit"])
    try scene.end()
  }

  @Test func tenFixesASecondAreAllTaken() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(rate: 10, on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    let (sent, read) = (vehicle.fixes, try #require(scene.status).fixes.read)
    vehicle.drive(to: 600, speed: 20)
    vehicle.drive(to: 800, speed: 20)
    try scene.wait(forEntries: 1, exits: 1)
    vehicle.stop()
    let missing = vehicle.fixes - sent
    let last = try scene.wait("the last fix", 10) { $0.fixes.read - read >= missing - 2 }
    // The one that was under way when the count began, and the last one, whose end gpsd does not see.
    #expect(abs(last.fixes.read - read - missing) <= 2)
    #expect(last.fixes.read - last.fixes.accepted <= 1)
    try scene.check(["entry", "exit"], of: vehicle)
    try scene.check(signals: [])
    try scene.end()
  }
}
