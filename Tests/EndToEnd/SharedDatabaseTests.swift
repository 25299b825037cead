import Foundation
import Testing

@Suite("Shared databases") struct SharedDatabaseTests {
  /// Runs a script while the sqlite3 program holds a lock; two pipes are the rendezvous, so that no clock is waited for.
  private func locked(_ begin: String, _ scratch: Scratch, during script: String) throws -> ProgramRun {
    try scratch.shell(
      """
      mkfifo ready go
      { echo '\(begin)'; echo '.shell echo > ready'; echo '.shell cat go > /dev/null'; echo 'ROLLBACK;'; } \
        | sqlite3 "$FENCELINE_DB" > /dev/null &
      read word < ready
      \(script)
      status=$?
      echo > go
      wait
      exit $status
      """)
  }

  @Test(arguments: ["BEGIN IMMEDIATE;", "BEGIN EXCLUSIVE;"])
  func aLockThatStaysIsNamedWithItsHolder(_ begin: String) throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.fenceline("replay", "-q", Project.data("walk.gpx")).status == 0)
    let before = try scratch.contents()
    let run = try locked(begin, scratch, during: "\"$FENCELINE\" replay \"$DATA/bus.csv\"")
    #expect(run.status == 75 && run.output.isEmpty && run.messages.count == 1, "\(run.error)")
    let holder = /it is in use by sqlite3 \(process \d+\)\. Try again when that has ended\./
    #expect(run.error.contains(holder))
    // Five seconds of patience, once.
    #expect(run.seconds > 4 && run.seconds < 10)
    #expect(try scratch.contents() == before)
    #expect(try scratch.fenceline("replay", "-q", Project.data("bus.csv")).status == 0)
    #expect(try scratch.shell("rm ready go").status == 0)
    try scratch.checkSoundness()
  }

  @Test func readersDoNotWaitForAWriter() throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.fenceline("replay", "-q", Project.data("walk.gpx")).status == 0)
    let before = try scratch.contents()
    let run = try locked(
      "BEGIN IMMEDIATE; DELETE FROM crossing;", scratch,
      during: "for list in 'region list' runs history visits; do \"$FENCELINE\" $list --json || exit; done")
    #expect(run.status == 0 && run.output == before)
    #expect(run.seconds < 4)
  }

  @Test func aLockThatIsSoonGivenBackIsWaitedFor() throws {
    let scratch = try Scratch.withRegions()
    let run = try locked(
      "BEGIN IMMEDIATE;", scratch, during: "\"$FENCELINE\" region add x 1 2 50 & sleep 0.5")
    #expect(run.status == 0)
    #expect(run.error.contains("region 'x' added"))
    #expect(try scratch.fenceline("region", "show", "x").status == 0)
  }

  @Test func twoReplaysAtOnceBothSucceed() throws {
    let scratch = try Scratch.withRegions()
    let running = try ["drive.nmea", "phone.rec", "boat.json"].map {
      try scratch.start("replay", "--json", Project.data($0))
    }
    let runs = try running.map { try $0.result() }
    #expect(runs.map(\.status) == [0, 0, 0], "\(runs.map(\.error))")
    let history = try scratch.fenceline("history", "--json")
    #expect(Set(history.lines) == Set(runs.flatMap(\.lines)))
    #expect(try scratch.fenceline("runs", "--json").lines.count == 3)
    try scratch.checkSoundness()
  }

  @Test func theSameReplayTwiceAtOnceLeavesOneRun() throws {
    let scratch = try Scratch.withRegions()
    let running = try (1...3).map { _ in try scratch.start("replay", "--quiet", Project.data("drive.nmea")) }
    let runs = try running.map { try $0.result() }
    #expect(runs.map(\.status) == [0, 0, 0], "\(runs.map(\.error))")
    #expect(try scratch.fenceline("runs", "--json").lines.count == 1)
    #expect(try scratch.fenceline("history", "--json").lines.count == 13)
    try scratch.checkSoundness()
  }

  @Test func manyMayMakeTheSameDatabaseAtOnce() throws {
    for _ in 1...5 {
      let scratch = try Scratch()
      let running = try (1...5).map { try scratch.start("region", "add", "r\($0)", "1", "2", "50") }
      let runs = try running.map { try $0.result() }
      #expect(runs.map(\.status) == [0, 0, 0, 0, 0], "\(runs.map(\.error))")
      #expect(try scratch.fenceline("region", "list", "--json").lines.count == 5)
      try scratch.checkSoundness()
    }
  }
}
