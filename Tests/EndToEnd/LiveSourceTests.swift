import FencelineTestSupport
import Foundation
import Testing

/// Each kind of source gives the crossings that a replay of the same bytes gives.
@Suite("Live sources", .ownThread) struct LiveSourceTests {
  /// A scene with a drive of 70 s through the region, as `drive.nmea`.
  private func scene() throws -> LiveScene {
    let scene = try LiveScene()
    try scene.fenceline(
      "simulate", "--from", "\(Vehicle.latitude(at: 0)),8", "--to", "\(Vehicle.latitude(at: 1_400)),8",
      "--speed", "20m/s", "--start", "2026-03-01T00:00:00Z", "--output", scene.scratch.path("drive.nmea"))
    return scene
  }

  /// Waits for the last crossing and compares with a replay.
  private func check(_ scene: LiveScene, location: SourceLocation = #_sourceLocation) throws {
    try scene.wait(forEntries: 1, exits: 1)
    let live = try scene.crossings()
    let replay = try scene.scratch.fenceline("replay", "--json", "--dry-run", "drive.nmea")
    let expected = try replay.decoded(CrossingLine.self)
    #expect(expected.map(\.kind) == ["entry", "exit"], sourceLocation: location)
    #expect(live.map(\.essence) == expected.map(\.essence), sourceLocation: location)
    try scene.end()
  }

  /// The drive's epochs.
  private func epochs(_ scene: LiveScene) throws -> [String] {
    var epochs: [String] = []
    for line in try scene.scratch.text("drive.nmea").split(whereSeparator: \.isNewline) {
      if line.hasPrefix("$GPRMC") || line.hasPrefix("$GNRMC") { epochs.append("") }
      try #require(!epochs.isEmpty)
      epochs[epochs.count - 1] += line + "\r\n"
    }
    try #require(epochs.count == 71)
    return epochs
  }

  @Test func aSerialPort() throws {
    let scene = try scene()
    let line = try PseudoTerminal()
    try scene.serve("--source", "serial://\(line.path)?baud=9600")
    for epoch in try epochs(scene) {
      line.write(epoch)
      usleep(20_000)
    }
    try check(scene)
  }

  @Test func standardInput() throws {
    let scene = try scene()
    let service = try RunningProgram(
      ["/bin/sh", "-c", "exec \"$FENCELINE\" serve --source - < drive.nmea"],
      environment: scene.scratch.environment(), in: scene.scratch.folder)
    try scene.adopt(service)
    let status = try scene.wait("its end") { $0.sources.first?.state == "no receiver" }
    #expect(status.problems.first == "Standard input has ended.")
    try check(scene)
  }

  @Test func aServerOfSentences() throws {
    let scene = try scene()
    guard try scene.scratch.shell("command -v socat").status == 0 else {
      try Test.cancel("socat is not installed")
    }
    let port = try GPSDaemon.freePort()
    try scene.serve("--source", "tcp://127.0.0.1:\(port)")
    try scene.wait("nobody is there") {
      $0.problems.count == 1 && $0.problems[0].contains("connection refused")
    }
    let server = try RunningProgram(
      ["/usr/bin/env", "socat", "-u", "OPEN:drive.nmea", "TCP-LISTEN:\(port),bind=127.0.0.1,reuseaddr"],
      environment: scene.scratch.environment(), in: scene.scratch.folder)
    try check(scene)
    #expect(server.ends(within: 10))
  }

  @Test func datagrams() throws {
    let scene = try scene()
    let port = try GPSDaemon.freePort()
    try scene.serve("--source", "udp://127.0.0.1:\(port)")
    let sender = try DatagramSender(to: port)
    for epoch in try epochs(scene) {
      sender.send(epoch)
      usleep(20_000)
    }
    try check(scene)
  }

  @Test func twoSourcesAreTwoDevices() throws {
    let scene = try LiveScene()
    let receivers = [SampleReceiver(try PseudoTerminal("one")), SampleReceiver(try PseudoTerminal("two"))]
    let paths = receivers.map(\.line.path).sorted()
    try scene.serve("--source", "serial://\(paths[0])", "--source", "serial://\(paths[1])")
    let status = try scene.wait("a fix of each") {
      $0.devices.count { $0.state == "3D" } == 2 && $0.sources.allSatisfy { $0.state == "3D" }
    }
    withExtendedLifetime(receivers) {}
    #expect(status.devices.map(\.device) == paths)
    try scene.end()
  }

  @Test(.enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
  func whatGPSDSaysGivesTheSameLiveAndReplayed() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    let recorder = try RunningProgram(
      ["/usr/bin/env", "gpspipe", "-w", "127.0.0.1:\(daemon.port)"],
      environment: scene.scratch.environment(), in: scene.scratch.folder)
    guard try recorder.writes("\"TPV\"") else { try Test.cancel("gpspipe is not installed") }
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    for (turn, place) in [600.0, 800, 560, 400].enumerated() {
      vehicle.drive(to: place, speed: 40)
      try scene.wait(forEntries: turn / 2 + 1, exits: (turn + 1) / 2)
    }
    let live = try scene.crossings()
    try scene.end()
    vehicle.stop()
    recorder.signal(SIGTERM)
    try scene.scratch.write("log.json", try recorder.result(within: 10).output)
    let replayed = try scene.fenceline("replay", "--json", "--dry-run", "log.json").decoded(CrossingLine.self)
    #expect(live.map(\.kind) == ["entry", "exit", "entry", "exit"])
    #expect(live.map(\.essence) == replayed.map(\.essence))
    try scene.check(["entry", "exit", "entry", "exit"], of: vehicle)
  }
}
