import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import Testing

@testable import FencelineTrackLogs

@Suite("NMEA epochs")
struct NMEAEpochTests {
  private let knot: Double = 1852.0 / 3600
  private let rmc = "GPRMC,120000.00,A,4700.0000,N,00800.0000,E,10.0,90.0,010326,,,A"
  private func gga(
    _ quality: String = "1", time: String = "120000.00", talker: String = "GP", hdop: String = "1.5"
  ) -> String {
    "\(talker)GGA,\(time),4700.0001,N,00800.0000,E,\(quality),08,\(hdop),400.0,M,48.0,M,,"
  }

  @Test("Sentences of one time give one fix with the best of each")
  func merges() throws {
    let fixes = nmea(sentence(rmc) + sentence(gga()))
    let fix = try #require(fixes.first)
    #expect(fixes.count == 1)
    #expect(fix.source == .gga)
    #expect(fix.device == "default")
    #expect(fix.track == 0)
    #expect(fix.time == (try instant("2026-03-01T12:00:00Z")))
    #expect(fix.coordinate.latitude == 47 + 0.0001 / 60)
    #expect(fix.altitude == 400)
    #expect(fix.speed == 10 * knot)
    #expect(fix.course == 90)
    #expect(fix.accuracy == Accuracy.fromHDOP(1.5))
  }

  @Test("Times within 10 ms are of one epoch, also across midnight")
  func toleratesTenMilliseconds() {
    #expect(nmea(sentence(gga(time: "120000.000")) + sentence(gga(time: "120000.010"))).count == 1)
    #expect(nmea(sentence(gga(time: "120000.000")) + sentence(gga(time: "120000.011"))).count == 2)
    #expect(nmea(sentence(gga(time: "235959.995")) + sentence(gga(time: "000000.004"))).count == 1)
  }

  @Test("The device may be named by the user")
  func takesDevice() {
    #expect(nmea(sentence(gga()), LogOptions(device: "van")).map(\.device) == ["van"])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var what: String
    var sentences: [String]
    var count: Int
    var omission: LogOmission?
    var testDescription: String { what }
  }

