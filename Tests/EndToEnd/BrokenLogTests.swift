import Foundation
import Testing

@Suite("Broken logs") struct BrokenLogTests {
  @Test func aTruncatedGzipKeepsWhatCameBefore() throws {
    let scratch = try Scratch.withRegions()
    let make = try scratch.shell("head -c 3000 \"$DATA/train.gpx.gz\" > cut.gpx.gz")
    #expect(make.status == 0)
    let run = try scratch.fenceline("replay", "--json", "cut.gpx.gz")
    #expect(run.status == 3)
    #expect(
      run.errors == [
        "error: Cannot read the log 'cut.gpx.gz' to its end: its gzip data breaks off. What came before is kept."
      ])
    let golden = try scratch.fenceline("replay", "--dry-run", "--json", Project.data("train.gpx.gz"))
    let kept = try run.decoded(CrossingLine.self).map(\.essence)
    #expect(!kept.isEmpty)
    #expect(kept == Array(try golden.decoded(CrossingLine.self).map(\.essence).prefix(kept.count)))
    #expect(try scratch.fenceline("runs", "--json").decoded(RunLine.self).count == 1)
    let fixes = try scratch.fenceline("fixes", "cut.gpx.gz")
    #expect(fixes.status == 3 && fixes.lines.count > 100 && fixes.errors.count == 1)
    try scratch.checkSoundness()
  }

  @Test(arguments: ["fixes", "replay"]) func aTruncatedGPXKeepsWhatCameBefore(_ command: String) throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.shell("head -c 100000 \"$DATA/walk.gpx\" > cut.gpx").status == 0)
    let run = try scratch.fenceline(command, "cut.gpx")
    #expect(run.error.contains("375 fixes"))
    #expect(!run.output.isEmpty)
    #expect(run.status == 3)
    #expect(run.errors.count == 1 && run.error.contains("What came before is kept."))
    try scratch.checkSoundness()
  }

  @Test func damagedGzipKeepsWhatCameBefore() throws {
    let scratch = try Scratch.withRegions()
    let make = try scratch.shell(
      "gzip -c \"$DATA/drive.nmea\" > whole.gz; (head -c 60000 whole.gz; head -c 500 /dev/zero; tail -c +60501 whole.gz) > bad.gz"
    )
    #expect(make.status == 0)
    let run = try scratch.fenceline("replay", "bad.gz")
    #expect(run.status == 3 && run.errors.count == 1)
    #expect(run.error.contains("its gzip data is damaged. What came before is kept."))
    try scratch.checkSoundness()
  }

  @Test func oneBadFileAmongSeveralIsNamedAndTheOthersCount() throws {
    let scratch = try Scratch.withRegions()
    try scratch.write("paper.pdf", "%PDF-1.7\n")
    for command in ["fixes", "replay"] {
      let run = try scratch.fenceline(
        command, Project.data("walk.gpx"), "paper.pdf", "missing", Project.data("bus.csv"))
      #expect(run.status == 3)
      #expect(run.errors.count == 2)
      #expect(run.error.contains("'paper.pdf'") && run.error.contains("'missing'"))
    }
    let listed = try scratch.fenceline("runs", "--json").decoded(RunLine.self)
    #expect(listed.map(\.fixes) == [1194 + 698])
    let none = try scratch.fenceline("replay", "paper.pdf", "missing")
    #expect(none.status == 65 && none.output.isEmpty && none.messages.count == 2)
    #expect(try scratch.fenceline("runs", "--json").decoded(RunLine.self) == listed)
    try scratch.checkSoundness()
  }

  @Test func aFileGivenTwiceGoesBackInTimeAndIsOneRun() throws {
    let scratch = try Scratch.withRegions()
    let log = Project.data("drive.nmea")
    let once = try scratch.fenceline("replay", "--json", "--dry-run", log).decoded(CrossingLine.self)
    let twice = try scratch.fenceline("replay", "--json", log, log)
    #expect(twice.status == 0)
    let crossings = try twice.decoded(CrossingLine.self)
    #expect(crossings.count == 2 * once.count)
    // Going back is believed after ten late fixes, so that the device is found in the depot a little later.
    func later(_ lines: [CrossingLine]) -> Set<String> {
      Set(lines.filter { $0.cause != "initial" }.map(\.essence))
    }
    #expect(later(crossings) == later(once))
    let visits = try scratch.fenceline("visits", "--json").decoded(VisitLine.self)
    #expect(visits.contains { $0.reason == "session" })
    #expect(try scratch.fenceline("runs", "--json").decoded(RunLine.self).map(\.fixes) == [2 * 2234])
    // A track is put in order, so that its fixes only stand there twice.
    let walk = Project.data("walk.gpx")
    let track = try scratch.fenceline("replay", "--json", "--dry-run", walk).decoded(CrossingLine.self)
    let doubled = try scratch.fenceline("replay", "--json", "--dry-run", walk, walk)
    #expect(try doubled.decoded(CrossingLine.self).map(\.essence) == track.map(\.essence))
    #expect(doubled.error.contains("1,194 accepted, 1,194 duplicate"))
  }

  @Test func aPipeIsReadLikeAFile() throws {
    let scratch = try Scratch.withRegions()
    let run = try scratch.shell(
      "mkfifo pipe; cat \"$DATA/walk.gpx\" > pipe & \"$FENCELINE\" replay --json pipe")
    #expect(run.status == 0)
    try Golden.check(
      try run.decoded(CrossingLine.self).map { $0.essence + "\n" }.joined(), against: "walk.gpx.jsonl")
    let closed = try scratch.shell("\"$FENCELINE\" replay - <&-")
    #expect(closed.status == 65 || closed.status == 74)
    #expect(
      closed.messages.count == 1 && closed.error.hasPrefix("error: Cannot read the log on standard input"))
  }

  @Test func namesCannotDriveTheTerminal() throws {
    let scratch = try Scratch.withRegions()
    let name = "red\u{1B}[31m\nerror: \u{1B}]0;title\u{07}\u{202E}.nmea"
    _ = try scratch.shell("gzip -c \"$DATA/walk.gpx\" > \"$1\"; echo more >> \"$1\"", name)
    let commands = [
      ["fixes", name], ["replay", name], ["fixes", name + "x"], ["region", "import", name],
      ["region", "import", name + "x"], ["runs"], ["region", "export", "-o", name + ".geojson"],
      ["region", "export", "-o", name + "/x"], ["--db", name, "runs"], ["--db", name + "/x", "replay", name],
      ["region", "show", name], ["region", "--" + name], [name], ["history", "--since", name],
      ["region", "add", name, "1", "2", "30"], ["region", "add", "x", "1", "2", "30", "--title", name],
    ]
    for words in commands {
      let run = try RunningProgram(
        [Project.program] + words, environment: scratch.environment(), in: scratch.folder
      ).result()
      let harmful = (run.output + run.error).unicodeScalars.filter {
        $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
      }
      #expect(harmful.isEmpty, "\(words)")
      #expect(run.errors.count <= 2, "\(words)")
    }
  }
}
