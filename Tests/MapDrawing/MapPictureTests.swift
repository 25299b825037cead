import FencelineGeodesy
import FencelineGeofencing
import FencelineTestSupport
import Testing

@testable import FencelineMapDrawing

@Suite("Map picture") struct MapPictureTests {
  private let zurich = Coordinate(latitude: 47.38, longitude: 8.54)

  private func svg(_ content: MapContent, _ style: MapStyle = Sample.style()) throws -> String {
    try #require(MapPicture(content, style)).svg
  }

  @Test func nothingGivesNoPicture() {
    #expect(MapPicture(Sample.content(), Sample.style()) == nil)
  }

  @Test func theSameContentGivesTheSameBytes() throws {
    let region = Sample.region("a", zurich, 300)
    var content = Sample.content(
      [Sample.track((0..<500).map { zurich.destination(azimuth: 40, distance: Double($0) * 10) })], [region])
    content.crossings = [Sample.crossing(region, .exit, azimuth: 40, after: 30)]
    for theme in MapStyle.Theme.allCases {
      #expect(try svg(content, Sample.style(theme)) == svg(content, Sample.style(theme)))
    }
  }

  @Test func aRegionFarAwayDoesNotShrinkTheTrack() throws {
    let track = Sample.track((0..<100).map { zurich.destination(azimuth: 90, distance: Double($0) * 10) })
    let near = Sample.region("near", zurich, 100)
    let far = Sample.region("far", zurich.destination(azimuth: 0, distance: 100_000), 500)
    let picture = try #require(MapPicture(Sample.content([track], [near, far]), Sample.style()))
    #expect(picture.regions == 1)
    #expect(picture.svg.contains("1 of 2 regions in view"))
    #expect(picture.svg.contains(">200 m</text>"))
  }

  @Test func aRegionThatHoldsAllIsNamed() throws {
    let track = Sample.track((0..<100).map { zurich.destination(azimuth: 90, distance: Double($0) * 10) })
    let text = try svg(Sample.content([track], [Sample.region("europe", zurich, 2_000_000)]))
    #expect(text.contains("All of this map lies inside europe (radius 2,000 km)."))
  }

  @Test func withoutATrackThePictureSaysWhy() throws {
    let region = Sample.region("a", zurich, 300)
    var content = Sample.content([], [region])
    #expect(try svg(content).contains("No crossings, 1 region."))
    content.crossings = [Sample.crossing(region, .entry, azimuth: 10, after: 0)]
    #expect(
      try svg(content).contains(
        "1 crossing of sample, 1 region. Positions are not kept, so there is no track."))
  }

  @Test func theLegendHoldsWhatOccursAlone() throws {
    let region = Sample.region("a", zurich, 300)
    var content = Sample.content([], [region])
    content.crossings = [Sample.crossing(region, .dwell, azimuth: 10, after: 0)]
    let text = try svg(content)
    for word in ["region", "exit margin", "dwell"] { #expect(text.contains(">\(word)</text>")) }
    for word in ["track", "no fixes", "start", "end", "entry", "exit", "disabled region"] {
      #expect(!text.contains(">\(word)</text>"))
    }
  }

  @Test func manyCrossingsAtOnePlaceShareAMarkThatSaysSo() throws {
    let region = Sample.region("a", zurich, 300)
    var content = Sample.content([], [region])
    content.crossings = (0..<500).map { Sample.crossing(region, .entry, azimuth: 10, after: Double($0) * 60) }
    let text = try svg(content)
    #expect(text.contains(" +499</text>"))
    #expect(text.contains("and 488 more</title>"))
  }

  @Test func namesAreEscaped() throws {
    var region = Sample.region("<&\">", zurich, 300)
    region.title = "</text><script>alert(1)</script>\u{0}"
    var content = Sample.content([], [region])
    content.title = "A & B"
    let text = try svg(content)
    #expect(!text.contains("<script") && !text.contains("\u{0}"))
    #expect(text.contains("&lt;/text&gt;&lt;script&gt;") && text.contains("A &amp; B"))
  }

  @Test func aLongTrackStaysSmall() throws {
    var random = SplitMix64(seed: 61)
    var (place, azimuth) = (zurich, 80.0)
    let places = (0..<18_000).map { _ in
      azimuth += random.normal() - (azimuth - 80) * 0.01
      place = place.destination(azimuth: azimuth, distance: 28)
      return place.destination(azimuth: random.uniform(0...360), distance: 2)
    }
    #expect(try svg(Sample.content([Sample.track(places)])).utf8.count < 40_000)
  }

  @Test func thousandsOfRegionsStaySmall() throws {
    var random = SplitMix64(seed: 62)
    let regions = (0..<5_000).map {
      Sample.region("r\($0)", random.coordinate(within: 30_000, of: zurich), random.length(30...500))
    }
    let text = try svg(Sample.content([], regions))
    #expect(text.utf8.count < 300_000)
    #expect(text.contains("Left out for want of room:"))
  }

  @Test(arguments: [240, 960, 8_000]) func textStaysInThePicture(_ width: Int) throws {
    let region = Sample.region("a", zurich, 300)
    var content = Sample.content(
      [
        Sample.track(
          (0..<500).map { zurich.destination(azimuth: 40, distance: Double($0) * 10) })
      ], [region])
    content.title = String(repeating: "A heading that goes on ", count: 20)
    let text = try svg(content, Sample.style(width: width))
    // Texts that begin at a place: header and legend. Those of the map are placed by boxes.
    for line in text.split(separator: "\n") where line.hasPrefix("<text x=") {
      guard let x = Double(line.dropFirst(9).prefix { $0 != "\"" }), let from = line.firstIndex(of: ">")
      else { continue }
      guard !line.contains("font-size=\"1") || line.contains("font-size=\"18\"") else { continue }
      let words = line[line.index(after: from)...].prefix { $0 != "<" }
      let isTitle = line.contains("font-size=\"18\"")
      #expect(x + TextWidth.of(String(words), size: isTitle ? 18 : 12, isBold: isTitle) <= Double(width))
    }
  }

  @Test func onlyTheAutomaticThemeHasAStyleSheet() throws {
    let content = Sample.content([], [Sample.region("a", zurich, 300)])
    #expect(try svg(content, Sample.style(.auto)).contains("@media (prefers-color-scheme:dark)"))
    #expect(try svg(content, Sample.style(.light)).contains("#ffffff"))
    let dark = try svg(content, Sample.style(.dark))
    #expect(!dark.contains("<style") && !dark.contains("#ffffff") && !dark.contains("class="))
  }
}

