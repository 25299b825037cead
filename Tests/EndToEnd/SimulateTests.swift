import Foundation
import Testing

@Suite("simulate") struct SimulateTests {
  /// From the lake through the main station's region: 1.7 km.
  private let way = ["--from", "47.3700,8.5440", "--via", "47.3779,8.5403", "--to", "47.3850,8.5380"]
  private let start = ["--start", "2026-03-01T08:00:00Z"]

  private func simulate(_ words: [String], in scratch: Scratch) throws -> ProgramRun {
    try RunningProgram(
      [Project.program, "simulate"] + words, environment: scratch.environment(), in: scratch.folder
    ).result()
  }

  /// Lines that end with CR LF.
  private func sentences(_ run: ProgramRun) -> [Substring] { run.output.split(whereSeparator: \.isNewline) }

  @Test func aSeedGivesTheBytesOfTheGolden() throws {
    let scratch = try Scratch()
    let words =
      way + start + [
        "--noise", "5m", "--outage", "20s:3s", "--jump", "10s:900m:2s", "--stay", "15s:4s", "--for", "30s",
      ]
    let run = try simulate(words, in: scratch)
    #expect(run.status == 0 && run.error.isEmpty)
    try Golden.check(run.output, against: "simulate.nmea")
    #expect(
      try simulate(words + ["--output", "drive.nmea"], in: scratch).messages == [
        "31 epochs written to 'drive.nmea'"
      ])
    #expect(try scratch.text("drive.nmea") == run.output)
    #expect(try simulate(words + ["--seed", "2"], in: scratch).output != run.output)
    #expect(try scratch.names == ["drive.nmea"])
  }

  @Test func aSimulatedDriveIsEvaluatedLikeARealOne() throws {
    let scratch = try Scratch.withRegions()
    let drive = try simulate(way + start + ["--stay", "60s:10m", "-o", "drive.nmea"], in: scratch)
    #expect(drive.status == 0, "\(drive.error)")
    let replay = try scratch.fenceline("replay", "--json", "drive.nmea")
    #expect(replay.status == 0 && replay.error.contains(" 0 rejected") == false)
    let crossings = try replay.decoded(CrossingLine.self).filter { $0.region == "main-station" }
    #expect(crossings.map(\.kind) == ["entry", "exit"])
  }

  @Test func aTrackIsRiddenAtItsOwnSpeedOrAtAnother() throws {
    let scratch = try Scratch()
    try scratch.write(
      "way.gpx",
      """
      <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="47" lon="8"><ele>400</ele><time>2026-01-01T00:00:00Z</time></trkpt>
      <trkpt lat="47.001" lon="8"><ele>420</ele><time>2026-01-01T00:01:40Z</time></trkpt>
      <trkpt lat="47.001" lon="8"><time>2026-01-01T00:03:20Z</time></trkpt>
      </trkseg></trk></gpx>
      """)
    func fixes(_ words: String...) throws -> [FixLine] {
      let run = try simulate(["way.gpx", "--noise", "0", "-o", "way.nmea"] + start + words, in: scratch)
      #expect(run.status == 0, "\(run.error)")
      return try scratch.fenceline("fixes", "--json", "way.nmea").decoded(FixLine.self)
    }
    // 111.19 m in 100 s, then 100 s at rest.
    let own = try fixes()
    #expect(own.count == 201 && abs((own[50].speed ?? 0) - 1.1119) < 0.002 && own[150].speed == 0)
    #expect(abs(own[50].latitude - 47.0005) < 1e-7 && abs((own[50].altitude ?? 0) - 410) < 0.01)
    let fast = try fixes("--speed", "10m/s")
    #expect(fast.count == 12 && abs((fast[5].speed ?? 0) - 10) < 0.001)
  }

  @Test func routesAreRiddenWhereThereIsNoTrack() throws {
    let scratch = try Scratch()
    try scratch.write(
      "plan.gpx",
      "<gpx><wpt lat='1' lon='1'/><rte><rtept lat='47' lon='8'/><rtept lat='47.001' lon='8'/></rte></gpx>")
    let run = try simulate(["plan.gpx", "--speed", "10m/s", "--noise", "0"] + start, in: scratch)
    #expect(run.status == 0 && sentences(run).count { $0.hasPrefix("$GPRMC") } == 12)
  }

  @Test(
    arguments: [
      ([], "There is no way to go"), (["--from", "1,2"], "There is nowhere to go"),
      (["a.gpx", "--from", "1,2"], "A way is a file or goes"),
      (["--from", "1,2", "--to", "1,3", "--loop", "-o", "x"], "A loop without end"),
      (["--from", "1,2", "--to", "1,3", "--speedup", "2", "-o", "x"], "A file is written at once"),
      (["--from", "1,2", "--to", "1,3", "--pty", "-o", "x"], "A receiver is a device or"),
      (["--from", "1,2", "--to", "1,3", "--speed", "fast"], "a speed is a number with"),
      (["--from", "1,2", "--to", "1,3", "--outage", "5s"], "say when and how long"),
      (["--from", "1,2", "--to", "1,3", "--jump", "5s:x"], "say when, how far"),
    ] as [([String], String)])
  func whatMakesNoSenseIsSaid(_ words: [String], _ sentence: String) throws {
    let scratch = try Scratch()
    let run = try simulate(words, in: scratch)
    #expect(run.status == 64 && run.output.isEmpty && run.error.contains(sentence), "\(run.error)")
    #expect(try scratch.names == [])
  }

  @Test(
    arguments: [
      ("<gpx></gpx>", "without a track or a route"), ("<kml/>", "it is XML, but no GPX file"),
      ("$GPGGA", "it is no GPX file"),
      ("<gpx><trk><trkseg><trkpt lat='99' lon='1'/></trkseg></trk></gpx>", "the point in line 1 is no place"),
    ])
  func whatIsNoWayIsSaid(_ content: String, _ sentence: String) throws {
    let scratch = try Scratch()
    try scratch.write("way.gpx", content)
    let run = try simulate(["way.gpx"], in: scratch)
    #expect(run.status == 65 && run.errors.count == 1 && run.error.contains(sentence), "\(run.error)")
    #expect(try simulate(["none.gpx"], in: scratch).status == 74)
  }

  @Test func aRealGPSDReadsTheDeviceAndMayLeaveAndComeBack() throws {
    let scratch = try Scratch()
    guard try scratch.shell("for name in gpsd gpspipe; do command -v $name || exit 1; done").status == 0
    else {
      try Test.cancel("gpsd and its clients are not installed")
    }
    let run = try scratch.shell(
      """
      "$FENCELINE" simulate --from 47,8 --to 47.5,8 --noise 2m --link "$PWD/gps" > device & receiver=$!
      while [ ! -s device ]; do sleep 0.1; done
      read_some() {
        gpsd -N -n -F "$PWD/control" -S $1 "$PWD/gps" 2>> gpsd.log & daemon=$!
        until gpspipe -w -n 12 127.0.0.1:$1 >> $2 2>/dev/null && grep -q '"mode":3' $2; do sleep 0.2; done
        kill $daemon; wait $daemon
      }
      read_some \(port) first.json
      read_some \(port) second.json
      readlink gps > link
      kill $receiver; wait $receiver; echo "status $?"
      """)
    #expect(run.output == "status 0\n", "\(run.output)\(run.error)")
    #expect(try scratch.text("device") == scratch.path("gps") + "\n")
    #expect(try scratch.text("link").hasPrefix("/dev/pts/"))
    #expect(try !scratch.names.contains("gps"))
    for name in ["first.json", "second.json"] {
      let fixes = try scratch.fenceline("fixes", "--json", name).decoded(FixLine.self)
      #expect(fixes.count >= 3, "\(name)")
      for fix in fixes {
        #expect(abs(fix.longitude - 8) < 0.0003 && abs((fix.speed ?? 50 / 3.6) - 50 / 3.6) < 0.1)
        #expect(abs(fix.epoch - Date().timeIntervalSince1970) < 60)
      }
    }
  }

  /// A port that nobody else is likely to use.
  private let port = 20_000 + Int(getpid()) % 20_000

  @Test func aFileIsNotReplacedByALink() throws {
    let scratch = try Scratch()
    try scratch.write("precious", "x")
    let run = try simulate(["--from", "1,2", "--for", "1s", "--link", "precious"], in: scratch)
    #expect(run.status == 73 && run.error.contains("Cannot make the link 'precious'"), "\(run.error)")
    #expect(try scratch.text("precious") == "x")
  }

  @Test func pacedOutputComesAsTimeGoesBy() throws {
    let run = try simulate(["--from", "1,2", "--for", "20s", "--speedup", "10"], in: try Scratch())
    #expect(run.status == 0 && sentences(run).count == 84)
    #expect(run.seconds > 1.9 && run.seconds < 10)
  }
}