  static let position = "4700.0000,N,00800.0000,E"
  static let cases: [Case] = [
    .init(
      what: "RMC V vetoes GGA of its talker",
      sentences: [
        "GPGGA,120000,\(position),1,08,1.0,400,M,,M,,", "GPRMC,120000,V,\(position),,,010326,,,A",
      ], count: 0, omission: .conflictingEpoch),
    .init(
      what: "RMC mode N vetoes",
      sentences: [
        "GPGGA,120000,\(position),1,08,1.0,400,M,,M,,", "GPRMC,120000,A,\(position),,,010326,,,N",
      ], count: 0, omission: .conflictingEpoch),
    .init(
      what: "one talker's V does not veto another's",
      sentences: [
        "GPGGA,120000,\(position),1,08,1.0,400,M,,M,,", "IIRMC,120000,V,\(position),,,010326,,,A",
      ], count: 1, omission: nil),
    .init(
      what: "GN speaks for all",
      sentences: [
        "GPGGA,120000,\(position),1,08,1.0,400,M,,M,,", "GNGLL,\(position),120000,V,A",
      ], count: 0, omission: .conflictingEpoch),
    .init(
      what: "an empty quality is none", sentences: ["GPGGA,120000,\(position),,08,1.0,400,M,,M,,"], count: 0,
      omission: .noFix),
    .init(
      what: "quality 9 counts", sentences: ["GPGGA,120000,\(position),9,08,1.0,400,M,,M,,"], count: 1,
      omission: nil),
    .init(
      what: "estimated is left out", sentences: ["GPGGA,120000,\(position),6,08,1.0,400,M,,M,,"], count: 0,
      omission: .estimated),
    .init(
      what: "simulated is left out", sentences: ["GPGGA,120000,\(position),8,08,1.0,400,M,,M,,"], count: 0,
      omission: .simulated),
    .init(
      what: "mode S is left out", sentences: ["GPGLL,\(position),120000,A,S"], count: 0, omission: .simulated),
    .init(
      what: "PUBX in dead reckoning is left out",
      sentences: [
        "PUBX,00,120000.00,\(position),400,DR,2.0,3.0,0.0,0.0,0.0,,1.0,1.0,1.0,8,0,0"
      ], count: 0, omission: .estimated),
    .init(
      what: "PUBX with time only is unused",
      sentences: [
        "PUBX,00,120000.00,\(position),400,TT,2.0,3.0,0.0,0.0,0.0,,1.0,1.0,1.0,8,0,0"
      ], count: 0, omission: .noFix),
    .init(
      what: "PUBX without fix vetoes",
      sentences: [
        "GNGLL,\(position),120000,A,A",
        "PUBX,00,120000.00,\(position),400,NF,2.0,3.0,0.0,0.0,0.0,,1.0,1.0,1.0,8,0,0",
      ], count: 0, omission: .conflictingEpoch),
    .init(
      what: "GNS counts if any letter is not N", sentences: ["GNGNS,120000,\(position),NA,08,1.0,400,48,,,V"],
      count: 1, omission: nil),
    .init(
      what: "GNS with N alone is no fix",
      sentences: [
        "GNGNS,120000,\(position),NN,08,1.0,400,48,,,V", "GPGLL,\(position),120000,A,A",
      ], count: 0, omission: .conflictingEpoch),
    .init(
      what: "GNS without a position says nothing",
      sentences: ["GPGNS,120000,,,,,,08,,,,,,V", "GPGLL,\(position),120000,A,A"], count: 1, omission: nil),
    .init(
      what: "all GSA without fix reject",
      sentences: ["GPGLL,\(position),120000,A,A", "GPGSA,A,1,,,,,,,,,,,,,,,"], count: 0,
      omission: .conflictingEpoch),
    .init(
      what: "GGA and RMC outvote GSA",
      sentences: [
        "GPGGA,120000,\(position),1,08,1.0,400,M,,M,,", "GPRMC,120000,A,\(position),,,010326,,,A",
        "GPGSA,A,1,,,,,,,,,,,,,,,",
      ], count: 1, omission: nil),
    .init(
      what: "the best GSA counts",
      sentences: [
        "GPGLL,\(position),120000,A,A", "GPGSA,A,1,,,,,,,,,,,,,,,", "GLGSA,A,3,1,2,3,4,,,,,,,,,2,1,2",
      ], count: 1, omission: nil),
    .init(
      what: "RMC status C is unused", sentences: ["GPRMC,120000,C,\(position),,,010326,,,A"], count: 0,
      omission: .noFix),
    .init(what: "GLL without time is ignored", sentences: ["GPGLL,\(position)"], count: 0, omission: nil),
    .init(
      what: "a malformed time ignores the sentence",
      sentences: ["GPGGA,1200,\(position),1,08,1.0,400,M,,M,,"], count: 0, omission: .malformedTime),
    .init(
      what: "PGRMC is not RMC", sentences: ["PGRMC,120000,A,\(position),,,010326,,,A"], count: 0,
      omission: nil),
    .init(what: "PQ is a talker", sentences: ["PQGLL,\(position),120000,A,A"], count: 1, omission: nil),
    .init(what: "way-points are no fixes", sentences: ["GPWPL,\(position),HOME"], count: 0, omission: nil),
  ]

  @Test("Whether an epoch counts", arguments: cases)
  func judges(_ test: Case) {
    let log = test.sentences.map(sentence).joined()
    #expect(nmea(log).count == test.count)
    #expect(nmeaTally(log).omissions.map(\.reason) == (test.omission.map { [$0] } ?? []))
  }

  @Test("Estimated and simulated positions count where they are asked for")
  func includesOnRequest() {
    var options = LogOptions()
    options.includesEstimated = true
    #expect(nmea(sentence(gga("6")), options).count == 1)
    #expect(nmea(sentence(gga("8")), options).isEmpty)
    options.includesSimulated = true
    #expect(nmea(sentence(gga("8")), options).count == 1)
  }

  @Test("A sentence without time ends the epoch, and what waits for the next is forgotten")
  func emptyTimeEndsEpoch() throws {
    let velocity = sentence("GPVTG,10,T,,M,20,N,,K,A")
    let log =
      sentence(gga(time: "120000")) + velocity + velocity + sentence("GPRMC,,V,,,,,,,,,,N")
      + sentence(gga(time: "120001"))
    let fixes = nmea(log)
    #expect(fixes.count == 2)
    #expect(fixes.first?.speed != nil)
    #expect(fixes.last?.speed == nil)
  }

