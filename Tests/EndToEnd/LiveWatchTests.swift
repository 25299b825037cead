import FencelineTestSupport
import Foundation
import Testing

/// `watch` beside a service with a real gpsd.
@Suite("Live watch", .ownThread, .enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct LiveWatchTests {
  @Test func crossingsAreSeenAtOnceAndAfterARestart() throws {
    let scene = try LiveScene()
    let line = try PseudoTerminal()
    let vehicle = Vehicle(on: line)
    let daemon = try GPSDaemon(line.path)
    try scene.serve(daemon)
    // Each line with the time at which it came.
    let script = #""$FENCELINE" watch --json | while read -r line; do echo "$(date +%s.%N) $line"; done"#
    let watch = try RunningProgram(
      ["/bin/sh", "-c", script], environment: scene.scratch.environment(), in: scene.scratch.folder)
    try scene.wait("watch is there") { $0.queues.watchers.clients == 1 }
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    #expect(try watch.writes(#""kind":"entry""#))
    vehicle.drive(to: 800)
    #expect(try watch.writes(#""kind":"exit""#))
    try scene.end()
    #expect(try watch.writes("The service has stopped", to: "error"))
    try scene.serve(daemon)
    #expect(try watch.writes("The service is back.", to: "error"))
    try scene.wait(forFixOf: "default")
    vehicle.drive(to: 600)
    try scene.wait(forEntries: 1, exits: 0)
    #expect(try watch.writes(#""sequence":3,"#))
    watch.signal(SIGTERM)
    try scene.end()

    var delays: [Double] = []
    for text in try watch.text("output").split(separator: "\n") where text.contains(#""type":"crossing""#) {
      let parts = text.split(separator: " ", maxSplits: 1)
      let crossing = try JSONDecoder().decode(CrossingLine.self, from: Data(parts[1].utf8))
      delays.append((Double(parts[0]) ?? .infinity) - seconds(crossing.confirmedAt))
    }
    #expect(delays.count == 3)
    // A machine that is busy with other tests may take its time, but not with every one of them.
    #expect(delays.allSatisfy { $0 < 5 } && delays.contains { $0 < 1 }, "\(delays)")
    try scene.check(["entry", "exit", "entry"], of: vehicle)
  }
}
