import CFencelineGPS
import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineTrackLogs

@Suite("gpsd JSON")
struct GPSDDecoderTests {
  private func tpv(_ rest: String, device: String = "/dev/ttyACM0", time: String = "2026-03-01T12:00:00.000Z")
    -> String
  {
    #"{"class":"TPV","device":"\#(device)","mode":3,"time":"\#(time)","lat":47.5,"lon":8.25\#(rest)}"#
      + "\r\n"
  }
  private func read(_ text: String, _ options: LogOptions = LogOptions()) -> (
    fixes: [Fix], decoder: any LogDecoder
  ) {
    decode(GPSDDecoder(options: options), Array(text.utf8))
  }

  @Test("A report with a fix and a time gives one")
  func readsReports() throws {
    let fix = try #require(
      read(tpv(#","eph":24.477,"altMSL":410.5,"alt":1,"speed":3.5,"track":90.5"#)).fixes.first)
    #expect(fix.coordinate == Coordinate(latitude: 47.5, longitude: 8.25))
    #expect(fix.time == (try instant("2026-03-01T12:00:00Z")))
    #expect(fix.accuracy == Accuracy.fromSigma(24.477 / Accuracy.radius95PerSigma))
    #expect(fix.altitude == 410.5)
    #expect(fix.speed == 3.5)
    #expect(fix.course == 90.5)
    #expect(fix.source == .tpv)
  }

  @Test("Without eph, epx and epy together give the radius, at the probability that the user believes")
  func errorEllipse() throws {
    #expect(
      read(tpv(#","epx":3,"epy":4"#)).fixes.first?.accuracy
        == Accuracy.fromSigma(5 / Accuracy.radius95PerSigma))
    #expect(read(tpv(#","epx":3"#)).fixes.first?.accuracy == nil)
    #expect(read(tpv(#","eph":0"#)).fixes.first?.accuracy == nil)
    var options = LogOptions()
    options.gpsdConfidence = 0.5
    let accuracy = try #require(read(tpv(#","eph":5"#), options).fixes.first?.accuracy)
    #expect(abs(accuracy - Accuracy.from50(5)) < 1e-9)
  }

  @Test("A log of one receiver is of the device default, of several each keeps its name")
  func devices() {
    #expect(read(tpv("") + tpv("")).fixes.map(\.device) == ["default", "default"])
    #expect(read(tpv("") + tpv("", device: "b")).fixes.map(\.device) == ["/dev/ttyACM0", "b"])
    let list =
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"a"},{"class":"DEVICE","path":"b"}]}"# + "\n"
    #expect(read(list + tpv("", device: "b")).fixes.map(\.device) == ["b"])
    #expect(read(tpv("") + tpv("", device: "b"), LogOptions(device: "x")).fixes.map(\.device) == ["x", "x"])
    let long = String(repeating: tpv(""), count: 4_000)
    #expect(read(long + tpv("", device: "b")).fixes.last?.device == "b")
    #expect(read(long).fixes.allSatisfy { $0.device == "default" })
  }

  @Test("What gives no fix is counted, with the first line of each kind")
  func counts() {
    let log = """
      {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
      {"class":"SKY","device":"/dev/ttyACM0","satellites":[]}
      {"class":"TPV","device":"/dev/ttyACM0","mode":1}
      {"class":"TPV","device":"/dev/ttyACM0","mode":2,"lat":47.5,"lon":8.2}
      {"class":"TPV","device":"/dev/ttyACM0","mode":2,"time":"soon","lat":47.5,"lon":8.2}
      {"class":"TPV","device":"/dev/ttyACM0","mode":2,"time":"2026-03-01T12:00:00.000Z","lat":97.5,"lon":8.2}
      {"class":"TPV","device":"/dev/ttyACM0","mode":2,"time":"2026-03-01T12:00:00.000Z","lon":8.2}
      {"class":"TPV","device":"/dev/ttyACM0","mode":2,"time":"2026-03-01T12:00:
      {"class":"TQV","device":"/dev/ttyACM0"}
      {"class":"GST","device":"/dev/ttyACM0","lat":3.0,"lon":4.0}
      $GPGGA,raw*00
      rubbish
      """
    let (fixes, decoder) = read(log)
    #expect(fixes.isEmpty)
    let tally = decoder.tally
    #expect(tally.count(.noFix) == 1)
    #expect(tally.count(.noTime) == 1)
    #expect(tally.count(.unreadableTime) == 1)
    #expect(tally.count(.offTheEarth) == 1)
    #expect(tally.count(.unreadablePosition) == 1)
    #expect(tally.count(.damagedLine) == 3)
    #expect(tally.firstLine(.damagedLine) == 8)
  }

