import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineTrackLogs

@Suite("CSV")
struct CSVDecoderTests {
  private func read(_ text: String, _ options: LogOptions = LogOptions()) -> (
    fixes: [Fix], decoder: any LogDecoder
  ) {
    decode(CSVDecoder(options: options), Array(text.utf8))
  }

  @Test(
    "Columns are known by name in any order, with any delimiter",
    arguments: [
      "time,latitude,longitude,accuracy,speed,course,altitude,device\n2026-03-01T12:00:00Z,47.5,8.25,12,10,90,410,van\n",
      "Lat;Lng;Timestamp;Acc;Bearing;Speed;Ele;Device ID\r\n47,5;8,25;1772366400;12;90;10;410;van\r\n",
      "\u{feff}y\tx\tdatetime\thacc\theading\tspeed_kmh\talt\tvehicle\n47.5\t8.25\t2026-03-01 12:00:00+00:00\t12\t90\t36\t410\tvan",
      "\"Date\",\"Time\",\"Latitude\",\"Longitude\",\"Accuracy (m)\",\"Speed (km/h)\",\"Course\",\"Altitude (m)\",\"Device\"\r"
        + "\"2026/03/01\",\"12:00:00\",\"47.5\",\"8.25\",\"12\",\"36\",\"90\",\"410\",\"van\"\r",
      "# a remark\n\nlat,lon,time,accuracy,speed (m/s),track,elevation,device_name\n47.5,8.25,1772366400000,12,10,90,410,van\n",
    ])
  func readsDialects(log: String) throws {
    let (fixes, decoder) = read(log)
    let fix = try #require(fixes.first)
    #expect(fixes.count == 1)
    #expect(decoder.tally.omissions.isEmpty)
    #expect(fix.coordinate == Coordinate(latitude: 47.5, longitude: 8.25))
    #expect(fix.time == (try instant("2026-03-01T12:00:00Z")))
    #expect(fix.accuracy == 12)
    #expect(fix.speed.map { abs($0 - 10) < 1e-9 } == true)
    #expect(fix.course == 90)
    #expect(fix.altitude == 410)
    #expect(fix.device == "van")
    #expect(fix.source == .csv)
  }

  @Test(
    "Units in names are converted",
    arguments: [
      ("speed_mph", 22.369362920544), ("speed_knots", 19.438444924406), ("speed (kn)", 19.438444924406),
      ("velocity kph", 36), ("speed_mps", 10), ("speed", 10),
    ] as [(String, Double)])
  func units(name: String, value: Double) throws {
    let speed = try #require(read("time,lat,lon,\(name)\n1772366400,1,2,\(value)").fixes.first?.speed)
    #expect(abs(speed - 10) < 1e-6)
  }

  @Test("HDOP stands in for accuracy, and unknown values are none")
  func accuracies() {
    let log =
      "time,lat,lon,accuracy,hdop,speed,course\n1772366400,1,2,,1.5,-1,400\n1772366401,1,2,0,,,\n1772366402,1,2,7,1,,\n1772366403,1,2\n"
    let fixes = read(log).fixes
    #expect(fixes.map(\.accuracy) == [Accuracy.fromHDOP(1.5), nil, 7, nil])
    #expect(fixes.allSatisfy { $0.speed == nil && $0.course == nil })
  }

  @Test(
    "Times are ISO 8601 or of Unix, in seconds, milliseconds, micro- or nanoseconds",
    arguments: [
      "2026-03-01T13:00:00.500+01:00", "1772366400.5", "1772366400500", "1772366400500000",
      "1772366400500000000",
      "2026/03/01 12:00:00.5 UTC", "2026.03.01T12:00:00.5Z",
    ])
  func times(time: String) {
    let (fixes, decoder) = read("time,lat,lon\n\(time),1,2\n")
    #expect(fixes.map(\.time.milliseconds) == [1_772_366_400_500])
    #expect(decoder.warnings.isEmpty)
  }

  @Test(
    "Civil times may go without marks",
    arguments: [
      ("20260301120000", true), ("20260301120000.5", true), ("202603011200", true),
      ("20260301T120000Z", false),
      ("20260301T120000.5+0000", false), ("20260301 130000+01:00", false), ("20260301T1200Z", false),
      ("19991231235959", true), ("20260301 12:00:00", true),
    ] as [(String, Bool)])
  func unmarkedTimes(time: String, isZoneless: Bool) throws {
    let (fixes, decoder) = read("time,lat,lon\n\(time),1,2\n")
    let day = time.hasPrefix("1999") ? "1999-12-31T23:59:59" : "2026-03-01T12:00:00"
    #expect(fixes.map(\.time) == [try instant(day + (time.contains(".") ? ".5Z" : "Z"))])
    #expect(decoder.warnings.contains { $0.contains("zone") } == isZoneless)
  }

  @Test(
    "Digits that are no civil time are of Unix",
    arguments: [
      ("177236640050", 177_236_640_050), ("202613011200", 202_613_011_200),
      ("978307200000", 978_307_200_000), ("17723664005000", nil),
    ]
      as [(String, Int64?)])
  func digitsOfUnix(time: String, milliseconds: Int64?) {
    let fixes = read("time,lat,lon\n\(time),1,2\n").fixes
    #expect(fixes.map(\.time.milliseconds) == [milliseconds ?? 17_723_664_005_000])
  }

