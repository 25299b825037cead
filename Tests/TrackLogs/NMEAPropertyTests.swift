import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineTrackLogs

@Suite("NMEA under damage")
struct NMEAPropertyTests {
  /// Sixty epochs with a few of everything between them.
  private static let log: [UInt8] = {
    var bytes: [UInt8] = Array("# recorded by a test\r\n".utf8)
    for second in 10..<60 {
      bytes += Array(sentence("GPGSA,A,3,1,2,3,4,,,,,,,,,2.0,1.4,2.0").utf8)
      bytes += Array(epoch("1200\(second).00", north: second * 7).utf8)
      bytes += [0xb5, 0x62, 0x01, 0x07, 0x24, 0x0a, 0x21, 0x00, 0xff]
      bytes += Array(sentence("GPVTG,10,T,,M,20,N,,K,A").utf8)
      bytes += Array("!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\r\n".utf8)
    }
    return bytes
  }()

  @Test("Where the stream is cut into pieces changes nothing")
  func splitting() {
    let whole = decode(NMEADecoder(options: LogOptions()), Self.log)
    #expect(whole.fixes.count == 50)
    var wrong: [UInt64] = []
    forAll(seed: 1, count: 200) { random, seed in
      let cuts = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        Int.random(in: 0...Self.log.count, using: &random)
      }
      let parts = decode(NMEADecoder(options: LogOptions()), Self.log, cutAt: cuts)
      if parts.fixes != whole.fixes || parts.decoder.tally != whole.decoder.tally { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("Bytes that are lost, doubled or flipped never make up a position")
  func damage() {
    let truth = Set(decode(NMEADecoder(options: LogOptions()), Self.log).fixes.map(\.coordinate))
    var wrong: [UInt64] = []
    forAll(seed: 2, count: 300) { random, seed in
      var bytes = Self.log
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(bytes[place], at: place)
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      let (fixes, decoder) = decode(NMEADecoder(options: LogOptions()), bytes)
      if !fixes.allSatisfy({ truth.contains($0.coordinate) }) { wrong.append(seed) }
      if fixes.count + decoder.tally.omissions.reduce(0, { $0 + $1.count }) == 0 { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("Noise gives no fix and no trouble")
  func noise() {
    var found = 0
    forAll(seed: 3, count: 50) { random, _ in
      let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      found += decode(NMEADecoder(options: LogOptions()), bytes).fixes.count
    }
    #expect(found == 0)
  }

  @Test("Fields of any content do no harm")
  func oddFields() {
    let pieces = [
      "", "A", "V", "1", "-1", "99999999999", "12345678", "123456789.5", "4700.0000", "4700.1234567890", "N",
      "E", "1e9", "..", "120000", "000000.0", "é",
    ]
    let heads = [
      "GPRMC", "GPGGA", "GPGLL", "GNGNS", "GPVTG", "GPZDA", "GPGSA", "GPGST", "GPGBS", "PGRME", "PUBX,00",
      "PUBX,04",
      "PGRMF",
    ]
    var wrong: [UInt64] = []
    forAll(seed: 4, count: 2_000) { random, seed in
      var log = ""
      for _ in 0..<5 {
        var body = heads[Int.random(in: 0..<heads.count, using: &random)]
        for _ in 0..<Int.random(in: 0...20, using: &random) {
          body += "," + pieces[Int.random(in: 0..<pieces.count, using: &random)]
        }
        log += sentence(body)
      }
      if !nmea(log).allSatisfy({ $0.coordinate.isValid }) { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }
}
