import Foundation
import Testing

/// What someone may do who owns nothing. The superuser may do everything, so these run as nobody.
@Suite("Permissions") struct PermissionTests {
  /// A folder that anyone may use, with a log, regions and a database that has a run.
  private func scratch() throws -> Scratch {
    let scratch = try Scratch.withRegions()
    _ = try scratch.shell(
      "cp \"$DATA/walk.gpx\" \"$DATA/bus.csv\" \"$DATA/regions.geojson\" .; chmod 777 .; chmod 644 fenceline.db *.*"
    )
    #expect(try scratch.fenceline("replay", "--quiet", "bus.csv").status == 0)
    return scratch
  }

  /// Runs the program as someone who is not the superuser.
  private func asNobody(_ scratch: Scratch, _ words: String...) throws -> ProgramRun {
    let change =
      geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    func run(_ words: [String]) throws -> ProgramRun {
      try RunningProgram(
        change + [Project.program] + words, environment: scratch.environment(), in: scratch.folder
      ).result()
    }
    if geteuid() == 0, try run(["--version"]).status != 0 {
      try Test.cancel("nobody may not run the program where it lies")
    }
    return try run(words)
  }

  @Test func aFileThatMayNotBeReadIsSaidToBe() throws {
    let scratch = try scratch()
    _ = try scratch.shell("chmod 000 walk.gpx regions.geojson")
    for command in ["fixes", "replay"] {
      _ = try scratch.shell("chmod 666 fenceline.db")
      let run = try asNobody(scratch, command, "walk.gpx")
      #expect(run.status == 77 && run.output.isEmpty)
      #expect(
        run.errors.last
          == "error: Cannot read the log 'walk.gpx': you are not allowed to. Change its permissions or run as its owner."
      )
    }
    let one = try asNobody(scratch, "fixes", "walk.gpx", "bus.csv")
    #expect(one.status == 3 && one.errors.count == 1 && one.lines.count == 699)
    _ = try scratch.shell("chmod 666 fenceline.db")
    let regions = try asNobody(scratch, "region", "import", "--update", "regions.geojson")
    #expect(regions.status == 77)
    #expect(regions.error == "error: Cannot read 'regions.geojson': permission denied.\n")
    let export = try asNobody(scratch, "region", "export", "-o", "/proc/version")
    #expect(export.status == 77 || export.status == 73 || export.status == 74)
    #expect(export.messages.count == 1)
  }

  @Test func aDatabaseThatMayNotBeWrittenCanStillBeRead() throws {
    let scratch = try scratch()
    let before = try scratch.contents()
    let read = try asNobody(scratch, "runs", "--json")
    #expect(read.status == 0 && read.lines.count == 1)
    let attempts = try [
      asNobody(scratch, "replay", "walk.gpx"), asNobody(scratch, "runs", "remove", "1"),
      asNobody(scratch, "region", "add", "x", "1", "2", "50"),
    ]
    for run in attempts {
      #expect(run.status == 77 && run.output.isEmpty && run.messages.count == 1)
      #expect(run.error.contains("the file or its folder is read-only. Name another with --db."))
    }
    #expect(try scratch.contents() == before)
  }

  @Test func aFolderThatMayNotBeWrittenIsSaidToBe() throws {
    let scratch = try scratch()
    _ = try scratch.shell("chmod 755 .; chmod 666 fenceline.db")
    for words in [["replay", "walk.gpx"], ["runs", "--json"]] {
      let run = try asNobody(scratch, words[0], words[1])
      #expect(run.status == 77 && run.output.isEmpty && run.messages.count == 1, "\(run.error)")
      #expect(run.error.contains("read-only") && run.error.contains("--db"))
    }
    let new = try asNobody(scratch, "--db", "new.db", "replay", "walk.gpx")
    #expect(new.status == 77 && new.output.isEmpty)
    #expect(
      new.error
        == "error: Cannot create the journal 'new.db': permission denied. Name another file with --db.\n")
    let export = try asNobody(scratch, "--db", "new.db", "region", "export", "-o", "out.geojson")
    #expect(export.status == 77 && export.messages.count == 2)
    #expect(export.messages.first == "warning: There is no database 'new.db' yet.")
    try scratch.checkSoundness()
    #expect(try scratch.names == ["bus.csv", "fenceline.db", "regions.geojson", "walk.gpx"])
  }
}
