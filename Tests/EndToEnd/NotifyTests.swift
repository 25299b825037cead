import Foundation
import Testing

@Suite("Notify preview") struct NotifyTests {
  /// Zone, rule, time, and the next one in UTC.
  private static let cases: [(String, String, String, String?)] = [
    ("Europe/Zurich", "weekday=2,hour=9", "2026-03-01T00:00:00Z", "2026-03-02T08:00:00.000Z"),
    ("Europe/Zurich", "hour=2,minute=30", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z"),
    ("Europe/Zurich", "minute=30", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00.000Z"),
    (
      "Europe/Zurich", "weekdayOrdinal=-1,weekday=6,hour=17", "2026-02-01T00:00:00Z",
      "2026-02-27T16:00:00.000Z"
    ),
    ("Australia/Lord_Howe", "hour=2,minute=15", "2026-10-03T00:00:00Z", "2026-10-03T15:30:00.000Z"),
    ("Africa/Cairo", "weekday=6", "2026-04-20T00:00:00Z", "2026-04-23T22:00:00.000Z"),
    ("Pacific/Apia", "hour=9", "2011-12-29T19:00:00Z", "2011-12-30T19:00:00.000Z"),
    ("Pacific/Apia", "year=2011,month=12,day=30", "2011-12-01T00:00:00Z", nil),
    ("America/Santiago", "hour=0", "2026-09-05T12:00:00Z", "2026-09-06T04:00:00.000Z"),
    ("Europe/Dublin", "hour=1,minute=30", "2060-03-27T12:00:00Z", "2060-03-28T01:00:00.000Z"),
    ("UTC", "month=2,day=29,weekday=6", "2024-03-01T00:00:00Z", "2036-02-29T00:00:00.000Z"),
    ("UTC", "second=30", "2026-03-01T23:59:30Z", "2026-03-02T00:00:30.000Z"),
    ("UTC", "year=2020", "2026-03-01T00:00:00Z", nil),
  ]

  @Test(arguments: ["UTC", "Pacific/Apia", "Asia/Tokyo", "America/St_Johns"])
  func theZoneOfTheProcessMakesNoDifference(_ own: String) throws {
    let scratch = try Scratch()
    for (zone, rule, after, next) in Self.cases {
      let run = try scratch.fenceline(
        "notify", "preview", "--match", rule, "--zone", zone, "--after", after, "--count", "1", "--json",
        with: ["TZ": own])
      #expect(run.status == 0)
      #expect(run.lines.count == (next == nil ? 0 : 1))
      if let next { #expect(run.output.hasPrefix(#"{"next":"\#(next)","local":""#), "\(rule) in \(zone)") }
    }
    #expect(try scratch.names == [])
  }

  @Test func timesAreLocalOnesWithAWordOnClockChanges() throws {
    let scratch = try Scratch()
    let spring = try scratch.fenceline(
      "notify", "preview", "--match", "hour=2,minute=30", "--zone", "Europe/Zurich", "--after", "2026-03-28",
      "--count",
      "3")
    #expect(
      spring.output == """
        Sat 2026-03-28 02:30:00 +01:00
        Sun 2026-03-29 03:00:00 +02:00  02:30 does not exist on 2026-03-29: the clocks go from 02:00 to 03:00; it fires at 03:00
        Mon 2026-03-30 02:30:00 +02:00

        """)
    #expect(spring.error == "3 times; times in Europe/Zurich\n")
    let autumn = try scratch.fenceline(
      "notify", "preview", "--match", "minute=30", "--after", "2026-10-25T02:00", "--count", "2", "--json",
      with: ["TZ": "Europe/Zurich"])
    #expect(
      autumn.output == """
        {"next":"2026-10-25T00:30:00.000Z","local":"2026-10-25T02:30:00.000+02:00","clocks":"first"}
        {"next":"2026-10-25T01:30:00.000Z","local":"2026-10-25T02:30:00.000+01:00","clocks":"second"}

        """)
    let both = try scratch.fenceline(
      "notify", "preview", "--match", "minute=30", "--after", "2026-10-25T02:00", "--count", "2", "--quiet",
      with: ["TZ": "Europe/Zurich"])
    #expect(both.lines.map { $0.suffix(24) } == ["; this is the first time", " this is the second time"])
    let apia = try scratch.fenceline(
      "notify", "preview", "--match", "hour=9", "--zone", "Pacific/Apia", "--after", "2011-12-29T12:00",
      "--count", "1")
    #expect(
      apia.output
        == "Sat 2011-12-31 09:00:00 +14:00  left out before, for it does not exist: "
        + "from 2011-12-30 00:00 to 2011-12-31 00:00\n")
  }

