import FencelineCivilTime
import FencelinePositioning
import Testing

@testable import FencelineTrackLogs

@Suite("NMEA dates")
struct NMEADateTests {
  private func gga(_ time: String) -> String {
    sentence("GPGGA,\(time),4700.0000,N,00800.0000,E,1,08,1.0,400,M,48,M,,")
  }
  private func rmc(_ time: String, _ date: String, status: String = "A") -> String {
    sentence("GPRMC,\(time),\(status),4700.0000,N,00800.0000,E,,,\(date),,,A")
  }
  private func times(_ log: String, _ options: LogOptions = LogOptions()) -> [String] {
    nmea(log, options).map(\.time.description)
  }
  private func warnings(_ log: String, _ options: LogOptions = LogOptions()) -> [String] {
    decode(NMEADecoder(options: options), Array(log.utf8)).decoder.warnings
  }

  @Test("A date is carried over midnight, forwards and backwards")
  func carries() {
    #expect(
      times(rmc("235959", "280226") + gga("000000") + gga("235958")) == [
        "2026-02-28T23:59:59.000Z", "2026-03-01T00:00:00.000Z", "2026-02-28T23:59:58.000Z",
      ])
  }

  @Test("Epochs before the first date get theirs from it")
  func fillsBack() {
    #expect(
      times(gga("235958") + gga("000001") + rmc("000002", "010326")) == [
        "2026-02-28T23:59:58.000Z", "2026-03-01T00:00:01.000Z", "2026-03-01T00:00:02.000Z",
      ])
  }

  @Test("What was held comes before the fix that brings the date, without repeats, all in one piece")
  func holdsInOrder() {
    let log =
      gga("235958") + gga("235959") + sentence("GPRMC,,V,,,,,,,,,,N") + gga("235959") + gga("000001")
      + rmc("000002", "010326") + gga("000003")
    let (fixes, decoder) = decode(NMEADecoder(options: LogOptions()), Array((log + log).utf8))
    let once = [
      "2026-02-28T23:59:58.000Z", "2026-02-28T23:59:59.000Z", "2026-03-01T00:00:01.000Z",
      "2026-03-01T00:00:02.000Z", "2026-03-01T00:00:03.000Z",
    ]
    #expect(fixes.map(\.time.description) == once + once)
    #expect(fixes.map(\.source) == [.gga, .gga, .gga, .rmc, .gga, .gga, .gga, .gga, .rmc, .gga])
    #expect(decoder.tally.count(.repeatedEpoch) == 2)
    // At the year 1 the days end.
    let early = gga("235958") + gga("235958.5") + sentence("GPZDA,000001,01,01,0001,,") + gga("000001")
    let decoded = decode(NMEADecoder(options: LogOptions()), Array(early.utf8))
    #expect(decoded.fixes.map(\.time.description) == ["0001-01-01T00:00:01.000Z"])
    #expect(decoded.decoder.tally.count(.offTheCalendar) == 2)
  }

  @Test("ZDA gives a date, moved to the nearest day, and may come first")
  func clockDates() {
    #expect(
      times(gga("000000.2") + sentence("GPZDA,235959,28,02,2026,00,00")) == ["2026-03-01T00:00:00.200Z"])
    #expect(times(sentence("GPZDA,120000,28,02,26,,") + gga("120000")) == ["2026-02-28T12:00:00.000Z"])
    #expect(times(sentence("PUBX,04,120000,280226,1,1,1") + gga("120000")) == ["2026-02-28T12:00:00.000Z"])
    #expect(
      times(gga("120000") + sentence("PGRMF,1,1,280226,120000,18,,,,,A,2,0,0,1,1")) == [
        "2026-02-28T12:00:00.000Z"
      ])
  }

  @Test("The date of an RMC just before midnight is moved for a position just after")
  func nearestDayOfRMC() {
    #expect(times(gga("000000.000") + rmc("235959.995", "280226")) == ["2026-03-01T00:00:00.000Z"])
  }

  @Test("Time is rounded to the millisecond, up into the next day")
  func rounds() {
    #expect(times(rmc("120000.0004", "280226")) == ["2026-02-28T12:00:00.000Z"])
    #expect(times(rmc("120000.0005", "280226")) == ["2026-02-28T12:00:00.001Z"])
    #expect(times(rmc("235959.9999", "280226")) == ["2026-03-01T00:00:00.000Z"])
    #expect(times(rmc("235960", "311216")) == ["2017-01-01T00:00:00.000Z"])
  }

  @Test("Invalid RMC and malformed dates give none", arguments: ["2208-1", "320326", "0103", ""])
  func refusesDates(date: String) {
    #expect(times(rmc("120000", date)) == ["1970-01-01T12:00:00.000Z"])
    #expect(
      times(gga("120000") + sentence("IIRMC,120000,V,,,,,,,010326,,,A")) == ["1970-01-01T12:00:00.000Z"])
  }

  @Test("Two-digit years are of 1980 to 2079")
  func centuries() {
    #expect(times(rmc("120000", "010180")) == ["1980-01-01T12:00:00.000Z"])
    #expect(times(rmc("120000", "010179")) == ["2079-01-01T12:00:00.000Z"])
  }

  @Test("A log without any date starts on the day that the user says, else in 1970 with a warning")
  func startsOnGivenDay() throws {
    let log = gga("235959") + gga("000001")
    let options = LogOptions(device: nil, startDate: CivilDate(year: 2026, month: 2, day: 28))
    #expect(times(log, options) == ["2026-02-28T23:59:59.000Z", "2026-03-01T00:00:01.000Z"])
    #expect(warnings(log, options).isEmpty)
    #expect(times(log).first == "1970-01-01T23:59:59.000Z")
    #expect(warnings(log).count == 1)
    #expect(warnings(rmc("120000", "010326"), options).count == 1)
  }

  @Test("A log that is too long without a date counts as one without")
  func boundsHeldEpochs() {
    var log = ""
    for second in 10..<30 { log += gga("1200\(second)") }
    let bytes = Array((log + rmc("120030", "010326")).utf8)
    let (fixes, decoder) = decode(NMEADecoder(options: LogOptions(), mostHeld: 10), bytes)
    #expect(fixes.count == 21)
    #expect(fixes.last?.time.description == "1970-01-01T12:00:30.000Z")
    #expect(decoder.warnings.count == 1)
  }

  @Test("The same time again is counted, not repeated")
  func dropsRepeated() {
    let log = epoch("120000") + sentence("GPRMC,,V,,,,,,,,,,N") + epoch("120000")
    #expect(nmea(log).count == 1)
    #expect(nmeaTally(log).count(.repeatedEpoch) == 1)
  }

  @Test("Dates that receivers get wrong are warned of")
  func warnsOfOddDates() throws {
    #expect(warnings(rmc("120000", "010199")).count == 1)
    #expect(warnings(rmc("120000", "060419") + rmc("120001", "210899")).count == 2)
    #expect(warnings(rmc("120000", "010326")).isEmpty)
    var options = LogOptions()
    options.now = try instant("2024-01-01T00:00:00Z")
    #expect(warnings(rmc("120000", "010326"), options).count == 1)
  }

  @Test(
    "Midnights beyond the years 1 to 9999 are counted",
    arguments: [("9999-12-31", "235959", "000000"), ("0001-01-01", "000000", "235959")])
  func endsOfTheCalendar(date: String, first: String, second: String) throws {
    let day = CivilDate(try instant(date + "T00:00:00Z"))
    let (fixes, decoder) = decode(
      NMEADecoder(options: LogOptions(device: nil, startDate: day)), Array((gga(first) + gga(second)).utf8))
    #expect(fixes.map { CivilDate($0.time) } == [day])
    #expect(decoder.tally.count(.offTheCalendar) == 1)
  }
}
