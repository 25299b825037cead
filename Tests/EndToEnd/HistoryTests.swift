import Foundation
#if canImport(FoundationXML)
  import FoundationXML
#endif
import Testing

@Suite("History and visits") struct HistoryTests {
  @Test(arguments: Project.logs) func historyTellsWhatTheReplayHasPrinted(_ log: String) throws {
    let scratch = try Scratch.withRegions()
    let replayed = try scratch.fenceline("replay", "--json", Project.data(log))
    let history = try scratch.fenceline("history", "--json", "--run", "last")
    #expect(history.status == 0)
    #expect(Set(history.lines) == Set(replayed.lines) && history.lines.count == replayed.lines.count)
    let confirmed = try history.decoded(CrossingLine.self).map { seconds($0.confirmedAt) }
    #expect(confirmed == confirmed.sorted())
    #expect(history.lines == replayed.lines)
  }

  @Test(arguments: Project.logs) func visitsPairEntriesWithExits(_ log: String) throws {
    let scratch = try Scratch.withRegions()
    let crossings = try scratch.fenceline("replay", "--json", Project.data(log)).decoded(CrossingLine.self)
    let visits = try scratch.fenceline("visits", "--json").decoded(VisitLine.self)
    for crossing in crossings where crossing.kind != "dwell" {
      let own = visits.filter {
        $0.device == crossing.device && $0.region == crossing.region
          && crossing.at == (crossing.kind == "entry" ? $0.entered : $0.left ?? "")
      }
      #expect(own.count == 1, "\(crossing.essence)")
    }
    for visit in visits {
      #expect((visit.left == nil) == (visit.reason == "open"))
      #expect((visit.left == nil) == (visit.seconds == nil))
      guard let left = visit.left, let length = visit.seconds else { continue }
      #expect(abs(seconds(left) - seconds(visit.entered) - length) < 0.0005)
    }
    #expect(visits.count { $0.reason == "exit" } == crossings.count { $0.kind == "exit" })
    let table = try scratch.fenceline("visits")
    let regions = Set(visits.map(\.region)).count
    let summary = table.messages.first ?? ""
    #expect(
      summary.hasPrefix(
        "\(visits.count) visit\(visits.count == 1 ? "" : "s") to \(regions) region\(regions == 1 ? "" : "s"), "
      ))
    #expect(summary.hasSuffix(" in all; times in UTC"))
    // A table of visits, an empty line, a table of totals: a row for each region.
    let totals = table.output.components(separatedBy: "\n\n").last?.split(separator: "\n").dropFirst() ?? []
    #expect(totals.count == Set(visits.map(\.region)).count)
  }

  @Test func filtersAndLimitsChooseAmongTheCrossings() throws {
    let scratch = try Scratch.withRegions()
    for log in Project.logs { _ = try scratch.fenceline("replay", "--quiet", Project.data(log)) }
    let all = try scratch.fenceline("history", "--json").decoded(CrossingLine.self)
    func some(_ arguments: String...) throws -> [CrossingLine] {
      try scratch.shell("\"$FENCELINE\" history --json " + arguments.joined(separator: " "))
        .decoded(CrossingLine.self)
    }
    #expect(try some("--limit 5") == Array(all.suffix(5)))
    #expect(try some("--kind dwell") == all.filter { $0.kind == "dwell" })
    #expect(try some("--kind entry,exit") == all.filter { $0.kind != "dwell" })
    #expect(try some("--region 'b*'") == all.filter { $0.region.hasPrefix("b") })
    #expect(try some("--run 2") == all.filter { $0.run == 2 })
    let day = "2026-03-24T00:00:00.000Z"
    #expect(try some("--since 2026-03-24") == all.filter { $0.at >= day })
    #expect(try some("--until", day) == all.filter { $0.at < day })
    #expect(try some("--run live") == [])
  }

  @Test func removedRunsAndRegionsLeaveWhatIsLeft() throws {
    let scratch = try Scratch.withRegions()
    for log in ["walk.gpx", "bus.csv"] { _ = try scratch.fenceline("replay", "-q", Project.data(log)) }
    let all = try scratch.fenceline("history", "--json").decoded(CrossingLine.self)
    let refused = try scratch.fenceline("runs", "remove", "1", "7")
    #expect(refused.status == 64)
    #expect(
      refused.error
        == "error: There is no replay 7; nothing was removed. 'fenceline runs' lists them.\n")
    #expect(try scratch.fenceline("runs", "remove", "1").status == 0)
    #expect(
      try scratch.fenceline("history", "--json").decoded(CrossingLine.self) == all.filter { $0.run == 2 })
    #expect(try scratch.fenceline("region", "remove", "terminus").status == 0)
    // History goes on naming it.
    #expect(
      try scratch.fenceline("history", "--json").decoded(CrossingLine.self) == all.filter { $0.run == 2 })
    try scratch.checkSoundness()
  }

  @Test func theViewsOfTheDatabaseSayTheSame() throws {
    let scratch = try Scratch.withRegions()
    for log in Project.logs { _ = try scratch.fenceline("replay", "--quiet", Project.data(log)) }
    let crossings = try scratch.fenceline("history", "--json").decoded(CrossingLine.self)
    let seen = try scratch.sql(
      "SELECT run || '|' || sequence || '|' || device || '|' || region || '|' || kind || '|' || at || '|' || confirmed_at "
        + "|| '|' || cause FROM crossings_readable")
    let told = crossings.map {
      [
        String($0.run ?? 0), String($0.sequence), $0.device, $0.region, $0.kind, $0.at, $0.confirmedAt,
        $0.cause,
      ]
      .joined(separator: "|")
    }
    #expect(seen == told)
    let visits = try scratch.fenceline("visits", "--json").decoded(VisitLine.self)
    let rows = try scratch.sql("SELECT run, device, region, entered, left, seconds, reason FROM visits")
    let expected = visits.map { visit -> [String] in
      [String(visit.run), visit.device, visit.region, visit.entered, visit.left ?? "", visit.reason]
    }
    #expect(
      rows.map { row -> [String] in
        let fields = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        return Array(fields[..<5]) + [fields[6]]
      } == expected)
  }

  @Test func totalsPerWeekAreThoseOfTheVisits() throws {
    let scratch = try Scratch.withRegions()
    for log in Project.logs { _ = try scratch.fenceline("replay", "-q", Project.data(log)) }
    let visits = try scratch.fenceline("visits", "--json").decoded(VisitLine.self)
    let closed = visits.compactMap(\.seconds).reduce(0, +)
    func sum(_ arguments: String...) throws -> (rows: [[String]], seconds: Double) {
      let run = try scratch.shell("\"$FENCELINE\" visits --format csv " + arguments.joined(separator: " "))
      #expect(
        run.status == 0 && run.lines.first == "period,from,region,title,visits,open,hours,seconds,longest")
      let rows = run.lines.dropFirst().map { line in
        line.replacing(#/"[^"]*"/#, with: "quoted").split(separator: ",", omittingEmptySubsequences: false)
          .map(String.init)
      }
      return (rows, rows.compactMap { Double($0[7]) }.reduce(0, +))
    }
    let all = try sum("--per all")
    #expect(all.rows.count == Set(visits.map(\.region)).count && all.seconds >= closed)
    for period in ["day", "week", "month", "year"] {
      let part = try sum("--per", period)
      #expect(abs(part.seconds - all.seconds) < 0.01, "\(period)")
      #expect(part.rows.map { $0[0] } == part.rows.map { $0[0] }.sorted())
    }
    // Days are those of the user's zone: the drive of 17 March in UTC is one of the 18th in Auckland.
    let zone = ["TZ": "Pacific/Auckland"]
    let there = try scratch.fenceline("visits", "--per", "day", "--json", "--region", "depot", with: zone)
    #expect(there.output.contains("\"period\":\"2026-03-18\",\"from\":\"2026-03-17T11:00:00.000Z\""))
    let table = try scratch.fenceline("visits", "--per", "week")
    #expect(table.lines[0].hasPrefix("Week") && table.lines[1].hasPrefix("2026-03-02 W10"))
    #expect(table.messages[0].hasSuffix("times in UTC"))
    let refused = try scratch.fenceline("visits", "--per", "week", "--format", "gpx")
    #expect(refused.status == 64 && refused.error.contains("Totals have no place"))
  }

  @Test(arguments: ["history", "visits"]) func mapsGetPointsForWhatHasHappened(_ command: String) throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.fenceline("region", "edit", "depot", "--title", "A & <B>").status == 0)
    _ = try scratch.fenceline("replay", "-q", Project.data("drive.nmea"))
    let count = try scratch.fenceline(command, "--json").lines.count
    #expect(count > 3)
    let collection = try scratch.fenceline(command, "--format", "geojson")
    #expect(collection.status == 0 && collection.error.isEmpty)
    let json = try JSONSerialization.jsonObject(with: Data(collection.output.utf8)) as? [String: Any]
    let features = json?["features"] as? [[String: Any]] ?? []
    #expect(features.count == count)
    #expect((features[0]["properties"] as? [String: Any])?["region"] as? String == "depot")
    #expect((features[0]["properties"] as? [String: Any])?["title"] as? String == "A & <B>")
    let gpx = try scratch.fenceline(command, "--format", "gpx")
    let document = XMLCounter(gpx.output)
    #expect(document.isWhole && document.counts["wpt"] == count && document.counts["time"] == count)
    #expect(gpx.output.contains("A &amp; &lt;B&gt;"))
    let none = try scratch.fenceline(command, "--format", "geojson", "--region", "nowhere")
    #expect(none.output == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
  }

  /// Whatever another hand has written into a row is shown, and ends nothing.
  @Test func instantsAtTheEndsOfTimeAreListed() throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.fenceline("replay", "-q", Project.data("drive.nmea")).status == 0)
    for (first, last) in [("-9223372036854775808", "9223372036854775807"), ("9223372036854775807", "0")] {
      _ = try scratch.sql(
        """
        UPDATE run SET began = \(first), ended = \(last), first_fix = \(first), last_fix = \(last), fixes = \(last),
          crossings = \(first), rejected = '{"jump":1e300}';
        UPDATE crossing SET at = \(first), confirmed_at = \(last), earliest = \(first), latest = \(last);
        UPDATE visit SET entered = \(first), left = CASE WHEN left IS NULL THEN NULL ELSE \(last) END;
        UPDATE region SET expires = \(last), created = \(first), changed = \(last);
        """)
      for words in [
        ["runs"], ["history"], ["visits"], ["visits", "--per", "year"], ["history", "--since", "today"],
        ["region", "list"],
      ] {
        for format in [[], ["--json"]] {
          let run = try RunningProgram(
            [Project.program] + words + format, environment: scratch.environment(), in: scratch.folder
          ).result()
          #expect(run.status == 0, "\(words): \(run.error)")
        }
      }
      let shown = try scratch.fenceline("region", "show", "cafe")
      #expect(shown.status == 0, "\(shown.error)")
    }
  }
}

/// Counts the elements of a document.
private final class XMLCounter: NSObject, XMLParserDelegate {
  private(set) var counts: [String: Int] = [:]
  private(set) var isWhole = false

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    isWhole = parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
  }
}