  @Test("gpspipe's own times before the objects do not matter, nor do the Unix times of old versions")
  func prefixes() {
    #expect(read("1772366400.123: " + tpv("")).fixes.count == 1)
    let old = #"{"class":"TPV","mode":3,"time":1772366400.25,"lat":1,"lon":2}"#
    #expect(read(old).fixes.map(\.time.milliseconds) == [1_772_366_400_250])
  }

  @Test("Several reports of one time are all listed")
  func keepsDuplicates() {
    #expect(read(tpv("") + tpv(#","speed":1"#)).fixes.count == 2)
  }

  @Test("JSON that is nested without end is damaged, no more")
  func deepNesting() {
    let deep = #"{"class":"TPV","x":"# + String(repeating: "[", count: 100_000) + "}\n"
    let (fixes, decoder) = read(deep + tpv(""))
    #expect(fixes.count == 1)
    #expect(decoder.tally.count(.damagedLine) == 1)
  }

  @Test("A line of more than 1 MB is skipped and counted")
  func overlongLine() {
    let (fixes, decoder) = read("{" + String(repeating: " ", count: 1 << 20) + "}\n" + tpv(""))
    #expect(fixes.count == 1)
    #expect(decoder.tally.count(.overlongLine) == 1)
  }

  @Test("libgps reads the same from the same lines")
  func agreesWithLibgps() {
    var wrong: [UInt64] = []
    forAll(seed: 6, count: 500) { random, seed in
      let latitude = random.uniform(-90...90)
      let longitude = random.uniform(-180...180)
      let milliseconds = Int64.random(in: 1_500_000_000_000...2_000_000_000_000, using: &random)
      let time = Timestamp(milliseconds: milliseconds)
      var rest = ""
      for key in ["eph", "speed", "altMSL", "track"] where random.chance(0.7) {
        rest += ",\"\(key)\":\((random.uniform(0...300) * 1000).rounded() / 1000)"
      }
      let line =
        #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":\#(longitude)\#(rest)}"#
      guard let fix = read(line).fixes.first, let theirs = unpack(line) else {
        wrong.append(seed)
        return
      }
      let accuracy = theirs.eph.isFinite ? Accuracy.from95(theirs.eph) : nil
      let agree =
        abs(fix.coordinate.latitude - theirs.latitude) < 1e-9
        && abs(fix.coordinate.longitude - theirs.longitude) < 1e-9
        && fix.time.milliseconds == Int64(theirs.time.tv_sec) * 1000 + Int64(theirs.time.tv_nsec + 500_000)
          / 1_000_000
        && near(fix.accuracy, accuracy) && near(fix.speed, theirs.speed) && near(fix.altitude, theirs.altMSL)
        && near(fix.course, theirs.track)
      if !agree { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }

  private func near(_ ours: Double?, _ theirs: Double?) -> Bool {
    guard let theirs, theirs.isFinite else { return ours == nil }
    return ours.map { abs($0 - theirs) < 1e-6 } ?? false
  }

  /// What libgps makes of a line; nil where it sees no fix.
  private func unpack(_ line: String) -> gps_fix_t? {
    let session = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
    defer { unsafe session.deallocate() }
    // gps_unpack leaves alone what a line does not mention.
    unsafe UnsafeMutableRawPointer(session).initializeMemory(
      as: UInt8.self, repeating: 0, count: MemoryLayout<gps_data_t>.size)
    var text = Array(line.utf8CString)
    let status = unsafe text.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe gps_unpack($0, session) } ?? -1
    }
    guard status == 0, unsafe session.pointee.fix.mode >= 2 else { return nil }
    return unsafe session.pointee.fix
  }
}
