import FencelineCivilTime
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineTrackLogs

@Suite("Live NMEA decoder") struct LiveNMEADecoderTests {
  /// What a decoder has made of what came when.
  private final class Listener {
    private var decoder = LiveNMEADecoder(options: LogOptions())
    private var reports: [LiveNMEADecoder.Report] = []
    private let now: Timestamp

    init(at now: Timestamp = Timestamp(milliseconds: 1_772_323_200_000)) { self.now = now }

    var fixes: [Fix] {
      reports.compactMap { report in if case .fix(let fix, _) = report { fix } else { nil } }
    }
    var modes: [Int?] { reports.map { report in if case .fix(_, let mode) = report { mode } else { nil } } }
    var tally: LogTally { decoder.tally }
    var awaitsPause: Bool { decoder.awaitsPause }

    func hear(_ text: String, at clock: Int64) { hear(Array(text.utf8), at: clock) }

    func hear(_ bytes: [UInt8], at clock: Int64) {
      decoder.decode(bytes.span, at: now, clock: clock, into: &reports)
    }

    func pause() { decoder.pause(at: now, into: &reports) }
    func finish() { decoder.finish(at: now, into: &reports) }
  }

  @Test func anEpochEndsWithAPause() {
    let listener = Listener()
    listener.hear(epoch("120000"), at: 1_000)
    #expect(listener.fixes.isEmpty && listener.awaitsPause)
    listener.pause()
    #expect(listener.fixes.count == 1 && !listener.awaitsPause)
  }

  @Test func anEpochEndsWithTheNextOnesTime() {
    let listener = Listener()
    listener.hear(epoch("120000") + epoch("120001"), at: 1_000)
    #expect(listener.fixes.count == 1)
    listener.finish()
    #expect(listener.fixes.count == 2)
  }

  @Test func theSentenceThatEndedThreeBurstsEndsTheFourth() {
    let listener = Listener()
    for second in 0..<3 {
      listener.hear(epoch("12000\(second)"), at: Int64(second) * 1_000)
      listener.pause()
    }
    listener.hear(epoch("120003"), at: 3_000)
    #expect(listener.fixes.count == 4)
    // Satellites in view follow, which no fix need wait for.
    listener.hear(sentence("GPGSV,1,1,01,01,10,100,40"), at: 3_005)
    // The receiver has got another order: its instant is not told twice, and the lesson is forgotten.
    listener.hear(epoch("120004") + sentence("GPGLL,4700.0000,N,00800.0000,E,120004,A,A"), at: 4_000)
    listener.pause()
    #expect(listener.fixes.count == 5)
    #expect(listener.tally.count(.repeatedEpoch) == 1)
    listener.hear(epoch("120005"), at: 5_000)
    #expect(listener.fixes.count == 5)
    listener.pause()
    #expect(listener.fixes.count == 6)
  }

  @Test func thereIsNoLessonInBurstsThatEndDifferently() {
    let listener = Listener()
    for second in 0..<6 {
      let lines = epoch("12000\(second)").split(separator: "\r\n", omittingEmptySubsequences: true)
      listener.hear(lines[0] + "\r\n", at: Int64(second) * 1_000)
      listener.hear(lines[1] + "\r\n", at: Int64(second) * 1_000 + 50)
    }
    listener.pause()
    #expect(listener.fixes.count == 6)
    #expect(listener.fixes.allSatisfy { $0.speed != nil && $0.altitude != nil })
  }

  @Test(
    arguments: [
      // The clock, the receiver's time of day, its instant.
      ("2026-03-01T12:00:00.500Z", "120000", "2026-03-01T12:00:00Z"),
      ("2026-03-01T00:00:01Z", "235959", "2026-02-28T23:59:59Z"),
      ("2026-03-01T23:59:59Z", "000001", "2026-03-02T00:00:01Z"),
    ])
  func withoutADateTheDayIsTheNearest(_ clock: String, _ time: String, _ expected: String) throws {
    let listener = Listener(at: try instant(clock))
    listener.hear(sentence("GPGGA,\(time),4700.0000,N,00800.0000,E,1,08,1.0,400.0,M,48.0,M,,"), at: 0)
    listener.pause()
    #expect(listener.fixes.map(\.time) == [try instant(expected)])
  }

  @Test func theReceiversDateCountsAndIsCarried() throws {
    let listener = Listener(at: try instant("2031-01-01T00:00:00Z"))
    listener.hear(epoch("235959", date: "280226"), at: 0)
    listener.hear(sentence("GPGGA,000001,4700.0000,N,00800.0000,E,1,08,1.0,400.0,M,48.0,M,,"), at: 1_000)
    listener.pause()
    #expect(
      listener.fixes.map(\.time) == [
        try instant("2026-02-28T23:59:59Z"), try instant("2026-03-01T00:00:01Z"),
      ])
  }

  @Test func modesComeFromSatellitesElseFromTheHeight() {
    let listener = Listener()
    let rmc = { (second: Int) in
      sentence("GPRMC,12000\(second),A,4700.0000,N,00800.0000,E,10.0,90.0,010326,,,A")
    }
    listener.hear(rmc(0) + epoch("120001"), at: 0)
    listener.hear(epoch("120002") + sentence("GPGSA,A,2,01,02,03,,,,,,,,,,1.5,1.0,1.1"), at: 10)
    listener.hear(sentence("GPRMC,120003,V,,,,,,,010326,,,N") + rmc(4), at: 20)
    listener.pause()
    #expect(listener.modes == [2, 3, 2, nil, 2])
  }

  @Test func whereTheStreamIsCutChangesNothing() {
    var text = ""
    for second in 10..<40 { text += epoch("1200\(second)", north: second) }
    let bytes = Array(text.utf8)
    let expected = nmea(text)
    var wrong: [UInt64] = []
    forAll(seed: 11, count: 200) { random, seed in
      let listener = Listener()
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...200, using: &random))
        rest = rest.dropFirst(piece.count)
        // Bytes that follow one another: no burst ends.
        listener.hear(Array(piece), at: 0)
      }
      listener.finish()
      if listener.fixes != expected { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }
}
