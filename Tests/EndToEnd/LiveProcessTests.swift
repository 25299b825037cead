import FencelineTestSupport
import Foundation
import Testing

/// The service as a process: alone, ended, killed, supervised.
@Suite("Live process", .ownThread, .enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct LiveProcessTests {
  @Test func aSecondOneIsRefused() throws {
    let scene = try LiveScene()
    let daemon = try GPSDaemon()
    try scene.serve(daemon)
    let process = try #require(scene.status).process
    let second = try scene.scratch.fenceline("serve")
    #expect(second.status == 75 && second.errors.count == 1)
    #expect(second.error.contains("is served already, by fenceline (process \(process))."))
    // The first one has not noticed.
    #expect(scene.status?.process == process)
    try scene.end()
    try scene.scratch.checkSoundness()
  }

  /// Drives in, ends the service somehow, moves about while there is none, and drives out when there is one again.
  private func restart(_ signal: Int32) throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    let before = try #require(scene.status)
    if signal == SIGTERM {
      let run = try scene.end()
      #expect(run.error.contains("The service has ended; nothing is lost."))
      try scene.scratch.checkSoundness()
      let runs = try scene.fenceline("runs", "--json").decoded(RunLine.self)
      #expect(runs.map(\.kind) == ["live"] && runs[0].fixes >= before.fixes.read)
    } else {
      let program = try #require(scene.service)
      program.signal(signal)
      #expect(program.ends(within: 10))
    }
    #expect(try scene.visits() == ["gate open"])
    vehicle.drive(to: 640, speed: 10)
    try scene.serve(daemon)
    let after = try #require(scene.status)
    // It knows at once what it knew, with all its counts.
    #expect(after.run == before.run && after.isInside("gate") && after.fixes.read >= before.fixes.read)
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 800)
    try scene.wait(forEntries: 0, exits: 1)
    try scene.check(["entry", "exit"], of: vehicle)
    #expect(try scene.visits() == ["gate exit"])
    #expect(try scene.crossings().map(\.sequence) == [1, 2])
    try scene.end()
    try scene.scratch.checkSoundness()
  }

  @Test func endedItGoesOnWhereItStood() throws {
    try restart(SIGTERM)
  }

  @Test func killedItGoesOnWhereItStood() throws {
    try restart(SIGKILL)
  }

  @Test func systemdIsTold() throws {
    let scene = try LiveScene()
    guard try scene.scratch.shell("command -v socat").status == 0 else {
      try Test.cancel("socat is not installed")
    }
    let line = try PseudoTerminal()
    let vehicle = Vehicle(at: 600, on: line)
    let daemon = try GPSDaemon(line.path)
    let socket = scene.scratch.path("notify")
    let supervisor = try RunningProgram(
      ["/usr/bin/env", "socat", "-u", "UNIX-RECV:\(socket)", "-"],
      environment: scene.scratch.environment(), in: scene.scratch.folder)
    while !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
    try scene.serve(
      "--gpsd", "127.0.0.1:\(daemon.port)", with: ["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "3000000"])
    #expect(try supervisor.writes("READY=1"))
    #expect(try supervisor.writes("STATUS=default 3D, 1 regions"))
    for _ in 0..<1000 where try supervisor.text("output").matches(of: /WATCHDOG=1/).count < 3 {
      usleep(10_000)
    }
    #expect(try supervisor.text("output").matches(of: /WATCHDOG=1/).count >= 3)
    #expect(try !supervisor.text("output").contains("STOPPING=1"))
    try scene.end()
    #expect(try supervisor.writes("STOPPING=1"))
    supervisor.signal(SIGTERM)
    vehicle.stop()
  }
}
