import Foundation
import Testing

@Suite("Output") struct OutputTests {
  private func filled() throws -> Scratch {
    let scratch = try Scratch.withRegions()
    for log in ["phone.rec", "bus.csv"] { _ = try scratch.fenceline("replay", "-q", Project.data(log)) }
    return scratch
  }

  static let talkers = [
    "--help", "--version", "fixes $DATA/drive.nmea", "fixes --csv $DATA/drive.nmea",
    "fixes --json $DATA/drive.nmea",
    "replay --json $DATA/walk.gpx", "replay $DATA/walk.gpx", "runs", "history", "history --json", "visits",
    "region list", "region export", "region show cafe", "region near 47 8", "history --format csv",
  ]

  @Test(arguments: talkers) func aReaderThatGoesAwayEndsItQuietly(_ words: String) throws {
    let scratch = try filled()
    // The reader is gone before the first word.
    let run = try scratch.shell(
      "mkfifo pipe; { \"$FENCELINE\" --quiet \(words) > pipe; echo $? > status; } & exec 3< pipe; exec 3<&-; wait"
    )
    #expect(run.status == 0)
    #expect(run.error.isEmpty)
    #expect(try scratch.text("status") == "0\n")
    let head = try scratch.shell(
      "{ \"$FENCELINE\" --quiet \(words); echo $? > status; } | head -n 1")
    #expect(head.lines.count == 1 && head.error.isEmpty)
    #expect(try scratch.text("status") == "0\n")
    _ = try scratch.shell("rm pipe status")
    try scratch.checkSoundness()
  }

  @Test(arguments: talkers) func aFullDeviceIsAnError(_ words: String) throws {
    let scratch = try filled()
    let run = try scratch.shell("\"$FENCELINE\" --quiet \(words) > /dev/full")
    #expect(run.status == 74)
    // A replay is worth more than its listing: it is recorded, and the listing can be had again.
    let recorded = "the run is recorded all the same: 'fenceline history --run 3' lists it."
    #expect(
      run.error.lowercased() == "error: cannot write to standard output: no space left on device."
        + (words.hasPrefix("replay") ? " \(recorded)\n" : "\n"))
    let runs = try scratch.fenceline("runs", "--json").decoded(RunLine.self)
    #expect(runs.count == (words.hasPrefix("replay") ? 3 : 2))
    try scratch.checkSoundness()
  }

  @Test(arguments: talkers) func nothingIsColouredInAPipe(_ words: String) throws {
    let scratch = try filled()
    let run = try scratch.shell("\"$FENCELINE\" \(words)", with: ["TERM": "xterm-256color"])
    #expect(run.status == 0 && !(run.output + run.error).contains("\u{1B}"))
  }

  @Test func quietMeansResultsAndErrorsOnly() throws {
    let scratch = try filled()
    let log = Project.data("drive.nmea")
    let commands = [
      ["fixes", log], ["replay", log], ["runs"], ["history"], ["visits"], ["region", "list"],
      ["region", "export"],
    ]
    for words in commands {
      let loud = try scratch.shell(
        "\"$FENCELINE\" \"$@\"", words[0], words.count > 1 ? words[1] : "--db=fenceline.db")
      let quiet = try scratch.shell(
        "\"$FENCELINE\" -q \"$@\"", words[0], words.count > 1 ? words[1] : "--db=fenceline.db")
      #expect(loud.status == 0 && quiet.status == 0, "\(words)")
      #expect(quiet.error.isEmpty, "\(words)")
      #expect(words == ["runs"] || quiet.output == loud.output, "\(words)")
    }
    let silent = try scratch.fenceline("region", "add", "-q", "new", "1", "2", "3")
    #expect(silent.status == 0 && silent.error.isEmpty && silent.output.isEmpty)
    let bad = try scratch.fenceline("-q", "fixes", log, "missing")
    #expect(bad.status == 3 && bad.messages.count == 1 && bad.errors.count == 1)
  }

  @Test func everyLineOfJSONHasTheDocumentedMembers() throws {
    let scratch = try filled()
    let crossing = [
      "at", "cause", "confirmedAt", "device", "earliest", "kind", "latest", "latitude", "longitude", "notify",
      "region", "run", "sequence",
    ]
    let expected = [
      ("replay $DATA/walk.gpx", crossing), ("replay --speed 1000000 $DATA/bus.csv", crossing),
      ("replay --dry-run $DATA/bus.csv", crossing), ("history", crossing),
      ("history --format csv", crossing),
      ("visits", ["device", "entered", "left", "reason", "region", "run", "seconds"]),
      (
        "runs",
        [
          "accepted", "began", "crossings", "date", "device", "ended", "firstFix", "fixes", "kind", "lastFix",
          "maxAccuracy", "maxSpeed", "profile", "rejected", "run", "source",
        ]
      ),
      (
        "fixes $DATA/boat.json",
        ["accuracy", "altitude", "course", "device", "latitude", "longitude", "source", "speed", "time"]
      ),
      ("region near 47 8", ["azimuth", "centre", "enabled", "id", "inside", "perimeter"]),
    ]
    for (words, members) in expected {
      let run = try scratch.shell("\"$FENCELINE\" --json \(words)")
      #expect(run.status == 0 && !run.lines.isEmpty)
      for keys in try run.keys() where keys != members { Issue.record("\(words): \(keys)") }
    }
    for keys in try scratch.fenceline("region", "list", "--json").keys() {
      #expect(Set(["id", "latitude", "longitude", "radius", "enabled"]).isSubset(of: keys))
    }
    let times = try scratch.fenceline("history", "--json").decoded(CrossingLine.self)
      .flatMap { [$0.at, $0.confirmedAt, $0.earliest, $0.latest] }
    #expect(times.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil })
  }

  @Test func everyRowOfCSVHasTheColumnsOfItsHeader() throws {
    let scratch = try filled()
    let fixes = try scratch.fenceline("fixes", "--csv", Project.data("boat.json"))
    #expect(fixes.lines.first == "time,latitude,longitude,accuracy,altitude,speed,course,device,source")
    #expect(fixes.lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 9 })
    // What it writes it reads: the same fixes.
    try scratch.write("fixes.csv", fixes.output)
    let again = try scratch.fenceline("fixes", "--csv", "fixes.csv")
    let fields = [fixes, again].map { run in
      run.lines.dropFirst().map { $0.split(separator: ",").prefix(3).joined(separator: ",") }
    }
    #expect(fields[0] == fields[1] && fields[0].count == 1724)
  }
}
