import Foundation
import Testing

@Suite("Sample logs") struct SampleLogTests {
  @Test func everySampleLogIsTested() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.data(""))
    #expect(Set(files) == Set(Project.logs + ["README.md", "regions.geojson"]))
  }

  @Test(arguments: Project.logs) func theCrossingsAreThoseOfTheGolden(_ log: String) throws {
    let scratch = try Scratch.withRegions()
    let run = try scratch.fenceline("replay", "--json", Project.data(log))
    #expect(run.status == 0, "\(run.error)")
    let crossings = try run.decoded(CrossingLine.self)
    #expect(crossings.map(\.sequence).sorted() == Array(1...crossings.count))
    try Golden.check(crossings.map { $0.essence + "\n" }.joined(), against: log + ".jsonl")
    try scratch.checkSoundness()
  }

  @Test(arguments: Project.logs) func replayingTwiceReplacesTheRun(_ log: String) throws {
    let scratch = try Scratch.withRegions()
    var runs: [[CrossingLine]] = []
    for number in 1...2 {
      let run = try scratch.fenceline("replay", "--json", Project.data(log))
      #expect(run.status == 0)
      #expect(run.error.contains("in place of run 1 ") == (number == 2))
      runs.append(
        try run.decoded(CrossingLine.self).map { line in
          #expect(line.run == number)
          var line = line
          line.run = nil
          return line
        })
    }
    #expect(runs[0] == runs[1])
    let listed = try scratch.fenceline("runs", "--json").decoded(RunLine.self)
    #expect(listed.map(\.run) == [2])
    #expect(listed.first?.crossings == runs[1].count)
    #expect(try scratch.sql("SELECT count(*) FROM crossing WHERE run = 1") == ["0"])
    try scratch.checkSoundness()
  }

  @Test(arguments: Project.logs) func gzipPlainAndStandardInputAreTheSameLog(_ log: String) throws {
    let scratch = try Scratch.withRegions()
    let packed = try scratch.shell(
      "zcat -f \"$1\" > plain && gzip -c plain > packed && \"$FENCELINE\" replay --json packed",
      Project.data(log))
    let plain = try scratch.fenceline("replay", "--json", "plain")
    let piped = try scratch.shell("zcat packed | \"$FENCELINE\" replay --json -")
    #expect(packed.status == 0 && plain.status == 0 && piped.status == 0)
    let crossings = try [packed, plain, piped].map { try $0.decoded(CrossingLine.self).map(\.essence) }
    #expect(!crossings[0].isEmpty && crossings[0] == crossings[1] && crossings[0] == crossings[2])
    // It is the content that counts: each took the place of the one before.
    let listed = try scratch.fenceline("runs", "--json").decoded(RunLine.self)
    #expect(listed.map(\.source) == ["standard input"])
    let fixes = try scratch.shell(
      "for file in plain packed; do \"$FENCELINE\" fixes --csv $file > $file.csv; done; cmp *.csv && wc -l < plain.csv"
    )
    #expect(fixes.status == 0)
    #expect(Int(fixes.output.trimmingCharacters(in: .whitespacesAndNewlines)) == listed[0].fixes + 1)
  }

  @Test func aDryRunGivesTheSameAndNeedsNoDatabase() throws {
    let scratch = try Scratch.withRegions()
    let recorded = try scratch.fenceline("replay", Project.data("drive.nmea"))
    let before = try scratch.contents()
    let dry = try scratch.fenceline("replay", "--dry-run", Project.data("drive.nmea"))
    #expect(dry.status == 0 && dry.output == recorded.output)
    #expect(!dry.error.contains("recorded"))
    #expect(try scratch.contents() == before)

    let empty = try Scratch()
    let alone = try empty.fenceline("replay", "--dry-run", "--json", Project.data("walk.gpx"))
    #expect(alone.status == 0 && alone.output.isEmpty)
    #expect(alone.error.contains("There is no region to cross."))
    #expect(try empty.names == [])
  }

  @Test func devicesAreKeptApartUnlessOneIsNamed() throws {
    let scratch = try Scratch.withRegions()
    let apart = try scratch.fenceline("replay", "--json", Project.data("bus.csv")).decoded(CrossingLine.self)
    #expect(Set(apart.map(\.device)) == ["bus-12", "bus-31"])
    let one = try scratch.fenceline("history", "--json", "--device", "bus-1*").decoded(CrossingLine.self)
    #expect(Set(one) == Set(apart.filter { $0.device == "bus-12" }))

    let together = try scratch.fenceline("replay", "--json", "--device", "fleet", Project.data("bus.csv"))
    #expect(Set(try together.decoded(CrossingLine.self).map(\.device)) == ["fleet"])
    // Another device makes it another run.
    #expect(try scratch.fenceline("runs", "--json").decoded(RunLine.self).count == 2)
  }

  @Test func theExactProfileConfirmsAtOnce() throws {
    let scratch = try Scratch.withRegions()
    let balanced = try scratch.fenceline("replay", "--json", Project.data("train.gpx.gz"))
    let exact = try scratch.fenceline("replay", "--json", "--profile", "exact", Project.data("train.gpx.gz"))
    try Golden.check(
      try exact.decoded(CrossingLine.self).map { $0.essence + "\n" }.joined(),
      against: "train.gpx.gz-exact.jsonl")
    func slowest(_ run: ProgramRun) throws -> Double {
      try run.decoded(CrossingLine.self).map { seconds($0.confirmedAt) - $0.time }.max() ?? .nan
    }
    // The track has a fix each ten seconds.
    #expect(try slowest(exact) < 11)
    #expect(try slowest(balanced) > 11)
    #expect(try scratch.fenceline("runs", "--json").decoded(RunLine.self).count == 2)
  }

  @Test func severalFilesMakeOneRun() throws {
    let scratch = try Scratch.withRegions()
    let logs = ["drive.nmea", "walk.gpx"].map(Project.data)
    let run = try scratch.fenceline("replay", "--json", logs[0], logs[1])
    #expect(run.status == 0)
    let listed = try scratch.fenceline("runs", "--json").decoded(RunLine.self)
    #expect(listed.map(\.fixes) == [2234 + 1194])
    #expect(listed.map(\.source) == [logs.joined(separator: ", ")])
  }
}
