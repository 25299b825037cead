import FencelineTestSupport
import Foundation
import Testing

/// Whatever is wrong is told in one line, and the service goes on when it is mended.
@Suite("Live troubles", .ownThread) struct LiveTroubleTests {
  @Test func aSourceThatIsNoneIsToldUntilItIsMended() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    try scene.fenceline("settings", "set", "sources", "serial:///dev/null")
    try scene.serve()
    try scene.wait(forProblem: "Cannot read the serial port '/dev/null': it is no serial port.")
    let vehicle = Vehicle(on: line)
    try scene.fenceline("settings", "set", "sources", "serial://\(line.path)?baud=9600")
    try scene.wait(forFixOf: "default")
    #expect(try #require(scene.status).problems.isEmpty)
    line.pullOut()
    try scene.wait(forProblem: "The serial port '\(line.path)' has gone. Plug the receiver in again.")
    try line.plugIn()
    try scene.wait(forFixOf: "default")
    #expect(try #require(scene.status).problems.isEmpty)
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    try scene.check(["entry"], of: vehicle)
    try scene.end()
  }

  @Test func aPortThatMayNotBeReadIsTold() throws {
    let scene = try LiveScene()
    guard geteuid() == 0, try scene.scratch.shell("command -v setpriv").status == 0 else {
      try Test.cancel("only the superuser can be someone else")
    }
    let line = try PseudoTerminal()
    _ = try scene.scratch.shell(
      "chmod 777 . && chmod 666 fenceline.db && chmod 600 \"$(readlink \"$1\")\"", line.path)
    let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let words = [Project.program, "serve", "--source", "serial://\(line.path)?baud=9600"]
    let probe = try RunningProgram(
      nobody + [Project.program, "--version"], environment: scene.scratch.environment(),
      in: scene.scratch.folder
    ).result()
    guard probe.status == 0 else { try Test.cancel("nobody may not run the program where it lies") }
    try scene.adopt(
      RunningProgram(nobody + words, environment: scene.scratch.environment(), in: scene.scratch.folder))
    try scene.wait(
      forProblem:
        "Cannot read the serial port '\(line.path)': you are not allowed to. Type 'sudo usermod -aG dialout")
    let vehicle = Vehicle(on: line)
    _ = try scene.scratch.shell("chmod 666 \"$(readlink \"$1\")\"", line.path)
    try scene.wait(forFixOf: "default")
    #expect(try #require(scene.status).problems.isEmpty)
    vehicle.stop()
    try scene.end()
  }

  @Test(.enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
  func aWrongPortIsTold() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    let free = try GPSDaemon.freePort()
    try scene.fenceline("settings", "set", "sources", "gpsd://127.0.0.1:\(free)")
    try scene.serve()
    try scene.wait(
      forProblem:
        "Cannot reach gpsd at 127.0.0.1:\(free): connection refused. Start it with 'systemctl start gpsd.socket'"
    )
    let server = try RunningProgram(
      ["/usr/bin/env", "python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"],
      environment: scene.scratch.environment(), in: scene.scratch.folder)
    #expect(try server.writes("http://127.0.0.1"))
    let port = try #require(try server.text("output").firstMatch(of: /port (\d+)/)).1
    try scene.fenceline("settings", "set", "sources", "gpsd://127.0.0.1:\(port)")
    try scene.wait(
      forProblem: "What listens at 127.0.0.1:\(port) does not speak as gpsd does. Check the port")
    server.signal(SIGTERM)
    try scene.fenceline("settings", "set", "sources", "gpsd://127.0.0.1:\(daemon.port)/dev/ttyNone")
    try scene.wait(
      forProblem:
        "gpsd at 127.0.0.1:\(daemon.port) has no receiver '/dev/ttyNone', but \(line.path). Check the path.")
    try scene.fenceline("settings", "set", "sources", "gpsd://127.0.0.1:\(daemon.port)")
    try scene.wait(forFixOf: "default")
    #expect(try #require(scene.status).problems.isEmpty)
    vehicle.stop()
    try scene.end()
  }

  @Test func whileAnotherWritesFixesWait() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    try scene.serve("--source", "serial://\(line.path)?baud=9600")
    try scene.wait(forFixOf: "default")
    let other = try RunningProgram(
      [
        "/bin/sh", "-c",
        #"(echo 'BEGIN IMMEDIATE;'; echo '.print locked'; sleep 12; echo 'COMMIT;') | sqlite3 "$FENCELINE_DB""#,
      ],
      environment: scene.scratch.environment(), in: scene.scratch.folder)
    let (read, sent) = (try #require(scene.status).fixes.read, vehicle.fixes)
    try scene.wait(forProblem: "sqlite3 (process ")
    vehicle.drive(to: 600)
    #expect(try other.result().status == 0)
    try scene.wait(forEntries: 1, exits: 0)
    let status = try scene.wait("nothing is wrong") { $0.problems.isEmpty }
    #expect(status.fixes.read - read >= 60)
    vehicle.drive(to: 800)
    try scene.wait(forEntries: 1, exits: 1)
    vehicle.stop()
    try scene.check(["entry", "exit"], of: vehicle)
    let all = vehicle.fixes - sent
    let last = try scene.wait("every fix") { $0.fixes.read - read >= all }
    #expect(last.fixes.read - read <= all + 1)
    try scene.end()
    try scene.scratch.checkSoundness()
  }

  @Test func aFullDiskIsToldAndNothingIsLost() throws {
    let scene = try LiveScene()
    guard try scene.scratch.shell("mkdir disk && mount -t tmpfs -o size=2m tmpfs disk").status == 0 else {
      try Test.cancel("a file system of its own can be mounted by the superuser alone")
    }
    defer { _ = try? scene.scratch.shell("umount disk || umount -l disk") }
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    try scene.moveDatabase(to: "disk/fenceline.db")
    try scene.serve("--source", "serial://\(line.path)?baud=9600")
    try scene.wait(forFixOf: "default")
    _ = try scene.scratch.shell("cat /dev/zero > disk/ballast")
    try scene.wait(forProblem: "the disk is full. Free some space")
    vehicle.drive(to: 600)
    sleep(3)
    _ = try scene.scratch.shell("rm disk/ballast")
    try scene.wait(forEntries: 1, exits: 0)
    try scene.wait("nothing is wrong") { $0.problems.isEmpty }
    vehicle.drive(to: 800)
    try scene.wait(forEntries: 1, exits: 1)
    vehicle.stop()
    try scene.check(["entry", "exit"], of: vehicle)
    try scene.end()
    #expect(try scene.scratch.sql("PRAGMA integrity_check", in: scene.database) == ["ok"])
  }
}