  @Test("Dates and times of day in columns of their own may go without marks too")
  func unmarkedColumns() throws {
    let noon = try instant("2026-03-01T12:00:00Z")
    for (date, time) in [("20260301", "120000"), ("2026-03-01", "12:00:00"), ("20260301", "12:00:00Z")] {
      #expect(read("date,time,lat,lon\n\(date),\(time),1,2\n").fixes.map(\.time) == [noon], "\(date) \(time)")
    }
  }

  @Test("Times without a zone are UTC, with a warning")
  func zoneless() {
    #expect(read("time,lat,lon\n2026-03-01 12:00:00,1,2\n").decoder.warnings.count == 1)
  }

  @Test("Bad rows are counted by reason, with the line of the first")
  func counts() {
    let log =
      "time,lat,lon\n1772366400,1\n,1,2\nnoon,1,2\n1772366400,x,2\n1772366400,1,999\n\n# remark\n1772366400,y,2\n5,1,2\n"
    let (fixes, decoder) = read(log)
    let tally = decoder.tally
    #expect(fixes.isEmpty)
    #expect(tally.count(.damagedLine) == 1)
    #expect(tally.count(.noTime) == 1)
    #expect(tally.count(.unreadableTime) == 2)
    #expect(tally.count(.unreadablePosition) == 2)
    #expect(tally.count(.offTheEarth) == 1)
    #expect(tally.firstLine(.unreadablePosition) == 5)
  }

  @Test("Quoted fields may hold delimiters, quotes and line breaks; a stray quote costs one line")
  func quotes() {
    let log =
      "name,time,lat,lon\n\"a, \"\"b\"\"\nc\",1772366400,1,2\n\"stray,1772366401,1,2\n"
      + (0..<200).map { "x,\(1_772_366_402 + $0),1,2\n" }.joined()
    let (fixes, decoder) = read(log)
    #expect(fixes.count == 201)
    #expect(decoder.tally.count(.damagedLine) == 1)
    #expect(decoder.tally.firstLine(.damagedLine) == 4)
  }

  @Test("A last line that is cut off gives no half of a number")
  func cutLastLine() {
    let (fixes, decoder) = read("time,lat,lon,speed\n1772366400,1.25,2.25,3\n1772366401,1.25,2.")
    #expect(fixes.count == 1)
    #expect(decoder.tally.count(.damagedLine) == 1)
    #expect(read("time,lat,lon\n1772366400,1.25,2.25").fixes.count == 1)
  }

  @Test("A first line without a time, or without positions, is refused")
  func refusesHeaders() {
    #expect(
      read("lat,lon\n1,2\n").decoder.fault
        == .unrecognised(
          "its columns hold positions but no time. Add a column named 'time' with the time of each position.")
    )
    #expect(
      read("a,b\n1,2\n").decoder.fault
        == .unrecognised("its first line does not name the columns of a CSV log."))
  }

  @Test("Where the stream is cut, or bytes are damaged, changes nothing or is counted")
  func splittingAndDamage() {
    let log = Array(
      ("time,lat,lon,name\r\n" + (0..<50).map { "\(1_772_366_400 + $0),1.5,2.5,\"n\($0)\"\r\n" }.joined())
        .utf8)
    let whole = decode(CSVDecoder(options: LogOptions()), log)
    #expect(whole.fixes.count == 50)
    var wrong: [UInt64] = []
    forAll(seed: 7, count: 200) { random, seed in
      let cuts = (0..<10).map { _ in Int.random(in: 0...log.count, using: &random) }
      if decode(CSVDecoder(options: LogOptions()), log, cutAt: cuts).fixes != whole.fixes {
        wrong.append(seed)
      }
      var damaged = log
      damaged[Int.random(in: 20..<log.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      let (fixes, decoder) = decode(CSVDecoder(options: LogOptions()), damaged)
      let lost = decoder.tally.omissions.reduce(0) { $0 + $1.count }
      // One byte costs two rows at most: a line break of one, or a quote that joins two.
      if fixes.count + lost < 48 || fixes.count > 52 { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("Decimal numbers are read to the nearest double, and nothing else is a number")
  func decimals() {
    var wrong: [UInt64] = []
    forAll(seed: 8, count: 5_000) { random, seed in
      let value =
        random.uniform(-1...1)
        * Double(sign: .plus, exponent: Int.random(in: -60...60, using: &random), significand: 1)
      if decimalNumber(Array(value.description.utf8).span) != value { wrong.append(seed) }
      let short = (value * 1000).rounded() / 1000
      if decimalNumber(Array(" \(short) ".utf8).span) != short { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
    for text in ["", " ", "-", ".", "1e", "1e+", "0x10", "nan", "inf", "1 2", "1..2", "--1", "1e999", "1,5"] {
      #expect(decimalNumber(Array(text.utf8).span) == nil, "\(text)")
    }
    #expect(decimalNumber(Array("-.5".utf8).span) == -0.5)
    #expect(decimalNumber(Array("5.".utf8).span) == 5)
    #expect(decimalNumber(Array("1,5".utf8).span, point: UInt8(ascii: ",")) == 1.5)
  }
}
