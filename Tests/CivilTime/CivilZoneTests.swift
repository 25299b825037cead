import FencelineCivilTime
import FencelineTestSupport
import Testing

private func time(_ text: String) throws -> Timestamp {
  try #require(ISO8601(parsing: text.utf8)).time
}

struct CivilZoneTests {
  @Test(
    arguments: [
      ("Europe/Zurich", "2026-03-29T00:59:59Z", 3600), ("Europe/Zurich", "2026-03-29T01:00:00Z", 7200),
      // Before the railways, and after the last change that the file lists.
      ("Europe/Zurich", "1800-01-01T00:00:00Z", 2048), ("Europe/Zurich", "2400-07-01T00:00:00Z", 7200),
      ("Europe/Zurich", "9999-12-31T23:00:00Z", 3600), ("Europe/Zurich", "0001-01-01T00:00:00Z", 2048),
      // Its winter time is a negative daylight saving time.
      ("Europe/Dublin", "2026-01-01T00:00:00Z", 0), ("Europe/Dublin", "2026-07-01T00:00:00Z", 3600),
      ("Europe/Dublin", "2060-01-01T00:00:00Z", 0), ("Europe/Dublin", "2060-07-01T00:00:00Z", 3600),
      ("Australia/Lord_Howe", "2050-01-01T00:00:00Z", 39_600),
      ("Australia/Lord_Howe", "2050-07-01T00:00:00Z", 37_800),
      ("America/Santiago", "2060-01-01T00:00:00Z", -10_800),
      ("America/Santiago", "2060-07-01T00:00:00Z", -14_400),
      ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 20_700),
      ("Pacific/Apia", "2011-12-30T09:59:59Z", -36_000), ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
      ("UTC", "2026-01-01T00:00:00Z", 0),
    ] as [(String, String, Int)])
  func offsets(_ name: String, _ instant: String, _ offset: Int) throws {
    #expect(try systemZone(name).offset(at: time(instant)) == offset)
  }

  @Test(
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200), ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
      // Without dates as in the United States.
      ("EST5EDT", -18_000, -14_400), ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 39_600, 37_800),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600), ("UTC0", 0, 0), ("XYZ-3:04:05", 11_045, 11_045),
      // Daylight saving time all the year.
      ("XXX3EDT4,0/0,J365/23", -14_400, -14_400), ("AAA0BBB,J60/0,J300/0", 0, 3600),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600), ("AAA0BBB,59,299", 0, 3600),
    ] as [(String, Int, Int)])
  func rules(_ rule: String, _ january: Int, _ july: Int) throws {
    let zone = try #require(CivilZone(posixRule: rule))
    for year in [1950, 2026, 2100, 2400] {
      #expect(zone.offset(at: try time("\(year)-01-15T12:00:00Z")) == january)
      #expect(zone.offset(at: try time("\(year)-07-15T12:00:00Z")) == july)
    }
  }

  @Test(
    arguments: [
      // A day counted with 29 February, one counted without it; the fourth and the last Sunday.
      ("AAA0BBB,59,299", "2024-02-29T02:00:00Z"), ("AAA0BBB,59,299", "2026-03-01T02:00:00Z"),
      ("AAA0BBB,J60,J300", "2024-03-01T02:00:00Z"), ("AAA0BBB,J60,J300", "2026-03-01T02:00:00Z"),
      ("AAA0BBB,M3.4.0,M10.5.0", "2026-03-22T02:00:00Z"), ("AAA0BBB,M3.5.0,M10.5.0", "2026-03-29T02:00:00Z"),
      ("AAA0BBB,M2.5.1/-24:30,M10.5.0", "2026-02-21T23:30:00Z"),
      ("AAA0BBB,M2.5.1/100,M10.5.0", "2026-02-27T04:00:00Z"),
    ] as [(String, String)])
  func changesComeWhenTheRuleSays(_ rule: String, _ change: String) throws {
    let (zone, change) = (try #require(CivilZone(posixRule: rule)), try time(change))
    #expect(zone.offset(at: change) == 3600)
    #expect(zone.offset(at: Timestamp(milliseconds: change.milliseconds - 1)) == 0)
  }

  @Test(
    arguments: [
      "", "UTC", "AB3", "AAA", "AAA25", "AAA1:60", "AAA0BBB,", "AAA0BBB,M3.5.0", "AAA0BBB,M13.1.0,M10.5.0",
      "AAA0BBB,M3.6.0,M10.5.0", "AAA0BBB,M3.0.0,M10.5.0", "AAA0BBB,M3.5.7,M10.5.0", "AAA0BBB,J0,J365",
      "AAA0BBB,J366,J1", "AAA0BBB,366,1", "AAA0BBB,1/168,2", "AAA0BBB,1,2,3", "<+01-1",
      "CET-1CEST,M3.5.0,M10.5.0/3 ",
      "Ä0", "AAA99999999999999999999", "AAA-", "AAA0BB,1,2",
    ])
  func whatIsNoRule(_ text: String) {
    #expect(CivilZone(posixRule: text) == nil)
  }

  @Test(
    arguments: [
      ("2026-03-29T02:30:00.250Z", "2026-03-29T01:00:00.000Z"),
      ("2026-10-25T02:30:00.250Z", "2026-10-25T00:30:00.250Z"),
      ("2026-07-01T12:00:00.250Z", "2026-07-01T10:00:00.250Z"),
      ("2100-07-01T12:00:00Z", "2100-07-01T10:00:00.000Z"),
    ] as [(String, String)])
  func instantsOfLocalTimes(_ shown: String, _ instant: String) throws {
    #expect(try systemZone("Europe/Zurich").instant(showing: time(shown)).description == instant)
  }
}

