import Foundation
import Testing

/// A real gpsd, fed with a sample log by gpsfake.
@Suite("gpsd") struct GPSDTests {
  @Test func whatGPSDMakesOfALogGivesTheSameCrossings() throws {
    let scratch = try Scratch.withRegions()
    guard try scratch.shell("for name in gpsd gpsfake; do command -v $name || exit 1; done").status == 0
    else {
      try Test.cancel("gpsd and its clients are not installed")
    }
    // Up to the exit from the tunnel, 24 minutes; gpsfake's own client prints what `gpspipe -w` does.
    let log = try scratch.shell("head -n 6200 \"$DATA/drive.nmea\" > drive.nmea")
    #expect(log.status == 0)
    let capture = try RunningProgram(
      ["/usr/bin/env", "gpsfake", "-1", "-p", "-q", "-c", "0", "drive.nmea"],
      environment: scratch.environment(),
      in: scratch.folder
    ).result(within: 60)
    // Between gpsd's reports stand the receiver's sentences, whose lines end with CR LF.
    let reports = capture.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }
    guard reports.contains(where: { $0.contains("\"TPV\"") }) else {
      try Test.cancel("gpsd does not run here: \(capture.error)")
    }
    try scratch.write("capture.json", reports.joined(separator: "\n") + "\n")

    let direct = try scratch.fenceline("replay", "--json", "drive.nmea")
    let through = try scratch.fenceline("replay", "--json", "capture.json")
    #expect(direct.status == 0 && through.status == 0, "\(through.error)")
    let expected = try direct.decoded(CrossingLine.self)
    let found = try through.decoded(CrossingLine.self)
    #expect(expected.count >= 8)
    #expect(found.map { $0.region + " " + $0.kind } == expected.map { $0.region + " " + $0.kind })
    for (one, other) in zip(found, expected) {
      #expect(abs(one.time - other.time) < 5, "\(one.region) \(one.kind)")
    }
    // gpsd tells of an epoch several times; it counts once.
    let runs = try scratch.fenceline("runs", "--json").decoded(RunLine.self)
    #expect(reports.count { $0.contains("\"TPV\"") } > runs[0].fixes)
    #expect(abs(runs[0].accepted - runs[1].accepted) < 30)
  }
}
