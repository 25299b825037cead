import Foundation
import Testing

/// What people see, on a terminal that the script program makes.
@Suite("Terminals") struct TerminalTests {
  /// Runs the program on a terminal of so many columns; standard error is left out.
  private func seen(
    _ scratch: Scratch, _ words: String, columns: Int = 80, term: String = "xterm-256color",
    _ more: [String: String] = [:]
  ) throws -> String {
    let run = try scratch.shell(
      "exec script -qec \"stty cols \(columns) rows 24; \\\"$FENCELINE\\\" \(words) 2> messages\" /dev/null < /dev/null",
      with: ["TERM": term].merging(more) { $1 })
    #expect(run.status == 0, "\(words)")
    return run.output.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
  }

  private func filled() throws -> Scratch {
    let scratch = try Scratch.withRegions()
    let wide = try scratch.fenceline(
      "region", "add", "wide", "47.1", "8.1", "100", "--title",
      "日本語のとても長い題名がここにあります 🚀🚀 e\u{301}e\u{301} and much more text to follow", "--tag",
      "a-tag-that-is-long", "--tag", "another-tag-that-is-long", "--dwell", "5m", "--dwell", "10m")
    #expect(wide.status == 0)
    for log in ["phone.rec", "bus.csv"] { _ = try scratch.fenceline("replay", "-q", Project.data(log)) }
    return scratch
  }

