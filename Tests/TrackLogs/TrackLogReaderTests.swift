import CFencelineZlib
import FencelineCivilTime
import FencelinePositioning
import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineTrackLogs

/// One gzip member.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = unsafe z_stream()
  var plain = bytes
  var packed = [UInt8](repeating: 0, count: bytes.count + bytes.count / 1000 + 128)
  let count = unsafe plain.withUnsafeMutableBufferPointer { input in
    unsafe packed.withUnsafeMutableBufferPointer { output -> Int in
      unsafe deflateInit2_(
        &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(output.count)
      _ = unsafe deflate(&stream, Z_FINISH)
      let made = unsafe output.count - Int(stream.avail_out)
      unsafe deflateEnd(&stream)
      return made
    }
  }
  return Array(packed[..<count])
}

@Suite("Reading logs")
struct TrackLogReaderTests {
  private static let nmeaLog = (10..<60).map { epoch("1200\($0)", north: $0) }.joined()
  private static let gpxLog = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- made by a test --><gpx><trk><name>Zürich</name><trkseg><trkpt lat="1" lon="2"><time>2026-03-01T12:00:01Z</time></trkpt>
    <trkpt lat="1" lon="3"><time>2026-03-01T12:00:00Z</time></trkpt></trkseg></trk></gpx>
    """
  private static let gpsdLog =
    #"{"class":"TPV","device":"a","mode":3,"time":"2026-03-01T12:00:00Z","lat":1,"lon":2}"#
  private static let ownTracksLog =
    "2026-03-01T12:00:03Z\t*   \t{\"_type\":\"location\",\"tst\":1772366400,\"lat\":1,\"lon\":2}\n"
  private static let csvLog = "time,lat,lon\n1772366400,1,2\n"

  struct Sample: CustomTestStringConvertible, Sendable {
    var format: LogFormat
    var text: String
    var fixes: Int
    var testDescription: String { format.displayName }
  }
  static let samples: [Sample] = [
    .init(format: .nmea, text: nmeaLog, fixes: 50), .init(format: .gpx, text: gpxLog, fixes: 2),
    .init(format: .gpsdJSON, text: gpsdLog, fixes: 1),
    .init(format: .ownTracks, text: ownTracksLog, fixes: 1),
    .init(format: .csv, text: csvLog, fixes: 1),
  ]

  @Test("Every format is known by its content, plain, packed and in UTF-16", arguments: samples)
  func recognises(_ sample: Sample) throws {
    let plain = Array(sample.text.utf8)
    let half = plain.count / 2
    let utf16 = sample.text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let contents: [[UInt8]] = [
      plain, gzip(plain), gzip(Array(plain[..<half])) + gzip(Array(plain[half...])),
      gzip(plain) + [0, 0, 0, 0],
      [0xff, 0xfe] + utf16, utf16,
      [0xfe, 0xff] + sample.text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] },
      [0xef, 0xbb, 0xbf] + plain,
    ]
    for (place, content) in contents.enumerated() {
      let file = try ScratchFile(content, name: "misleading.pdf")
      let (fixes, reader) = try readAll(file)
      #expect(reader.format == sample.format, "content \(place)")
      #expect(fixes.count == sample.fixes, "content \(place)")
      #expect(reader.tally.fixes == sample.fixes)
      #expect(reader.ending == nil)
      #expect(reader.progress.consumed == Int64(content.count))
      #expect(reader.progress.size == Int64(content.count))
      #expect(reader.warnings.isEmpty == (place != 3), "content \(place)")
      var more: [Fix] = []
      let goesOn = try reader.read(into: &more)
      #expect(!goesOn && more.isEmpty)
    }
  }

  @Test("The digest is of the unpacked content")
  func digests() throws {
    let plain = try readAll(ScratchFile(Self.nmeaLog)).reader.digest
    #expect(plain?.count == 32)
    let known = try readAll(ScratchFile("time,lat,lon\n")).reader.digest
    #expect(known?.prefix(4) == [0x2c, 0x27, 0xe8, 0x4b])
    #expect(try readAll(ScratchFile(gzip(Array(Self.nmeaLog.utf8)))).reader.digest == plain)
    #expect(try readAll(ScratchFile(Self.nmeaLog + " ")).reader.digest != plain)
  }

  @Test("Whole tracks can be put in order of time, equal times as they were")
  func ordering() throws {
    var (fixes, reader) = try readAll(ScratchFile(Self.gpxLog))
    #expect(reader.format.holdsWholeTrack)
    #expect(fixes.map(\.time.milliseconds) == [1_772_366_401_000, 1_772_366_400_000])
    fixes.append(fixes[0])
    fixes[2].track = 7
    inTimeOrder(&fixes)
    #expect(fixes.map(\.time.milliseconds) == [1_772_366_400_000, 1_772_366_401_000, 1_772_366_401_000])
    #expect(fixes.map(\.track) == [0, 0, 7])
  }

  @Test("A first day that is not needed is said to be ignored")
  func unusedDate() throws {
    let options = LogOptions(device: nil, startDate: CivilDate(year: 2026, month: 3, day: 1))
    for sample in Self.samples {
      #expect(try readAll(ScratchFile(sample.text), options).reader.warnings.count == 1)
    }
  }

  @Test("Damage of any kind to any log is no more than an error or fewer fixes", arguments: samples)
  func damage(_ sample: Sample) throws {
    var wrong: [UInt64] = []
    let plain = Array(sample.text.utf8)
    let contents = [plain, gzip(plain), sample.text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }]
    try forAll(seed: 9, count: 60) { random, seed in
      var bytes = contents[Int.random(in: 0..<contents.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if random.chance(0.3) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      let file = try ScratchFile(bytes)
      do {
        let (fixes, reader) = try readAll(file)
        if fixes.count > sample.fixes || fixes.count != reader.tally.fixes { wrong.append(seed) }
      } catch let error as TrackLogError {
        if !error.message.hasPrefix("Cannot read the log '") || !error.message.hasSuffix(".") {
          wrong.append(seed)
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test("UTF-16 keeps letters beyond its plane, and half a letter is none")
  func surrogates() {
    for text in ["a😀ü", "€"] {
      var bytes: [UInt8] = [0xff, 0xfe]
      for unit in text.utf16 { bytes += [UInt8(unit & 0xff), UInt8(unit >> 8)] }
      var transcoder = UTF16Transcoder(head: bytes[...])
      var plain: [UInt8] = []
      for byte in bytes { transcoder?.decode([byte].span, into: &plain) }
      #expect(String(decoding: plain, as: UTF8.self) == "\u{feff}" + text)
    }
    var transcoder = UTF16Transcoder(head: [0xfe, 0xff])
    var plain: [UInt8] = []
    transcoder?.decode([0xd8, 0x3d, 0x00, 0x41, 0xdc, 0x00, 0x00].span, into: &plain)
    #expect(String(decoding: plain, as: UTF8.self) == "A\u{fffd}")
  }

  @Test("Rubbish before the first sentence, of any length, is passed over")
  func searches() throws {
    let rubbish = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 3) }
    let (fixes, reader) = try readAll(ScratchFile(rubbish + Array(Self.nmeaLog.utf8)))
    #expect(reader.format == .nmea)
    #expect(fixes.count == 50)
    let one = sentence("GPGLL,4700.0000,N,00800.0000,E,120000,A,A").dropLast()
    #expect(try readAll(ScratchFile(rubbish + Array(one.utf8))).fixes.count == 1)
  }

  @Test("gpsd's greeting before raw sentences does not hide them")
  func rawAfterGreeting() throws {
    let greeting =
      #"{"class":"VERSION","release":"3.22"}"# + "\n" + #"{"class":"WATCH","enable":true}"# + "\n"
    #expect(try readAll(ScratchFile(greeting + Self.nmeaLog)).reader.format == .nmea)
    #expect(try readAll(ScratchFile(greeting)).reader.format == .gpsdJSON)
    #expect(try readAll(ScratchFile("<14>Jan 1 gps: " + Self.nmeaLog)).reader.format == .nmea)
  }

  @Test("A gzip file that breaks off or is damaged keeps what came before", arguments: [true, false])
  func brokenGzip(isTruncated: Bool) throws {
    var log = ""
    for second in 0..<3_000 {
      log += epoch("12\(second / 100 + 10)\(second % 50 + 10).\(second % 100 / 50)", north: second * 37)
    }
    var packed = gzip(Array(log.utf8))
    if isTruncated { packed.removeLast(packed.count / 3) } else { packed[packed.count / 2] ^= 0xff }
    let (fixes, reader) = try readAll(ScratchFile(packed))
    #expect(fixes.count > 0)
    let ending = try #require(reader.ending)
    #expect(ending.code == .damaged)
    #expect(
      ending.message.hasSuffix(
        "to its end: its gzip data \(isTruncated ? "breaks off" : "is damaged"). What came before is kept."))
    #expect(reader.digest?.count == 32)
  }

  @Test("A GPX file that breaks off says so")
  func brokenGPX() throws {
    let (fixes, reader) = try readAll(ScratchFile(String(Self.gpxLog.dropLast(60))))
    #expect(fixes.count == 1)
    #expect(reader.ending?.code == .damaged)
    #expect(reader.ending?.message.contains("to its end: the XML breaks off or is damaged at line 3") == true)
    #expect(reader.digest?.count == 32)
  }

  @Test(
    "Encodings that declarations get wrong are read all the same",
    arguments: [
      ("encoding=\"windows-1252\"", [0xfc]), ("encoding=\"ISO-8859-1\"", [0xfc]),
      ("encoding=\"x-unknown\"", [0xfc, 0x80]),
      ("encoding=\"utf-16\"", [0xc3, 0xbc]), ("encoding='utf-8'", [0xfc]), ("", [0xfc]), ("", [0xc3, 0xbc]),
    ] as [(String, [UInt8])])
  func encodings(declaration: String, letter: [UInt8]) throws {
    let tail =
      "</name><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2026-03-01T12:00:01Z</time></trkpt></trkseg></trk></gpx>"
    let log =
      Array("\n<?xml version=\"1.0\" \(declaration)?><gpx><trk><name>Z".utf8) + letter + Array(tail.utf8)
    let (fixes, reader) = try readAll(ScratchFile(log))
    #expect(fixes.count == 1)
    #expect(reader.ending == nil)
  }

  @Test("A log on standard input is named so")
  func standardInput() {
    #expect(LogName(path: "-").phrase == "the log on standard input")
  }

  @Test("A log that becomes shorter while it is read is told; one that grows is read to its new end")
  func changingSizes() throws {
    let log = (0..<4000).map { _ in epoch("120000") }.joined() + epoch("120001")
    for (change, isShorter) in [(-1, true), (-300_000, true), (0, false)] as [(Int, Bool)] {
      let file = try ScratchFile(log)
      let reader = try TrackLogReader(path: file.path, options: LogOptions())
      var fixes: [Fix] = []
      #expect(try reader.read(into: &fixes))
      #expect(unsafe truncate(file.path, log.utf8.count + change) == 0)
      while try reader.read(into: &fixes) {}
      #expect(fixes.count >= 1)
      #expect((reader.ending?.code == .damaged) == isShorter)
      let told =
        "Cannot read the log '\(file.path)' to its end: it has become shorter meanwhile. What came before is kept."
      #expect(reader.ending?.message == (isShorter ? told : nil))
    }
    let growing = try ScratchFile(log)
    let reader = try TrackLogReader(path: growing.path, options: LogOptions())
    var fixes: [Fix] = []
    #expect(try reader.read(into: &fixes))
    try append(epoch("120002"), to: growing.path)
    while try reader.read(into: &fixes) {}
    #expect(reader.ending == nil)
    #expect(fixes.count == 3)
  }

  private func append(_ text: String, to path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_APPEND)
    try #require(file >= 0)
    defer { close(file) }
    let bytes = Array(text.utf8)
    #expect(unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) } == bytes.count)
  }
}