/// Files that are not as they should be.
struct TZifTests {
  private func error(_ bytes: [UInt8]) -> TZifError? {
    do { _ = try CivilZone(tzif: bytes) } catch { return error }
    return nil
  }

  @Test func aFileOfEachVersionIsRead() throws {
    for version in [0, 0x32, 0x33, 0x34] as [UInt8] {
      let file = TZifFile(version: version, transitions: [(0, 1), (100, 0)], types: [-60, 60])
      let zone = try CivilZone(tzif: file.bytes)
      let offsets = [-1, 0, 99, 100, 1 << 40].map { zone.offset(at: Timestamp(milliseconds: $0 * 1000)) }
      #expect(offsets == [-60, 60, 60, -60, -60])
    }
  }

  @Test func theRuleHoldsFromTheLastTransitionOn() throws {
    let file = TZifFile(
      transitions: [(1_000_000_000, 1)], types: [0, 3600], footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n")
    let zone = try CivilZone(tzif: file.bytes)
    #expect(zone.offset(at: Timestamp(milliseconds: 999_999_999_000)) == 0)
    #expect(zone.offset(at: try time("2026-01-01T00:00:00Z")) == 3600)
    #expect(zone.offset(at: try time("2026-07-01T00:00:00Z")) == 7200)
  }

  @Test func whatCannotBeIsATypedError() {
    let good = TZifFile(transitions: [(0, 0), (100, 1)], types: [0, 3600], footer: "\nCET-1\n")
    #expect(error(good.bytes) == nil)
    #expect(error([]) == .otherContent)
    #expect(error(Array("#!/bin/sh\n".utf8)) == .otherContent)
    var file = good
    file.transitions = [(100, 0), (100, 1)]
    #expect(error(file.bytes) == .malformed)
    file = good
    file.transitions[1].type = 2
    #expect(error(file.bytes) == .malformed)
    file = good
    file.types[0] = 94_000
    #expect(error(file.bytes) == .malformed)
    file.types = []
    file.transitions = []
    #expect(error(file.bytes) == .malformed)
    file = good
    file.transitions[1].time = .max
    #expect(error(file.bytes) == .malformed)
    file = good
    file.leapSeconds = 27
    #expect(error(file.bytes) == .leapSeconds)
    for footer in ["", "\n", "\nCET-1", "CET-1\n"] {
      file = good
      file.footer = footer
      #expect(error(file.bytes) == .cutOff)
    }
    file.footer = "\nnonsense\n"
    #expect(error(file.bytes) == .malformed)
  }

  @Test func aFileThatEndsAnywhereIsCutOff() throws {
    let bytes = TZifFile(transitions: [(0, 0), (100, 1)], types: [0, 3600], footer: "\nCET-1\n").bytes
    for count in 0..<bytes.count {
      let found = error(Array(bytes[..<count]))
      #expect(found == .cutOff || found == .otherContent, "\(count) bytes")
    }
  }

  @Test func countsThatNoFileHasAreCutOff() {
    for place in 0..<6 {
      for head in [20, 44 + 6 + 4 + 20] {
        var bytes = TZifFile().bytes
        for byte in 0..<4 { bytes[head + 4 * place + byte] = 0xFF }
        #expect(error(bytes) == .cutOff || error(bytes) == .otherContent)
      }
    }
  }

  /// Whatever a file holds, a zone that comes of it can be asked anything.
  @Test func noFileTrapsOrHangs() throws {
    let good = TZifFile(
      transitions: (0..<9).map { ($0 * 100_000, UInt8($0 % 3)) }, types: [0, 3600, -90_000],
      footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n"
    ).bytes
    let rule = try CalendarRule(.init(weekday: 1, second: 30))
    forAll(seed: 7, count: 3000) { random, _ in
      var bytes = good
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let zone = try? CivilZone(tzif: bytes) else { return }
      for time in [Int64.min, -1, 0, 450_000_000, 1 << 50, .max] {
        let time = Timestamp(milliseconds: time)
        if let next = rule.next(after: time, in: zone), next <= max(time, .earliest) {
          Issue.record("\(next) is not after \(time)")
        }
      }
    }
  }
}
