import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineTrackLogs

@Suite("GPX")
struct GPXDecoderTests {
  private func gpx(_ points: String, creator: String = "x") -> String {
    "<?xml version=\"1.0\"?><gpx version=\"1.1\" creator=\"\(creator)\"><trk><trkseg>\(points)</trkseg></trk></gpx>"
  }
  private func point(_ inside: String = "", time: String = "2026-03-01T12:00:00Z") -> String {
    "<trkpt lat=\"47.5\" lon=\"8.25\"><time>\(time)</time>\(inside)</trkpt>"
  }
  private func read(_ text: String, _ options: LogOptions = LogOptions()) -> (
    fixes: [Fix], decoder: any LogDecoder
  ) {
    decode(GPXDecoder(options: options, encoding: nil), Array(text.utf8))
  }

  @Test("A track point has what its children say")
  func readsChildren() throws {
    let inside = "<ele>410.5</ele><speed>3.5</speed><course>360</course><hdop>1.5</hdop>"
    let fix = try #require(read(gpx(point(inside))).fixes.first)
    #expect(fix.coordinate == Coordinate(latitude: 47.5, longitude: 8.25))
    #expect(fix.time == (try instant("2026-03-01T12:00:00Z")))
    #expect(fix.altitude == 410.5)
    #expect(fix.speed == 3.5)
    #expect(fix.course == 0)
    #expect(fix.accuracy == Accuracy.fromHDOP(1.5))
    #expect(fix.source == .gpx)
    #expect(fix.device == "default")
  }

  @Test(
    "Extensions of any depth and prefix are read",
    arguments: [
      "<extensions><ns3:TrackPointExtension><ns3:speed>2</ns3:speed><ns3:bearing>90</ns3:bearing></ns3:TrackPointExtension>"
        + "<hAcc>7</hAcc></extensions>",
      "<extensions><speed>2</speed><course>90</course><accuracy>7</accuracy></extensions>",
      "<extensions><a><b:speed>2</b:speed><cog>90</cog><opentracks:accuracy_horizontal> 7 </opentracks:accuracy_horizontal></a>"
        + "<time>1999-01-01T00:00:00Z</time><ele>9</ele></extensions>",
    ])
  func readsExtensions(extensions: String) throws {
    let fix = try #require(read(gpx(point(extensions))).fixes.first)
    #expect(fix.speed == 2)
    #expect(fix.course == 90)
    #expect(fix.accuracy == 7)
    #expect(fix.altitude == nil)
    #expect(fix.time == (try instant("2026-03-01T12:00:00Z")))
  }

  @Test("The point's own speed wins over its extensions, and metres over HDOP")
  func ownChildrenWin() throws {
    let inside =
      "<hdop>2</hdop><extensions><speed>9</speed><accuracy>6</accuracy></extensions><speed>2</speed>"
    let fix = try #require(read(gpx(point(inside))).fixes.first)
    #expect(fix.speed == 2)
    #expect(fix.accuracy == 6)
  }

  @Test("OsmAnd writes metres into hdop")
  func osmAnd() {
    #expect(read(gpx(point("<hdop>12</hdop>"), creator: "OsmAnd 4.2")).fixes.map(\.accuracy) == [12])
  }

  @Test(
    "Unknown values are none",
    arguments: [
      "<ele/>", "<speed>-1</speed>", "<course>nan</course>", "<accuracy>0</accuracy>", "<hdop>x</hdop>",
    ])
  func ignoresUnknown(inside: String) throws {
    let fix = try #require(read(gpx(point(inside))).fixes.first)
    #expect(fix.altitude == nil && fix.speed == nil && fix.course == nil && fix.accuracy == nil)
  }

  @Test("Segments with points number the tracks")
  func numbersTracks() {
    let text = """
      <gpx><trk><trkseg>\(point())\(point())</trkseg><trkseg/><trkseg><trkpt lat="1" lon="1"/></trkseg>
      <trkseg>\(point())</trkseg></trk><trk><trkseg>\(point())</trkseg></trk></gpx>
      """
    #expect(read(text).fixes.map(\.track) == [0, 0, 1, 2])
  }

  @Test("What gives no fix is counted")
  func counts() {
    let text = gpx(
      """
      <trkpt lat="47" lon="8"/><trkpt lat="47" lon="8"><time> </time></trkpt>
      <trkpt lat="47" lon="8"><time>yesterday</time></trkpt><trkpt lat="x" lon="8"><time>2026-03-01T12:00:00Z</time></trkpt>
      <trkpt lat="47"><time>2026-03-01T12:00:00Z</time></trkpt>
      <trkpt lat="91" lon="8"><time>2026-03-01T12:00:00Z</time></trkpt>
      <trkpt lat="0" lon="0"><time>2026-03-01T12:00:00Z</time></trkpt>
      """)
    let (fixes, decoder) = read(text)
    #expect(fixes.count == 1)
    #expect(decoder.tally.count(.noTime) == 2)
    #expect(decoder.tally.count(.unreadableTime) == 1)
    #expect(decoder.tally.count(.unreadablePosition) == 2)
    #expect(decoder.tally.count(.offTheEarth) == 1)
  }

  @Test("Text may be cut by comments and CDATA, coordinates may be long or have exponents")
  func oddText() throws {
    let text = gpx(
      """
      <trkpt lon="-1e-05" lat="47.123456789012345678901234567890"><time>2026-03-01<!-- x -->T12:00<![CDATA[:00Z]]></time></trkpt>
      """)
    let fix = try #require(read(text).fixes.first)
    #expect(fix.coordinate.longitude == -1e-05)
    #expect(fix.coordinate.latitude == 47.123456789012345678901234567890)
  }

