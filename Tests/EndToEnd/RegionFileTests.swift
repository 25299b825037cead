import Foundation
import Testing

@Suite("Region files") struct RegionFileTests {
  @Test func exportAndImportGiveByteEqualFiles() throws {
    let scratch = try Scratch.withRegions()
    let first = try scratch.fenceline("region", "export", "--output", "first.geojson")
    #expect(first.status == 0 && first.output.isEmpty)
    let other = ["FENCELINE_DB": scratch.path("other.db")]
    let added = try scratch.fenceline("region", "import", "--json", "first.geojson", with: other)
    #expect(added.output == "{\"added\":15,\"updated\":0,\"unchanged\":0}\n")
    let second = try scratch.fenceline("region", "export", with: other)
    #expect(second.status == 0)
    #expect(second.output == (try scratch.text("first.geojson")))
    let again = try scratch.fenceline(
      "region", "import", "--json", "--update", "first.geojson", with: other)
    #expect(again.output == "{\"added\":0,\"updated\":0,\"unchanged\":15}\n")
    #expect(try scratch.names == ["fenceline.db", "first.geojson", "other.db"])
  }

  @Test func everyPropertySurvivesTheWayThroughAFile() throws {
    let scratch = try Scratch()
    let options = [
      "--title", "Gate \"7\" – Tor, Ælv 日本 \\", "--on", "entry", "--dwell", "90s", "--dwell", "2h30m",
      "--profile", "fast", "--enter-after", "5s", "--exit-after", "1m", "--exit-margin", "12.5m",
      "--initial", "entry", "--cooldown", "15m", "--active", "Mon-Fri 08:00-18:00 Europe/Zurich",
      "--expires", "2031-01-02T03:04:05Z", "--device", "bus-*", "--tag", "a", "--tag", "b,c", "--priority",
      "-3",
    ]
    let place = ["gate", "-33.85680001", "151.2153", "0.2nmi"]
    let words = [Project.program, "region", "add"] + place + options
    let added = try RunningProgram(words, environment: scratch.environment(), in: scratch.folder).result()
    #expect(added.status == 0, "\(added.error)")
    let shown = try scratch.fenceline("region", "show", "gate", "--json").output
    #expect(try scratch.fenceline("region", "export", "-o", "gate.geojson").status == 0)
    let other = ["FENCELINE_DB": scratch.path("other.db")]
    #expect(try scratch.fenceline("region", "import", "gate.geojson", with: other).status == 0)
    #expect(try scratch.fenceline("region", "show", "gate", "--json", with: other).output == shown)
    #expect(shown.contains("\"radius\":370.4") && shown.contains("\"latitude\":-33.85680001"))
  }

