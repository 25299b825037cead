import Foundation
import Testing

@Suite("Bad databases") struct BadDatabaseTests {
  /// What is wrong with a database, and what is said of it.
  struct Fault: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var status: Int32
    var says: String
    /// What spoils `fenceline.db`, by the shell.
    var recipe: String

    init(_ name: String, _ status: Int32, _ says: String, _ recipe: String) {
      (testDescription, self.status, self.says, self.recipe) = (name, status, says, recipe)
    }
  }

  private static let damaged = "it is damaged or no SQLite database"
  private static let noise =
    "awk 'BEGIN { srand(5); for (i = 0; i < 300000; i++) printf \"%c\", 33 + rand() * 90 }'"

  static let faults = [
    Fault("random bytes", 65, damaged, "\(noise) > fenceline.db"),
    Fault(
      "pages overwritten behind the header", 65, damaged,
      "(head -c 100 fenceline.db; \(noise)) > other; mv other fenceline.db"),
    Fault(
      "pages overwritten behind the first", 65, damaged,
      "(head -c 4096 fenceline.db; \(noise)) > other; mv other fenceline.db"),
    Fault("cut in the middle", 65, damaged, "truncate -s 20000 fenceline.db"),
    Fault("a text file", 65, damaged, "cp \"$DATA/bus.csv\" fenceline.db"),
    Fault("a folder", 73, "it is not a file. Name another with --db.", "rm fenceline.db; mkdir fenceline.db"),
    Fault("a device", 73, "it is not a file. Name another with --db.", "ln -sf /dev/zero fenceline.db"),
    Fault(
      "another program's", 65, "it is a database of another program. Name another file with --db.",
      "rm fenceline.db; sqlite3 fenceline.db 'CREATE TABLE bookmark (id); INSERT INTO bookmark VALUES (1)'"),
    Fault(
      "a newer version's", 65,
      "it was written by version 99, this program knows up to 4. Upgrade the program or move the file.",
      "sqlite3 fenceline.db 'PRAGMA user_version = 99'"),
  ]

  @Test(arguments: faults) func aBadDatabaseIsLeftAloneAndNamed(_ fault: Fault) throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.fenceline("replay", "-q", Project.data("drive.nmea")).status == 0)
    let made = try scratch.shell(fault.recipe)
    #expect(made.status == 0, "\(made.error)")
    let sum = "[ -f fenceline.db ] && sha256sum fenceline.db"
    let before = try scratch.shell(sum).output
    let commands = [
      "runs", "history", "visits", "region list", "region add x 1 2 50", "runs remove 1",
      "region import \(Project.data("regions.geojson"))", "replay \(Project.data("walk.gpx"))",
    ]
    for command in commands {
      let run = try scratch.shell("\"$FENCELINE\" \(command)")
      #expect(run.status == fault.status, "\(command): \(run.error)")
      #expect(run.output.isEmpty && run.messages.count == 1, "\(command)")
      #expect(run.error.hasPrefix("error: Cannot "))
      #expect(run.error.contains("'\(scratch.database)'") && run.error.contains(fault.says), "\(run.error)")
    }
    #expect(try scratch.shell(sum).output == before)
    let left = try scratch.names
    #expect(left == ["fenceline.db"])
  }

  @Test func anEmptyFileIsAsGoodAsNone() throws {
    let scratch = try Scratch()
    try scratch.write("fenceline.db", "")
    let list = try scratch.fenceline("region", "list")
    #expect(list.status == 0 && list.output.isEmpty && list.error.hasPrefix("There are no regions yet."))
    #expect(try scratch.fenceline("region", "add", "x", "1", "2", "50").status == 0)
    try scratch.checkSoundness()
  }

  @Test func aMissingFolderIsNotMadeForANamedDatabase() throws {
    let scratch = try Scratch()
    let run = try scratch.fenceline("--db", "no/such/folder.db", "replay", Project.data("walk.gpx"))
    #expect(run.status == 73 && run.output.isEmpty)
    #expect(
      run.error
        == "error: Cannot create the journal 'no/such/folder.db': no such file or directory. Name another file with --db.\n"
    )
    #expect(try scratch.names == [])
  }

  @Test func aRunIsRemovedThoughThereIsNoRoomToTidyUp() throws {
    let scratch = try Scratch()
    #expect(try scratch.shell("mkdir disk").status == 0)
    guard try scratch.shell("mount -t tmpfs -o size=2m tmpfs disk").status == 0 else {
      try Test.cancel("a file system of its own can be mounted by the superuser alone")
    }
    defer { _ = try? scratch.shell("umount disk || umount -l disk") }
    let disk = ["FENCELINE_DB": scratch.path("disk/fenceline.db")]
    #expect(
      try scratch.fenceline("region", "import", Project.data("regions.geojson"), with: disk).status == 0)
    try BigLog.write(fixes: 600, regions: 10, in: scratch)
    #expect(try scratch.fenceline("region", "import", "big.geojson", with: disk).status == 0)
    #expect(try scratch.fenceline("replay", "-q", "big.json", with: disk).status == 0)
    // There is room for what says that the run is gone, and little more.
    _ = try scratch.shell("dd if=/dev/zero of=disk/fill bs=512 2>/dev/null; truncate -s -49152 disk/fill")
    let remove = try scratch.fenceline("runs", "remove", "1", with: disk)
    #expect(remove.status == 0 && remove.error == "1 run removed\n", "\(remove.error)")
    #expect(try scratch.fenceline("runs", "--json", with: disk).output.isEmpty)
    #expect(
      try scratch.sql("SELECT count(*) FROM run WHERE visible", in: scratch.path("disk/fenceline.db")) == [
        "0"
      ])
  }

  @Test func aFullDiskLeavesEverythingAsItWas() throws {
    let scratch = try Scratch()
    #expect(try scratch.shell("mkdir disk").status == 0)
    guard try scratch.shell("mount -t tmpfs -o size=1m tmpfs disk").status == 0 else {
      try Test.cancel("a file system of its own can be mounted by the superuser alone")
    }
    defer { _ = try? scratch.shell("umount disk || umount -l disk") }
    let disk = ["FENCELINE_DB": scratch.path("disk/fenceline.db")]
    func contents() throws -> String {
      try scratch.shell(
        "for list in 'region list' runs history; do \"$FENCELINE\" $list --json; done", with: disk
      )
      .output
    }
    #expect(
      try scratch.fenceline("region", "import", Project.data("regions.geojson"), with: disk).status == 0)
    #expect(try scratch.fenceline("replay", "-q", Project.data("walk.gpx"), with: disk).status == 0)
    #expect(try scratch.fenceline("region", "export", "-o", "disk/kept.geojson").status == 0)
    try BigLog.write(fixes: 12_000, regions: 150, in: scratch)
    let before = try contents()

    // It fits when it begins and no longer at the first piece.
    let replay = try scratch.fenceline("region", "import", "big.geojson", with: disk)
    #expect(replay.status == 0)
    let regions = try contents()
    #expect(regions != before)
    let full = try scratch.fenceline("replay", "big.json", "--profile", "exact", with: disk)
    #expect(full.status == 74 && full.errors.count == 1, "\(full.error)")
    #expect(full.error.contains("disk is full") || full.error.contains("no space left"))
    #expect(try contents() == regions)

    // Not a byte is left.
    _ = try scratch.shell("dd if=/dev/zero of=disk/fill bs=512 2>/dev/null")
    let add = try scratch.fenceline("region", "add", "x", "1", "2", "50", with: disk)
    #expect(add.status == 74 && add.output.isEmpty && add.messages.count == 1, "\(add.error)")
    for words in [["region", "remove", "cafe"], ["runs", "remove", "1"]] {
      let remove = try scratch.fenceline(words[0], words[1], words[2], with: disk)
      #expect(remove.status == 74)
      #expect(
        remove.error.hasSuffix(
          "the disk is full. Free some space and try again. Removing runs or regions takes room too, and leaves the file as "
            + "large as it is.\n"
        ))
    }
    let export = try scratch.fenceline("region", "export", "-o", "disk/kept.geojson")
    #expect(export.status == 74 || export.status == 0)
    #expect(try scratch.shell("ls disk/*.part").status != 0)

    _ = try scratch.shell("rm disk/fill; mount -o remount,size=64m disk")
    #expect(try contents() == regions)
    let second = try scratch.fenceline("replay", "-q", "big.json", "--profile", "exact", with: disk)
    #expect(second.status == 0, "\(second.error)")
    #expect(try scratch.sql("PRAGMA integrity_check", in: scratch.path("disk/fenceline.db")) == ["ok"])
    #expect(
      try scratch.sql("SELECT count(*) FROM run", in: scratch.path("disk/fenceline.db")) == ["2"])
    #expect(try scratch.shell("ls disk").lines == ["fenceline.db", "kept.geojson"])
  }
}