  @Test("Of a text without end, the beginning counts")
  func longText() {
    let spaces = String(repeating: " ", count: 100_000)
    let digits = String(repeating: "1", count: 1000)
    let fixes = read(
      gpx(point("<ele>7\(spaces)</ele>") + point("<ele>\(spaces)7</ele><hdop>\(digits)</hdop>"))
    )
    .fixes
    #expect(fixes.map(\.altitude) == [7, nil])
    #expect(fixes.last?.accuracy?.isFinite == true)
  }

  @Test("Elements of the names of values, at other places or of like names, are none")
  func foreignNames() throws {
    let inside =
      "<Ele>1</Ele><extensions><elevation>2</elevation><spee>3</spee><times/><HDOP>1</HDOP></extensions>"
    let text = gpx("<ele>9</ele><time>1999-01-01T00:00:00Z</time>" + point(inside) + "<trkpts/><TRKPT/>")
    let (fixes, decoder) = read(text)
    let fix = try #require(fixes.first)
    #expect(fixes.count == 1 && decoder.tally.omissions.isEmpty)
    #expect(fix.altitude == 1 && fix.speed == nil && fix.accuracy == Accuracy.fromHDOP(1))
  }

  @Test("Times without a zone are UTC, with a warning")
  func zoneless() throws {
    let (fixes, decoder) = read(
      gpx(point(time: "2026-03-01T12:00:00") + point(time: "2026-03-01T13:00:00.5+0100")))
    #expect(fixes.map(\.time.description) == ["2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00.500Z"])
    #expect(decoder.warnings == ["One time names no zone and counts as UTC."])
    #expect(
      read(gpx(point(time: "2026-03-01T12:00") + point(time: "2026-03-01T12:00"))).decoder.warnings.first?
        .hasPrefix("2 times") == true)
  }

  @Test("Routes and way-points are no track, which is said")
  func warnsOfPlans() {
    let text =
      "<gpx><wpt lat=\"1\" lon=\"2\"><time>2026-03-01T12:00:00Z</time></wpt><rte><rtept lat=\"1\" lon=\"2\"/></rte></gpx>"
    let (fixes, decoder) = read(text)
    #expect(fixes.isEmpty)
    #expect(decoder.warnings.count == 1)
    #expect(read(gpx("<trkpt lat=\"47\" lon=\"8\"/>")).decoder.warnings.count == 1)
  }

  @Test("A document type is refused before any entity is expanded")
  func refusesBombs() {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <gpx><trk><trkseg><trkpt lat="1" lon="1"><time>&b;</time></trkpt></trkseg></trk></gpx>
      """
    let (fixes, decoder) = read(bomb)
    #expect(fixes.isEmpty)
    #expect(decoder.fault == .refused(ForeignContent.documentType))
  }

  @Test("A file that breaks off keeps what came before")
  func truncation() {
    let whole = gpx(point() + point() + point())
    let cut = String(whole.prefix(whole.count - 60))
    let (fixes, decoder) = read(cut)
    #expect(fixes.count == 2)
    guard case .damaged = decoder.fault else {
      Issue.record("no fault")
      return
    }
  }

  @Test("A tag of more than 1 MB ends the reading")
  func overlongToken() {
    let text = gpx(point() + "<x y=\"" + String(repeating: "z", count: 2 << 20) + "\"/>")
    let bytes = Array(text.utf8)
    let cuts = stride(from: 1 << 16, to: bytes.count, by: 1 << 16).map { $0 }
    let (fixes, decoder) = decode(GPXDecoder(options: LogOptions(), encoding: nil), bytes, cutAt: cuts)
    #expect(fixes.count == 1)
    #expect(decoder.fault == .damaged("a tag or comment is longer than 1 MB near line 1."))
  }

  @Test("Text that is not XML, or not GPX, is named")
  func foreignDocuments() {
    guard case .unrecognised = read("<gpx").decoder.fault else {
      Issue.record("not recognised as foreign")
      return
    }
    let kml = read("<?xml version=\"1.0\"?><kml:kml/>").decoder.fault
    #expect(kml == .unrecognised("it is an XML document of the type 'kml', not a GPS log."))
  }

  @Test("Where the stream is cut into pieces, or damaged, changes nothing or ends it")
  func splittingAndDamage() {
    let bytes = Array(("\r\n \n" + gpx((0..<20).map { point("<ele>\($0)</ele>") }.joined())).utf8)
    let whole = decode(GPXDecoder(options: LogOptions(), encoding: nil), bytes)
    #expect(whole.fixes.count == 20)
    var wrong: [UInt64] = []
    forAll(seed: 5, count: 200) { random, seed in
      let cuts = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Int.random(in: 0...bytes.count, using: &random)
      }
      let parts = decode(GPXDecoder(options: LogOptions(), encoding: nil), bytes, cutAt: cuts)
      if parts.fixes != whole.fixes || parts.decoder.fault != nil { wrong.append(seed) }
      var damaged = bytes
      for _ in 0..<3 {
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if decode(GPXDecoder(options: LogOptions(), encoding: nil), damaged).fixes.count > 20 {
        wrong.append(seed)
      }
    }
    #expect(wrong.isEmpty)
  }
}