  @Test("The second VTG of an epoch leads the next")
  func secondVelocityLeads() {
    let log =
      sentence("GPVTG,10,T,,M,20,N,,K,A") + sentence(gga(time: "120000"))
      + sentence("GPVTG,10,T,,M,,N,36,K,A")
      + sentence("GPVTG,10,T,,M,30,N,,K,A") + sentence(gga(time: "120001"))
    #expect(nmea(log).map(\.speed) == [20 * knot, 30 * knot])
  }

  @Test("A VTG of before version 2 has no units")
  func oldVelocity() {
    #expect(nmea(sentence(gga()) + sentence("GPVTG,010,011,20,37")).map(\.speed) == [20 * knot])
  }

  @Test("A run of GSA is one group")
  func runOfSatellites() {
    let bad = "GPGSA,A,1,,,,,,,,,,,,,,,"
    let run = ["GNGSA,A,3,1,2,3,4,,,,,,,,,2,1,2", "GNGSA,A,3,1,2,3,4,,,,,,,,,2,1,2"].map(sentence).joined()
    // The first run is the first epoch's, the second leads the second.
    let log =
      sentence(gga(time: "120000")) + run + sentence("GPTXT,1") + run + sentence(bad)
      + sentence(gga(time: "120001"))
    #expect(nmea(log).count == 2)
  }
}

@Suite("NMEA accuracy")
struct NMEAAccuracyTests {
  private let position = "4700.0000,N,00800.0000,E"

  private func accuracy(_ bodies: String...) -> Double? {
    nmea(bodies.map(sentence).joined()).first?.accuracy
  }

  private var gga: String { "GPGGA,120000,\(position),1,08,1.5,400,M,48,M,," }
  private var gst: String { "GPGST,120000,,,,,3.0,4.0,5.0" }
  private var gbs: String { "GPGBS,120000,2.0,2.0,5.0,,,," }
  private var pubx: String { "PUBX,00,120000,\(position),400,G3,2.5,3.0,36.0,90.0,0.0,,1.0,1.0,1.0,8,0,0" }

  @Test("The best source that there is counts")
  func takesTheBest() {
    #expect(accuracy(gga, gst, gbs, "PGRME,5.0,M,7.0,M,8.0,M", pubx) == Accuracy.fromSigma(2.5))
    #expect(accuracy(gga, gst, gbs, "PGRME,5.0,M,7.0,M,8.0,M") == Accuracy.fromSigmas(3, 4))
    #expect(accuracy(gga, gbs, "PGRME,5.0,M,7.0,M,8.0,M") == Accuracy.fromSigmas(2, 2))
    #expect(accuracy(gga, "PGRME,5.0,M,7.0,M,8.0,M") == Accuracy.from50(5))
    #expect(accuracy(gga) == Accuracy.fromHDOP(1.5))
  }

  @Test("HDOP may come from GNS or GSA, and 50 or more is none")
  func hdopSources() {
    #expect(accuracy("GPGNS,120000,\(position),A,08,1.2,400,48,,") == Accuracy.fromHDOP(1.2))
    let gll = "GPGLL,\(position),120000,A,A"
    #expect(accuracy(gll, "GPGSA,A,3,1,2,3,4,,,,,,,,,2.0,1.4,2.0") == Accuracy.fromHDOP(1.4))
    #expect(accuracy(gll, "GPGSA,A,3,1,2,3,4,,,,,,,,,2.0,99.99,2.0") == nil)
    #expect(accuracy(gll, "GPGSA,A,3,1,2,3,4,2.0,1.4,2.0") == nil)
    #expect(accuracy(gll) == nil)
  }

  @Test("Errors of another time do not count")
  func refusesOtherTimes() {
    #expect(accuracy(gga, "GPGST,115959,,,,,3.0,4.0,5.0") == Accuracy.fromHDOP(1.5))
    #expect(accuracy(gga, "GPGST,,,,,,3.0,4.0,5.0") == Accuracy.fromHDOP(1.5))
  }

  @Test("PUBX gives km/h")
  func pubxSpeed() {
    #expect(nmea(sentence(pubx)).map(\.speed) == [10])
    #expect(nmea(sentence(pubx)).map(\.course) == [90])
    #expect(nmea(sentence(pubx)).map(\.source) == [.pubx00])
  }
}