  @Test func nothingIsImportedWhereOneEntryIsBadAndEveryBadOneIsNamed() throws {
    let scratch = try Scratch.withRegions()
    let before = try scratch.contents()
    func feature(_ geometry: String, _ properties: String) -> String {
      "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":{\(properties)}}"
    }
    func point(_ coordinates: String) -> String { "{\"type\":\"Point\",\"coordinates\":[\(coordinates)]}" }
    let features = [
      feature(point("8,47"), "\"id\":\"good\",\"radius\":50"),
      feature(point("8,97"), "\"id\":\"north\",\"radius\":50"),
      feature(point("8"), "\"id\":\"short\""),
      feature("{\"type\":\"Polygon\",\"coordinates\":[]}", "\"id\":\"polygon\""),
      feature(point("8,47"), "\"id\":\"good\",\"radius\":60"),
      feature(point("8,47"), "\"id\":\"huge\",\"radius\":1e30"),
      feature(point("8,47"), "\"id\":\"odd\",\"radius\":\"wide\""),
      feature("null", "\"id\":\"nowhere\""),
    ]
    try scratch.write(
      "bad.geojson",
      "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}")
    let run = try scratch.fenceline("region", "import", "bad.geojson")
    #expect(run.status == 65 && run.output.isEmpty)
    for number in 3...9 {
      #expect(
        run.errors.contains { $0.contains("'bad.geojson': Line \(number), feature \(number - 1) ") },
        "\(run.error)")
    }
    #expect(!run.error.contains("Line 2,"))
    #expect(
      run.errors.last
        == "error: \(run.errors.count - 1) problems; no region was imported. --skip-bad imports the others.")
    #expect(try scratch.contents() == before)

    // Asked to, it takes the good one.
    let some = try scratch.fenceline("--db", "some.db", "region", "import", "--skip-bad", "bad.geojson")
    #expect(some.status == 3 && some.errors.count == 7, "\(some.error)")
    #expect(try scratch.fenceline("--db", "some.db", "region", "list", "--json").lines.count == 1)

    // One bad file among several keeps the good one out too.
    let both = try scratch.fenceline(
      "region", "import", "--update", Project.data("regions.geojson"), "bad.geojson")
    #expect(both.status == 65)
    #expect(try scratch.contents() == before)
    try scratch.checkSoundness()
  }

  @Test func idsThatAreThereAreNotOverwrittenUnasked() throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.fenceline("region", "edit", "cafe", "--radius", "77").status == 0)
    let before = try scratch.contents()
    let refused = try scratch.fenceline("region", "import", Project.data("regions.geojson"))
    #expect(refused.status == 65)
    #expect(refused.errors.count == 16)
    #expect(
      refused.errors.contains {
        $0.hasSuffix(" ('cafe'): There is a region of this id already: --update replaces it.")
      })
    #expect(try scratch.contents() == before)
    let twice = try scratch.fenceline(
      "region", "import", "--update", Project.data("regions.geojson"), Project.data("regions.geojson"))
    #expect(twice.status == 65)
    #expect(
      twice.error.contains("('cafe'): The id is also that of '\(Project.data("regions.geojson"))': Line "))
    #expect(try scratch.contents() == before)
    let updated = try scratch.fenceline(
      "region", "import", "--update", "--json", Project.data("regions.geojson"))
    #expect(updated.output == "{\"added\":0,\"updated\":1,\"unchanged\":14}\n")
    try scratch.checkSoundness()
  }

  @Test func theDatabaseIsNotOverwritten() throws {
    let scratch = try Scratch.withRegions()
    let before = try scratch.contents()
    for words in [["region", "export", "--format", "csv"], ["map"]] {
      let run = try RunningProgram(
        [Project.program] + words + ["-o", "fenceline.db"], environment: scratch.environment(),
        in: scratch.folder
      ).result()
      #expect(run.status == 73 && run.error.contains("it is a database"), "\(run.error)")
    }
    #expect(try scratch.contents() == before)
    try scratch.checkSoundness()
  }

  @Test func whatBeginsWithTheMarkOfRemarksComesBack() throws {
    let scratch = try Scratch()
    for id in ["#1", "a"] { #expect(try scratch.fenceline("region", "add", id, "1", "2", "100").status == 0) }
    #expect(try scratch.fenceline("region", "export", "-o", "h.csv").status == 0)
    #expect(try scratch.fenceline("--db", "other.db", "region", "import", "h.csv").status == 0)
    #expect(try scratch.fenceline("--db", "other.db", "region", "list", "--json").lines.count == 2)
  }

  @Test func anExportThatCannotBeWrittenLeavesWhatWasThere() throws {
    let scratch = try Scratch.withRegions()
    let cases = [("missing/file", 73), ("/dev/full", 74), (".", 73)] as [(String, Int32)]
    for (target, status) in cases {
      let run = try scratch.fenceline("region", "export", "-o", target)
      #expect(run.status == status && run.output.isEmpty)
      #expect(run.error.hasPrefix("error: Cannot write '\(target)': ") && run.messages.count == 1)
    }
    try scratch.write("kept.geojson", "old")
    #expect(try scratch.fenceline("region", "export", "-o", "kept.geojson").status == 0)
    #expect(try scratch.text("kept.geojson") == scratch.fenceline("region", "export").output)
    #expect(try scratch.names == ["fenceline.db", "kept.geojson"])
  }
}
