import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import FencelineTrackLogs
import Testing

@testable import FencelineSimulation

@Suite("NMEA writer") struct NMEAWriterTests {
  private func epoch(_ kind: Epoch.Kind) -> Epoch {
    let place = Coordinate(latitude: 47.3769, longitude: -8.5417)
    return Epoch(
      time: Timestamp(milliseconds: 1_772_323_473_892), elapsed: 0, kind: kind, truth: place, place: place,
      altitude: 408.25, speed: 13.9, course: 359.999, sigma: 2.5)
  }

  @Test func everySentenceIsAsTheStandardHasIt() {
    let writer = NMEAWriter(NMEAWriter.Sentence.allCases)
    #expect(
      writer.text(epoch(.fix)) == """
        $GPRMC,000433.892,A,4722.6140000,N,00832.5020000,W,27.019,0.00,010326,,,A*7E\r
        $GPGGA,000433.892,4722.6140000,N,00832.5020000,W,1,08,0.63,408.25,M,0.0,M,,*71\r
        $GPGSA,A,3,02,05,07,09,13,20,28,30,,,,,1.13,0.63,0.94*09\r
        $GPGST,000433.892,2.500,2.500,2.500,0.0,2.500,2.500,3.750*66\r
        $GPVTG,0.00,T,,M,27.019,N,50.040,K,A*31\r
        $GPGLL,4722.6140000,N,00832.5020000,W,000433.892,A,A*42\r
        $GPZDA,000433.892,01,03,2026,00,00*55\r\n
        """)
    #expect(
      writer.text(epoch(.noFix)) == """
        $GPRMC,000433.892,V,,,,,,,010326,,,N*4C\r
        $GPGGA,000433.892,,,,,0,00,99.99,,M,,M,,*51\r
        $GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99*30\r
        $GPGST,000433.892,,,,,,,*4E\r
        $GPVTG,,T,,M,,N,,K,N*2C\r
        $GPGLL,,,,,000433.892,V,N*7D\r
        $GPZDA,000433.892,01,03,2026,00,00*55\r\n
        """)
    #expect(writer.text(epoch(.silent)).isEmpty)
    let undated = writer.text(epoch(.undated)).split(whereSeparator: \.isNewline).map { $0.prefix(6) }
    #expect(undated == ["$GPGGA", "$GPGSA", "$GPGST", "$GPVTG", "$GPGLL"])
  }

  private func read(_ text: String) throws -> (fixes: [Fix], tally: LogTally) {
    let folder = try TemporaryFolder()
    let reader = try TrackLogReader(path: try folder.write("log.nmea", text), options: LogOptions())
    var fixes: [Fix] = []
    while try reader.read(into: &fixes) {}
    return (fixes, reader.tally)
  }

  @Test func everyEpochIsReadBack() throws {
    var bad: UInt64?
    try forAll(seed: 4, count: 30) { random, seed in
      let start = random.coordinate(within: 9_000_000, of: Coordinate(latitude: 0, longitude: 179))
      let end = start.destination(azimuth: random.uniform(0...360), distance: random.length(100...50_000))
      var settings = SimulatedReceiver.Settings(
        start: Timestamp(milliseconds: Int64(random.uniform(1.6e9...3e9)) * 1000))
      settings.rate = random.chance(0.5) ? 1 : 10
      settings.noise = random.length(1...50)
      settings.seed = seed
      settings.duration = 300
      settings.undated = 3
      settings.outages = [.init(at: 100, for: 10)]
      settings.silences = [.init(at: 200, for: 5)]
      var receiver = SimulatedReceiver(
        on: Journey([.init(start, altitude: 100), .init(end, altitude: 500)], speed: 30), settings)
      let writer = NMEAWriter()
      var text = ""
      var told: [Epoch] = []
      while let epoch = receiver.next() {
        text += writer.text(epoch)
        if epoch.kind == .fix || epoch.kind == .undated { told.append(epoch) }
      }
      let (fixes, tally) = try read(text)
      if fixes.count != told.count || tally.omissions.contains(where: { $0.0 != .noFix }) { bad = seed }
      for (fix, epoch) in zip(fixes, told) {
        let isNear = fix.coordinate.distance(to: epoch.place) < 0.001
        let sameSpeed = epoch.kind == .undated || abs((fix.speed ?? -1) - epoch.speed) < 0.001
        let sameAccuracy = abs((fix.accuracy ?? -1) - Accuracy.fromSigma(epoch.sigma)) < 0.001
        if fix.time != epoch.time || !isNear || !sameSpeed || !sameAccuracy { bad = seed }
        if abs((fix.altitude ?? -1) - epoch.altitude) > 0.006 { bad = seed }
      }
    }
    #expect(bad == nil)
  }

  @Test func theDilutionTellsTheSameAccuracy() throws {
    var settings = SimulatedReceiver.Settings(start: Timestamp(milliseconds: 1_800_000_000_000))
    settings.noise = 12
    settings.duration = 10
    var receiver = SimulatedReceiver(on: Journey([.init(Coordinate(latitude: 1, longitude: 2))]), settings)
    let writer = NMEAWriter([.gga, .rmc])
    var text = ""
    while let epoch = receiver.next() { text += writer.text(epoch) }
    let fixes = try read(text).fixes
    #expect(fixes.count == 11)
    #expect(fixes.allSatisfy { abs(($0.accuracy ?? 0) - 12) < 0.05 })
  }
}
