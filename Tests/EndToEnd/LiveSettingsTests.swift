import FencelineTestSupport
import Foundation
import Testing

/// Settings that are changed while the service runs.
@Suite("Live settings", .ownThread, .enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct LiveSettingsTests {
  @Test func theyTakeEffectWithoutARestart() throws {
    let scene = try LiveScene()
    let (first, second) = (try PseudoTerminal("ttyFirst"), try PseudoTerminal("ttySecond"))
    let (near, far) = (Vehicle(at: 400, on: first), Vehicle(at: 900, on: second))
    let (one, other) = (try GPSDaemon(first.path), try GPSDaemon(second.path))
    try scene.fenceline("settings", "set", "sources", "gpsd://127.0.0.1:\(one.port)")
    try scene.serve()
    try scene.wait(forFixOf: "default")

    try scene.fenceline("settings", "set", "max-accuracy", "1")
    let coarse = try scene.wait("fixes are too coarse") { ($0.fixes.rejected["coarse"] ?? 0) > 10 }
    try scene.fenceline("settings", "unset", "max-accuracy")
    try scene.wait("fixes count again") { $0.fixes.accepted > coarse.fixes.accepted + 5 }

    try scene.fenceline("settings", "set", "receiver.van", "*/ttyFirst")
    try scene.wait("the van has its name") { $0.state(of: "van") == "3D" }
    near.drive(to: 600)
    try scene.wait("the van is inside") { $0.isInside("gate", "van") }

    try scene.fenceline("settings", "set", "sources", "gpsd://127.0.0.1:\(other.port)")
    try scene.fenceline("settings", "set", "device", "boat")
    let changed = try scene.wait("the other gpsd is followed") { $0.state(of: "boat") == "3D" }
    #expect(changed.sources.map(\.name) == ["gpsd 127.0.0.1:\(other.port)"])
    sleep(1)
    far.drive(to: 600)
    try scene.wait("the boat is inside") { $0.isInside("gate", "boat") }
    let crossings = try scene.crossings()
    #expect(crossings.map { "\($0.device) \($0.kind)" } == ["van entry", "boat entry"])
    try scene.check(["entry"], of: near, device: "van")
    try scene.check(["entry"], of: far, device: "boat")
    try scene.end()
  }
}