  /// How many columns a terminal gives to a line.
  private func width(_ line: Substring) -> Int {
    line.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x300...0x36F: 0
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xFE30...0xFF60, 0x1F300...0x1FAFF: 2
      default: 1
      }
    }.reduce(0, +)
  }

  private func plain(_ text: String) -> String {
    text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }

  @Test func whyAChannelFailsIsSeenOnEightyColumns() throws {
    let scratch = try Scratch()
    let why = "The server refused the connection: nobody listens there. Start it, or send elsewhere."
    _ = try scratch.fenceline(
      "channel", "add", "file", "hub", "/tmp/x", "--region", "harbour*", "--kind", "entry,exit")
    _ = try scratch.sql(
      """
      INSERT INTO delivery (channel, device, line, run, sequence, unless_seen, created, since, attempts, next, state, detail)
        VALUES (1, 'a-van', '', 1, 1, 0, 1, 1, 3, 1, 'waiting', '\(why)');
      INSERT INTO delivery (channel, device, line, run, sequence, unless_seen, created, since, attempts, next, state, ended)
        VALUES (1, 'a-van', '', 1, 2, 0, 1, 1, 3, 1, 'done', 1700000000000);
      """)
    for words in ["channel", "deliveries"] {
      let lines = plain(try seen(scratch, words)).split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { width($0) <= 80 }, "\(lines)")
      #expect(lines[1].contains("The server refused") && lines[1].hasSuffix("…"), "\(lines)")
      #expect(
        lines[1].contains(words == "channel" ? "file  failing        1" : "crossing 1  a-van"), "\(lines)")
      // Not without end for those who read it in a pipe.
      #expect(try scratch.fenceline(words).lines[1].hasSuffix("nobody listens there. St…"))
      #expect(try scratch.fenceline(words, "--json").output.contains(why))
    }
    #expect(try scratch.fenceline("deliveries", "show", "1").output.contains(why))
  }

  @Test(arguments: [20, 40, 80, 120]) func tablesAreNeverWiderThanTheTerminal(_ columns: Int) throws {
    let scratch = try filled()
    for words in [
      "runs", "history", "visits", "region list", "region near 47 8", "fixes \(Project.data("bus.csv"))",
    ] {
      let text = plain(try seen(scratch, words, columns: columns))
      let lines = text.split(separator: "\n")
      #expect(lines.count > 1)
      for line in lines { #expect(width(line) <= columns, "\(words): \(line)") }
    }
    guard columns >= 80 else { return }
    for words in ["--help", "replay --help", "region add --help"] {
      let lines = plain(try seen(scratch, words, columns: columns)).split(separator: "\n")
      #expect(lines.allSatisfy { width($0) <= columns })
    }
  }

  @Test func fixesAreListedLikeTheRest() throws {
    let scratch = try Scratch()
    try scratch.write(
      "log.csv",
      "time,latitude,longitude\n2026-03-18T00:25:41Z,47.5,8.25\n2026-03-18T00:25:41.2Z,-7.5,-8.25\n")
    let run = try scratch.fenceline("fixes", "log.csv", "log.csv", with: ["TZ": "Europe/Zurich"])
    let fixes = """
      2026-03-18 01:25:41       47.5000000     8.2500000                                CSV
      2026-03-18 01:25:41.200   -7.5000000    -8.2500000                                CSV

      """
    let header =
      "Time                        Latitude     Longitude   Accuracy      Speed  Course  Source     Device\n"
    #expect(run.output == header + fixes + fixes)
    #expect(run.messages.first == "'log.csv': CSV, 2 fixes, times in Europe/Zurich")
    try scratch.write("none.csv", "time,latitude,longitude\n")
    #expect(try scratch.fenceline("fixes", "none.csv").output == "")
    #expect(try scratch.fenceline("fixes", "--csv", "none.csv", "none.csv").lines.count == 1)
    #expect(try scratch.fenceline("fixes", "--json", "log.csv").messages.first == "'log.csv': CSV, 2 fixes")
  }

  @Test func coloursAreForTerminalsThatHaveThem() throws {
    let scratch = try filled()
    for words in ["history", "region list", "replay --dry-run \(Project.data("walk.gpx"))", "--help"] {
      let coloured = try seen(scratch, words)
      #expect(coloured.contains("\u{1B}["))
      let dull = try [
        seen(scratch, words, term: "dumb"), seen(scratch, words, ["NO_COLOR": "1"]),
      ]
      #expect(dull.allSatisfy { !$0.contains("\u{1B}") && $0 == plain(coloured) })
    }
    #expect(try seen(scratch, "history").contains("\u{1B}[32mentry\u{1B}[0m"))
  }

  /// What standard error gets on a terminal.
  private func messages(_ scratch: Scratch, _ words: String) throws -> String {
    let run = try scratch.shell(
      "exec script -qec \"stty cols 100 rows 24; \\\"$FENCELINE\\\" \(words) > output\" /dev/null < /dev/null",
      with: ["TERM": "xterm-256color"])
    #expect(run.status == 0, "\(words): \(run.output)")
    return run.output
  }

  @Test func longWorkShowsHowFarItIsOnATerminalAlone() throws {
    let scratch = try Scratch()
    // More than a second's work, whichever way the program was built.
    let rows = (0..<60_000).map { "r\($0),\(Double($0 % 8000) / 100),\(Double($0) / 500),100,t\($0)" }
    try scratch.write(
      "many.csv", "id,latitude,longitude,radius,title\n" + rows.joined(separator: "\n") + "\n")
    #expect(try scratch.fenceline("region", "export", "-q", "-o", "empty.geojson").status == 0)
    try scratch.write(
      "many.geojson",
      "{\"type\":\"FeatureCollection\",\"features\":["
        + (0..<60_000).map { number in
          "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[8,47]},\"properties\":{\"id\":\"r\(number)\",\"radius\":50}}"
        }.joined(separator: ",\n") + "]}")
    for file in ["many.csv", "many.geojson"] {
      let seen = try messages(scratch, "--db \(file).db region import \(file)")
      let drawings = seen.split(separator: "\r").filter { $0.contains(" % [") }
      #expect(drawings.count > 2, "\(file): \(seen.prefix(300))")
      #expect(drawings.contains { $0.contains(" regions, ") && $0.contains("/s, ") && $0.contains(" left") })
      // It is gone before anything else is said.
      #expect(seen.contains("\r\u{1B}[K60,000 regions: 60,000 added"))
      let piped = try scratch.fenceline("--db", "\(file)-2.db", "region", "import", file)
      #expect(piped.status == 0 && piped.error == "60,000 regions: 60,000 added\n")
    }
  }

  @Test func hostileTitlesAreHarmless() throws {
    let scratch = try Scratch()
    let evil = "\\u001b]0;title\\u0007\\u001b[31mred\\u0009\\u202e"
    try scratch.write(
      "evil.geojson",
      """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[8,47]},"properties":{"id":"a","title":"\(evil)"}}
      """)
    let refused = try scratch.fenceline("region", "import", "evil.geojson")
    #expect(refused.status == 65 && !refused.error.contains("\u{1B}") && refused.error.contains("control"))
    // Another program may have written them into the database, and a log names its devices.
    #expect(try scratch.fenceline("region", "add", "a", "47", "8", "100", "--initial", "entry").status == 0)
    _ = try scratch.sql(
      "UPDATE region SET title = char(27) || ']0;t' || char(7) || char(10) || char(155) || 'm' || char(8238)")
    let fixes = (0..<40).map {
      "{\"class\":\"TPV\",\"device\":\"/dev/\\u001b[31mx\",\"mode\":3,\"time\":\"2026-01-01T00:00:\($0 + 10)Z\",\"lat\":47,\"lon\":8,\"eph\":5}\n"
    }
    try scratch.write("evil.json", fixes.joined())
    for words in [
      "replay evil.json", "replay evil.json --device '\u{1B}[31mx'", "fixes evil.json", "history", "visits",
      "runs", "region list", "region show a", "region near 47 8",
    ] {
      for text in [
        try scratch.shell("\"$FENCELINE\" \(words) 2>&1").output, try seen(scratch, words, term: "dumb"),
      ] {
        let harmful = text.unicodeScalars.filter {
          $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
        }
        #expect(harmful.isEmpty, "\(words)")
      }
    }
    let history = try scratch.fenceline("history", "--json")
    #expect(!history.output.contains("\u{1B}") && history.lines.count >= 1)
    #expect(try history.decoded(CrossingLine.self).count == history.lines.count)
  }
}