@Suite("Colours") struct PaletteTests {
  private func luminance(_ hex: String) -> Double {
    let value = Int(hex.dropFirst(), radix: 16) ?? 0
    let parts = [value >> 16, value >> 8 & 255, value & 255].map { part in
      let own = Double(part) / 255
      // sRGB's transfer function by a power of 2.25, which needs square roots alone.
      return own * own * own.squareRoot().squareRoot()
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func contrast(_ a: String, _ b: String) -> Double {
    let (x, y) = (luminance(a) + 0.05, luminance(b) + 0.05)
    return max(x, y) / min(x, y)
  }

  @Test func textAndSignsCanBeReadInBothThemes() {
    let inks: [Ink] =
      [.text, .quiet, .region, .disabled, .entry, .exit, .dwell] + (0..<Ink.deviceCount).map(Ink.device)
    for ink in inks {
      // What is grey on purpose is a line and a name of something that is out of use, which the rule leaves free; yet it is close.
      let least = ink == .disabled ? 3.0 : 4.5
      for ground in [Ink.paper, .ground] {
        #expect(contrast(ink.colours.light, ground.colours.light) >= least, "\(ink) in the light")
        #expect(contrast(ink.colours.dark, ground.colours.dark) >= least, "\(ink) in the dark")
      }
    }
  }
}

@Suite("Paths and texts") struct PathTests {
  @Test func stepsAreRelativeAndRoundingDoesNotAddUp() {
    var path = SVGPath()
    path.add([Point(x: 1, y: 2), Point(x: 1.04, y: 2), Point(x: 1.5, y: 1.75), Point(x: 10, y: 1.75)])
    #expect(path.data == "M1 2l.5-.2 8.5 0")
    path.add([Point(x: -0.26, y: 3)])
    #expect(path.data == "M1 2l.5-.2 8.5 0M-.3 3h.1")
    path.add([Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 1)], closed: true)
    #expect(path.data.hasSuffix("M0 0l1 0 0 1z"))
  }

  @Test func textIsAtLeastAsWideAsItsFace() {
    #expect(TextWidth.of("iiii", size: 10) < TextWidth.of("MMMM", size: 10))
    #expect(TextWidth.of("東京", size: 10) >= 20)
    #expect(TextWidth.of("e\u{301}", size: 10) == TextWidth.of("e", size: 10))
  }

  @Test func cutTextFits() {
    for text in ["Bellevue, if it takes half a minute", "東京支店の倉庫", "WWWWWWWWWWWWWWWWWW"] {
      let cut = TextWidth.cut(text, to: 80, size: 12)
      #expect(cut.hasSuffix("…") && TextWidth.of(cut, size: 12) <= 80)
    }
    #expect(TextWidth.cut("short", to: 80, size: 12) == "short")
  }

  @Test func timesAreAsShortAsTheirSpanAllows() {
    let style = Sample.style()
    let day = TimeText(style.localTime, [Sample.time(0), Sample.time(7_200)])
    #expect(day.short(Sample.time(0)) == "06:13" && day.spanned == "2026-02-25 06:13:20 to 08:13:20")
    #expect(TimeText(style.localTime, [Sample.time(0), Sample.time(60)]).short(Sample.time(0)) == "06:13:20")
    let week = TimeText(style.localTime, [Sample.time(0), Sample.time(604_800)])
    #expect(week.short(Sample.time(0)) == "02-25 06:13")
    #expect(week.spanned == "2026-02-25 06:13:20 to 2026-03-04 06:13:20")
    #expect(TimeText(style.localTime, []).spanned == nil)
  }
}