  @Test func fiveTimesFromNowInTheZoneOfTheSystem() throws {
    let run = try Scratch().fenceline("notify", "preview", "--match", "hour=9", with: ["TZ": "Asia/Tokyo"])
    #expect(run.lines.count == 5 && run.lines.allSatisfy { $0.hasSuffix(" 09:00:00 +09:00") })
    #expect(run.error == "5 times; times in Asia/Tokyo\n")
  }

  @Test func everyThirdDayThreeTimes() throws {
    let scratch = try Scratch()
    let words = [
      "notify", "preview", "--every", "3", "--from", "2026-03-27", "--after", "2026-01-01", "--zone",
      "Europe/Zurich",
    ]
    func preview(_ more: String...) throws -> ProgramRun {
      try RunningProgram(
        [Project.program] + words + more, environment: scratch.environment(), in: scratch.folder
      ).result()
    }
    let times = try preview("--match", "hour=8", "--times", "3")
    #expect(
      times.lines == [
        "Fri 2026-03-27 08:00:00 +01:00", "Mon 2026-03-30 08:00:00 +02:00", "Thu 2026-04-02 08:00:00 +02:00",
      ])
    #expect(times.error == "It does not fire again before its end; times in Europe/Zurich\n")
    let until = try preview("--until", "2026-03-30")
    #expect(until.lines == ["Fri 2026-03-27 00:00:00 +01:00", "Mon 2026-03-30 00:00:00 +02:00"])
    let never = try preview("--match", "year=2025", "--json")
    #expect(never.status == 0 && never.output.isEmpty)
    #expect(never.error == "It does not fire within 30 years; times in Europe/Zurich\n")
  }

  @Test(
    arguments: [
      ("--match month=13", "The rule can never fire: month is 1 to 12, not 13."),
      (
        "--match month=2,day=30",
        "The rule can never fire: there is never a day 30 in month 2."
      ),
      (
        "--match huor=9",
        "Invalid value 'huor=9' for '--match': 'huor' is no unit; name units and numbers such as weekday=2,hour=9. Did you mean 'hour'?"
      ),
      ("--match hour", "Invalid value 'hour' for '--match': hour needs a whole number, as in hour=9."),
      (
        "--match hour=9,hour=8",
        "Invalid value 'hour=9,hour=8' for '--match': hour is there twice; say it once."
      ),
      (
        "--match hour=9 --zone ../../etc/passwd",
        "There is no time zone '../../etc/passwd'; one is called like Europe/Zurich."
      ),
      (
        "--match hour=9 --zone Europe/Zurik",
        "There is no time zone 'Europe/Zurik'; one is called like Europe/Zurich. Did you mean 'Europe/Zurich'?"
      ),
      ("--match hour=9 --zone=", "Invalid value '' for '--zone': it must not be empty."),
      (
        "--match hour=9 --every 0",
        "Invalid value '0' for '--every': a whole number from 1 to 10000 is needed."
      ),
      (
        "--match hour=9 --times 3",
        "The times of --times are counted from a beginning: say it with --from TIME."
      ),
      (
        "--match hour=9 --from 2026-03-02 --until 2026-03-01",
        "The rule can never fire: --until is before --from. Change one of them."
      ),
      (
        "--zone UTC",
        "Nothing is named that could match: say --match weekday=2,hour=9 or the like, or --every DAYS."
      ),
    ] as [(String, String)])
  func aMistakeGetsASentence(_ line: String, _ sentence: String) throws {
    let scratch = try Scratch()
    let run = try RunningProgram(
      [Project.program, "notify", "preview"] + line.split(separator: " ").map(String.init),
      environment: scratch.environment(), in: scratch.folder
    ).result()
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.messages.first == "error: " + sentence)
  }

  @Test func aDamagedDatabaseIsSaid() throws {
    let scratch = try Scratch()
    try scratch.write("Here", "TZif")
    let run = try scratch.fenceline(
      "notify", "preview", "--match", "hour=9", "--zone", "Here", with: ["TZDIR": scratch.folder.path])
    #expect(run.status == 65)
    #expect(
      run.error == "error: The file of the time zone 'Here' is damaged; install the package tzdata anew.\n")
  }
}
