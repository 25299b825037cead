import FencelineTestSupport
import Foundation
import Testing

/// Regions that are changed while the service runs.
@Suite("Live regions", .ownThread, .enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct LiveRegionTests {
  /// Seconds in which a change is in effect: one, and one more for a machine that has other things to do.
  private static let promptly = 2.0

  @Test func changesTakeEffectAtOnce() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(at: 1_200, on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")

    try scene.addRegion("yard", at: 1_200)
    try scene.wait("the new region counts", Self.promptly) { $0.regions == 2 }
    try scene.wait("the device is inside") { $0.isInside("yard") }
    #expect(try scene.visits() == ["yard open"])

    try scene.fenceline("region", "edit", "yard", "--centre", "\(Vehicle.latitude(at: 1_600)),8")
    #expect(try scene.visits() == ["yard edited"])
    try scene.wait("the moved region is not round the device", Self.promptly) { !$0.isInside("yard") }
    try scene.fenceline("region", "edit", "yard", "--centre", "\(Vehicle.latitude(at: 1_200)),8")
    try scene.wait("the device is inside again") { $0.isInside("yard") }

    try scene.fenceline("region", "disable", "yard")
    #expect(try scene.visits() == ["yard edited", "yard disabled"])
    try scene.wait("the disabled region does not count", Self.promptly) { $0.regions == 1 }
    try scene.fenceline("region", "enable", "yard")
    try scene.wait("the region counts again", Self.promptly) { $0.regions == 2 }
    try scene.wait("the device is inside once more") { $0.isInside("yard") }

    try scene.fenceline("region", "remove", "yard")
    #expect(try scene.visits() == ["yard edited", "yard disabled", "yard removed"])
    try scene.wait("the removed region does not count", Self.promptly) { $0.regions == 1 }
    // Whoever stands in a region that appears or goes has not crossed anything.
    #expect(try scene.crossings().isEmpty)

    try scene.addRegion("field", at: 1_500)
    try scene.wait("the field counts", Self.promptly) { $0.regions == 2 }
    sleep(1)
    vehicle.drive(to: 1_500)
    try scene.wait(forEntries: 1, exits: 0)
    let entry = try #require(try scene.crossings().last)
    let meeting = try #require(vehicle.meetings(centre: 1_500, radius: LiveScene.radius).last)
    #expect(entry.region == "field" && entry.kind == "entry" && abs(entry.time - meeting.time) < 1)
    try scene.check(signals: [])
    try scene.end()
  }

  @Test func aDwellIsDueEvenIfTheReceiverFallsSilent() throws {
    let scene = try LiveScene()
    try scene.fenceline("region", "edit", "gate", "--dwell", "14s")
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    vehicle.send(.nothing)
    try scene.wait("the dwell") { $0.crossings["dwell"] == 1 }
    let crossings = try scene.crossings()
    try #require(crossings.map(\.kind) == ["entry", "dwell"])
    #expect(abs(crossings[1].time - crossings[0].time - 14) < 0.002)
    #expect(vehicle.lastTime < crossings[1].time - 5)
    try scene.check(signals: ["signal lost"])
    try scene.end()
  }
}
