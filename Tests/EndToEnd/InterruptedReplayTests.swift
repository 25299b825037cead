import FencelineTestSupport
import Foundation
import Testing

@Suite("Interrupted replays") struct InterruptedReplayTests {
  @Test(arguments: [SIGKILL, SIGINT]) func anInterruptedReplayIsNeverSeen(_ signal: Int32) throws {
    let scratch = try Scratch()
    try BigLog.write(fixes: 210_000, regions: 200, in: scratch)
    #expect(try scratch.fenceline("region", "import", "-q", "big.geojson").status == 0)
    var random = SplitMix64(seed: UInt64(signal))
    var leftOvers: [Int] = []
    for turn in 1...5 {
      let replay = try scratch.start("replay", "big.json")
      if turn.isMultiple(of: 2) {
        // When so much is written already.
        while !replay.ends(within: 0.1), try rows(scratch) < 3000 * turn {}
      } else {
        #expect(!replay.ends(within: random.uniform(0.02...0.8)))
      }
      replay.signal(signal)
      #expect(try replay.result().status == 128 + signal)
      leftOvers.append(try rows(scratch))
      for list in ["runs", "history", "visits"] {
        let run = try scratch.fenceline(list, "--json")
        #expect(run.status == 0 && run.output.isEmpty)
      }
      #expect(try scratch.sql("PRAGMA integrity_check") == ["ok"])
      #expect(
        try scratch.sql("SELECT count(*) FROM crossings_readable; SELECT count(*) FROM visits") == ["0", "0"])
    }
    #expect(leftOvers.contains { $0 > 0 })

    // The next one sweeps.
    let next = try scratch.fenceline("replay", "-q", Project.data("walk.gpx"))
    #expect(next.status == 0, "\(next.error)")
    #expect(
      try scratch.sql("SELECT count(*) FROM run; SELECT count(*) FROM run WHERE visible") == ["1", "1"])
    #expect(try rows(scratch) == 0)
    #expect(try scratch.sql("SELECT count(*) FROM visit") == ["0"])
    #expect(try scratch.fenceline("runs", "--json").lines.count == 1)
    try scratch.checkSoundness()
  }

  private func rows(_ scratch: Scratch) throws -> Int {
    try scratch.sql("PRAGMA busy_timeout = 5000; SELECT count(*) FROM crossing").last.flatMap { Int($0) }
      ?? -1
  }

  @Test func aReplayBesideAnInterruptedOneIsLeftAlone() throws {
    let scratch = try Scratch()
    try BigLog.write(fixes: 12_000, regions: 200, in: scratch)
    #expect(try scratch.fenceline("region", "import", "-q", "big.geojson").status == 0)
    let whole = try scratch.fenceline("replay", "--json", "--dry-run", "big.json")
    // One begins and goes on while another begins, sweeps and ends.
    let long = try scratch.start("replay", "--quiet", "big.json")
    let short = try scratch.fenceline("replay", "--quiet", Project.data("walk.gpx"))
    let ended = try long.result()
    #expect(short.status == 0 && ended.status == 0, "\(ended.error)")
    #expect(try scratch.fenceline("history", "--json").lines.count == whole.lines.count)
    #expect(whole.lines.count > 10_000)
    try scratch.checkSoundness()
  }
}
