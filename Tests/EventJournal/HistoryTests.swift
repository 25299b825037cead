import FencelineCivilTime
import FencelineEventJournal
import FencelineGeofencing
import FencelineTestSupport
import Testing

struct HistoryTests {
  /// Two runs, three regions, two devices.
  private func sample() throws -> (TestJournal, runs: [Int64]) {
    var titled = region("office")
    titled.title = "Head office"
    let test = try TestJournal([titled, region("home"), region("home-2")])
    let first = try test.record(
      [
        crossing(.entry, "office", 10), crossing(.dwell, "office", 20), crossing(.exit, "office", 30),
        crossing(.entry, "home", 40, device: "van"), crossing(.exit, "home", 50, device: "van", cause: .gap),
      ], digest: "1")
    let second = try test.record(
      [crossing(.entry, "home-2", 15), crossing(.entry, "office", 25, device: "van")], digest: "2")
    return (test, [first.run, second.run])
  }

  private func names(_ found: [RecordedCrossing]) -> [String] {
    found.map { "\($0.run).\($0.sequence) \($0.crossing.kind) \($0.crossing.region)" }
  }

  @Test func crossingsOfAllRunsComeInTheOrderOfTheirConfirmation() throws {
    let (test, _) = try sample()
    let found = try test.crossings()
    #expect(
      names(found) == [
        "1.1 entry office", "2.1 entry home-2", "1.2 dwell office", "2.2 entry office", "1.3 exit office",
        "1.4 entry home",
        "1.5 exit home",
      ])
    #expect(found.map(\.title).prefix(2) == ["Head office", nil])
    guard case .crossing(let gap) = crossing(.exit, "home", 50, device: "van", cause: .gap) else { return }
    #expect(found.last?.crossing == gap)
  }

  @Test func filtersNarrowThemDown() throws {
    let (test, runs) = try sample()
    func count(_ change: (inout HistoryFilter) -> Void) throws -> Int { try test.crossings(change).count }
    #expect(try count { $0.run = runs[1] } == 2)
    #expect(try count { $0.run = 99 } == 0)
    #expect(try count { $0.region = "home" } == 2)
    #expect(try count { $0.region = "home*" } == 3)
    #expect(try count { $0.region = "HOME" } == 0)
    #expect(try count { $0.device = "v?n" } == 3)
    #expect(try count { $0.device = "nobody" } == 0)
    #expect(try count { $0.kinds = [.dwell, .exit] } == 3)
    #expect(try count { $0.since = time(25) } == 4)
    #expect(try count { $0.since = time(25.001) } == 3)
    #expect(try count { $0.until = time(25) } == 3)
    #expect(try count { ($0.since, $0.until) = (time(20), time(30)) } == 2)
    #expect(
      try names(
        test.crossings {
          ($0.run, $0.region, $0.device, $0.kinds) = (runs[0], "h*", "van", [.exit])
          ($0.since, $0.until, $0.limit) = (time(0), time(100), 5)
        }) == ["1.5 exit home"])
  }

  @Test func aLimitKeepsTheLatest() throws {
    let (test, _) = try sample()
    #expect(try names(test.crossings { $0.limit = 2 }) == ["1.4 entry home", "1.5 exit home"])
    #expect(try test.crossings { $0.limit = 7 }.count == 7)
    #expect(try test.crossings { $0.limit = 100 }.count == 7)
    #expect(try test.crossings { $0.limit = 0 }.count == 0)
    #expect(try names(test.crossings { ($0.limit, $0.device) = (1, "d") }) == ["1.3 exit office"])
    #expect(try test.visits { $0.limit = 1 }.map(\.region) == ["home"])
  }

  @Test func historyIsReadInPages() throws {
    let test = try TestJournal([region("a")])
    // Many confirmed at the same time: the place in the run tells them apart.
    let outcomes = (0..<2_500).map { crossing($0 % 2 == 0 ? .entry : .exit, "a", Double($0 / 700)) }
    try test.record(outcomes)
    try test.record(outcomes, digest: "e")
    var pages: [Int] = []
    var sequences: [Int64: [Int64]] = [:]
    try test.journal.crossings(HistoryFilter()) { page in
      pages.append(page.count)
      for row in page { sequences[row.run, default: []].append(row.sequence) }
    }
    #expect(pages == [1_000, 1_000, 1_000, 1_000, 1_000])
    #expect(sequences.values.allSatisfy { $0 == Array(1...2_500) })
    #expect(try test.crossings { $0.limit = 3_456 }.count == 3_456)
    #expect(try test.visits().count == 2_500)
    // What is thrown on the way ends the reading.
    struct Enough: Error {}
    #expect(throws: Enough.self) { try test.journal.crossings(HistoryFilter()) { _ in throw Enough() } }
  }

  @Test func visitsPairEntriesAndExits() throws {
    let (test, runs) = try sample()
    let found = try test.visits()
    #expect(found.map(\.region) == ["office", "home-2", "office", "home"])
    #expect(found.map(\.run) == [runs[0], runs[1], runs[1], runs[0]])
    #expect(found.map(\.reason) == [.exit, nil, nil, .exit])
    #expect(found.map(\.seconds) == [20, nil, nil, 10])
    #expect(found.map(\.device) == ["d", "d", "van", "van"])
    #expect(found.map(\.title) == ["Head office", nil, "Head office", nil])
    #expect(found.map(\.entered) == [time(10), time(15), time(25), time(40)])
    #expect(found.map(\.left) == [time(30), nil, nil, time(50)])
    #expect(Set(found.map { "\($0.run).\($0.number)" }).count == 4)
  }

  @Test func visitsAreFoundWhileTheyLast() throws {
    let (test, _) = try sample()
    #expect(try test.visits { $0.since = time(12) }.map(\.region) == ["office", "home-2", "office", "home"])
    // Of the open ones nothing is known after the last fix of their run, nor after they began.
    #expect(try test.visits { $0.since = time(25) }.map(\.region) == ["office", "office", "home"])
    #expect(try test.visits { $0.since = time(30) }.map(\.region) == ["office", "home"])
    #expect(try test.visits { $0.since = time(30.001) }.map(\.region) == ["home"])
    #expect(try test.visits { $0.until = time(25) }.map(\.region) == ["office", "home-2"])
    #expect(try test.visits { $0.region = "home*" }.count == 2)
    #expect(try test.visits { $0.device = "van" }.count == 2)
    #expect(try test.visits { $0.run = 2 }.count == 2)
  }

  @Test func aVisitEndsForAReason() throws {
    let test = try TestJournal(VisitEnd.allCases.map { region($0.rawValue) } + [region("open")])
    var outcomes: [Outcome] = [
      crossing(.entry, "exit", 0), .visitBegan(device: "d", region: "open", at: time(1)),
    ]
    for (place, end) in VisitEnd.allCases.enumerated() where end != .exit {
      outcomes.append(.visitBegan(device: "d", region: end.rawValue, at: time(Double(place) + 2)))
      outcomes.append(.visitEnded(device: "d", region: end.rawValue, at: time(Double(place) + 2.5), end))
    }
    outcomes.append(crossing(.exit, "exit", 20))
    // An end without a beginning is none.
    outcomes.append(.visitEnded(device: "other", region: "exit", at: time(30), .session))
    try test.record(outcomes)
    let found = try test.visits()
    #expect(found.count == VisitEnd.allCases.count + 1)
    for visit in found { #expect(visit.reason?.rawValue ?? "open" == visit.region) }
    #expect(found.filter { $0.reason != .exit && $0.left != nil }.allSatisfy { $0.seconds == 0.5 })
    #expect(try test.crossings().count == 2)
  }

  @Test func devicesAndRunsHaveVisitsOfTheirOwn() throws {
    let test = try TestJournal([region("a")])
    try test.record([
      crossing(.entry, "a", 0, device: "phone"), crossing(.entry, "a", 1, device: "phone2"),
      crossing(.exit, "a", 2, device: "phone2"),
    ])
    #expect(try test.visits().map(\.left) == [nil, time(2)])
  }
}
