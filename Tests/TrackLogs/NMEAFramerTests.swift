import FencelineGeodesy
import FencelinePositioning
import Testing

@testable import FencelineTrackLogs

@Suite("NMEA framing")
struct NMEAFramerTests {
  @Test(
    "A sentence is found behind any prefix",
    arguments: [
      "2023-09-02T12:41:35.168370+00:00\t", "NAV 2013/11/20 05:00:04.561 GPS ", "1600000000000;II;", "NMEA,",
      "---,",
      "\\s:r3,c:1577836800*1A\\", "\u{1}\u{2}", "@Sonygps/ver1.0/wgs-84\r\n",
    ])
  func findsBehindPrefix(prefix: String) {
    #expect(nmea(prefix + epoch("120000")).count == 1)
  }

  @Test("Lines of text that hold no sentence are counted, noise and what stands about sentences is not")
  func countsForeignLines() {
    let track = "<?xml version=\"1.0\"?>\n<!-- a ride! for $5 -->\n\n<trkpt lat=\"47\" lon=\"8\"/>\r\n</gpx>"
    let noise = "\u{b5}b\u{1}\u{7}\u{0}\n\u{3}abc\n"
    let log = "# remark\n" + epoch("120000") + noise + "12:00 " + epoch("120001") + track
    #expect(nmeaTally(log).count(.foreignLine) == 4)
    #expect(nmeaTally(log).omissions.count == 1)
    for cut in 0..<log.utf8.count {
      let (fixes, decoder) = decode(NMEADecoder(options: LogOptions()), Array(log.utf8), cutAt: [cut])
      guard fixes.count == 2, decoder.tally == nmeaTally(log) else {
        Issue.record("cut at \(cut)")
        return
      }
    }
  }

  @Test("Text behind the checksum is a logger's remark")
  func ignoresSuffix() {
    let line = sentence("GPGLL,4700.0000,N,00800.0000,E,120000,A,A").dropLast() + ",1623456789012\r\n"
    #expect(nmea(String(line)).count == 1)
  }

  @Test("A sentence that is cut off costs only itself")
  func resynchronises() {
    let log = "$GPGGA,030130" + sentence("GPGLL,4700.0000,N,00800.0000,E,030130,A,A")
    #expect(nmea(log).map(\.source) == [.gll])
    #expect(nmeaTally(log).count(.missingChecksum) == 1)
  }

  @Test(
    "A wrong checksum, or a star without digits, drops the sentence and is counted",
    arguments: ["*00", "*", "*G1", "*1"])
  func dropsWrongChecksum(ending: String) {
    let log = "$GPGLL,4700.0000,N,00800.0000,E,120000,A,A\(ending)\r\n"
    #expect(nmea(log).isEmpty)
    #expect(nmeaTally(log).count(.wrongChecksum) == 1)
  }

  @Test("The digits of a checksum may be in lower case")
  func takesLowerCase() {
    #expect(
      nmea(sentence("GPGLL,4700.0000,N,00800.0000,E,120009,A,A").lowercased().replacingAddress()).count == 1)
  }

  @Test("A log that never has checksums is read")
  func readsWithoutChecksums() {
    let body = "$GPGLL,4700.0000,N,00800.0000,E,12000"
    #expect(nmea("\(body)0,A\n\(body)1,A\n").count == 2)
  }

  @Test("Once one sentence had a checksum, none without counts")
  func demandsChecksums() {
    let log = epoch("120000") + "$GPGLL,4700.0000,N,00800.0000,E,120001,A\r\n"
    #expect(nmea(log).count == 1)
    #expect(nmeaTally(log).count(.missingChecksum) == 1)
  }

  @Test("The last line needs an end only if it has no checksum")
  func takesUnterminatedLastLine() {
    let body = "GPGLL,4700.0000,N,00800.0000,E,120000,A,A"
    #expect(nmea(String(sentence(body).dropLast())).count == 1)
    #expect(nmea("$" + body).isEmpty)
  }

  @Test("Lines that begin with # are skipped whole")
  func skipsComments() {
    #expect(nmea("# \(epoch("120000"))").map(\.source) == [.rmc])
  }

  @Test("Sentences longer than 255 bytes end there")
  func capsLength() {
    let long = "$GPTXT," + String(repeating: "x", count: 400)
    #expect(nmea(long + epoch("120000")).count == 1)
  }

  @Test("Numbers may have any number of decimals, and spaces round them")
  func readsNumbers() throws {
    let fix = try #require(nmea(sentence("GPGLL, 4730.12345678 ,N,00800.5,E,120000,A,A")).first)
    let north = 30.12345678 / 60
    let east = 0.5 / 60
    #expect(abs(fix.coordinate.latitude - 47 - north) < 1e-12)
    #expect(abs(fix.coordinate.longitude - 8 - east) < 1e-12)
  }

  @Test(
    "A malformed position is none",
    arguments: [
      "4760.0000,N,00800.0000,E", "9100.0000,N,00800.0000,E", "4700.0000,N,18100.0000,E",
      "-4700.0000,N,00800.0000,E",
      "4700.0000,X,00800.0000,E", "4700.0000,,00800.0000,E", "47x0.0,N,00800.0,E",
      "36000.0000,N,72000.0000,E",
      "12345678.0,N,00800.0,E", "123456789.5,N,00800.0,E", "4700.0,N,123456789,E",
    ])
  func refusesMalformedPositions(position: String) {
    let log = sentence("GPGLL,\(position),120000,A,A")
    #expect(nmea(log).isEmpty)
    #expect(nmeaTally(log).count(.malformedPosition) == 1)
  }
}

extension String {
  /// Lower case but for what must not be: the text up to the star.
  fileprivate func replacingAddress() -> String {
    guard let star = firstIndex(of: "*") else { return self }
    return self[..<star].uppercased() + self[star...]
  }
}
