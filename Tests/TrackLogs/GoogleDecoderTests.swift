import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineTrackLogs

@Suite("Google location history")
struct GoogleDecoderTests {
  private func read(_ text: String, _ options: LogOptions = LogOptions(), cutAt cuts: [Int] = []) -> (
    fixes: [Fix], decoder: any LogDecoder
  ) {
    decode(GoogleDecoder(options: options), Array(text.utf8), cutAt: cuts)
  }

  static let records = #"""
    {
      "locations": [{
        "latitudeE7": 473769000, "longitudeE7": 85417000, "accuracy": 20, "velocity": 3, "heading": 360,
        "altitude": 450, "deviceTag": 12, "timestamp": "2022-01-12T17:18:24.190Z",
        "activity": [{"activity": [{"type": "ST{I]L\"L", "confidence": 62}], "timestamp": "2022-01-12T17:18:20Z"}]
      }, {
        "timestampMs": "1642007905190", "latitudeE7": 4246967296, "longitudeE7": 4209550296, "accuracy": 0,
        "velocity": -1, "heading": -1
      }, {"latitudeE7": 1, "longitudeE7": 2}, {"timestamp": "noon", "latitudeE7": 1, "longitudeE7": 2},
      {"timestamp": "2022-01-12T17:18:26Z"}, {"latitudeE7": 910000000000, "longitudeE7": 0, "timestampMs": 1}]
    }
    """#

  static let timeline = #"""
    {"semanticSegments": [
      {"startTime": "2024-08-01T10:00:00.000+02:00", "endTime": "2024-08-01T12:00:00.000+02:00", "timelinePath": [
        {"point": "47.1°, 8.1°", "time": "2024-08-01T10:05:00.000+02:00"},
        {"point": "47.2°, 8.2°", "time": "2024-08-01T10:25:00.000+02:00"},
        {"point": "47.3°, 8.3°", "time": "2024-08-01T11:25:00.000+02:00"}, {"point": "nowhere"}]},
      {"startTime": "2024-08-01T12:00:00.000+02:00", "visit": {"topCandidate": {"placeLocation": {"latLng": "1°, 2°"}}}}],
     "rawSignals": [
      {"activityRecord": {"timestamp": "2024-08-01T10:20:00.000+02:00"}},
      {"position": {"LatLng": "47.3769°, -8.5417°", "accuracyMeters": 13, "altitudeMeters": 450.5, "source": "WIFI",
        "timestamp": "2024-08-01T10:20:00.000+02:00", "speedMetersPerSecond": 1.5}},
      {"position": {"LatLng": "47.3770°, -8.5417°", "timestamp": "2024-08-01T10:30:00.000+02:00"}}],
     "userLocationProfile": {"frequentPlaces": [{"placeLocation": "1°, 2°"}]}}
    """#

  static let apple = #"""
    [{"endTime": "2024-08-01T12:00:00.000+02:00", "startTime": "2024-08-01T10:00:00.000+02:00",
      "timelinePath": [{"point": "geo:47.376900,8.541700", "durationMinutesOffsetFromStartTime": "5"},
        {"point": "geo:-47.4,-8.6", "durationMinutesOffsetFromStartTime": "120"}]},
     {"startTime": "2024-08-01T12:00:00.000+02:00", "activity": {"start": "geo:1,2"}}]
    """#

  static let monthly = #"""
    {"timelineObjects": [{"activitySegment": {"startLocation": {"latitudeE7": 1}, "simplifiedRawPath": {"points": [
        {"latE7": 473769000, "lngE7": 85417000, "accuracyMeters": 10, "timestamp": "2022-01-12T17:18:24Z"},
        {"latE7": 473770000, "lngE7": 85417000, "accuracyMeters": 12, "timestampMs": "1642007964000"}]}}},
      {"placeVisit": {"location": {"latitudeE7": 1}}}]}
    """#

  static let variants = [records, timeline, apple, monthly]

  @Test("Records are read with their accuracy; what gives no fix is counted")
  func readsRecords() throws {
    let (fixes, decoder) = read(Self.records)
    #expect(fixes.count == 2)
    #expect(
      fixes.first
        == Fix(
          device: "12", time: try instant("2022-01-12T17:18:24.190Z"),
          coordinate: Coordinate(latitude: 47.3769, longitude: 8.5417), accuracy: 20, speed: 3, course: 0,
          source: .google))
    // Wrapped at 32 bits.
    #expect(
      fixes.last
        == Fix(
          time: try instant("2022-01-12T17:18:25.190Z"),
          coordinate: Coordinate(latitude: -4.8, longitude: -8.5417), source: .google))
    let tally = decoder.tally
    #expect(tally.count(.noTime) == 1 && tally.count(.unreadableTime) == 1)
    #expect(tally.count(.unreadablePosition) == 1 && tally.count(.offTheEarth) == 1)
    #expect(tally.firstLine(.noTime) == 9)
    #expect(decoder.warnings.isEmpty && decoder.fault == nil)
    let named = read(Self.records, LogOptions(device: "me")).fixes
    #expect(Set(named.map(\.device)) == ["me"])
  }

  @Test("Several devices are told apart")
  func severalDevices() {
    let two = Self.records.replacing(
      "\"timestampMs\": \"1642007905190\"", with: "\"timestampMs\": \"1642007905190\", \"deviceTag\": -7")
    let (fixes, decoder) = read(two)
    #expect(fixes.map(\.device) == ["12", "-7"])
    #expect(
      decoder.warnings == [
        "It holds 2 devices, each under the number that Google gave it; --device makes them one."
      ])
    #expect(read(two, LogOptions(device: "me")).decoder.warnings.isEmpty)
  }

  @Test("A phone's own positions count, and paths only where there are none")
  func readsTimelines() throws {
    let (fixes, decoder) = read(Self.timeline)
    #expect(fixes.map(\.coordinate.latitude) == [47.3769, 47.3770, 47.1, 47.3])
    #expect(fixes.map(\.accuracy) == [13, nil, nil, nil])
    #expect(fixes.first?.speed == 1.5 && fixes.first?.coordinate.longitude == -8.5417)
    #expect(fixes.first?.time == (try instant("2024-08-01T08:20:00Z")))
    #expect(decoder.tally.count(.otherRecord) == 1 && decoder.tally.count(.unreadablePosition) == 1)
    #expect(
      decoder.warnings == [
        "Beyond the 2 positions of the phone's own, 2 points of Google's paths stand in. "
          + "They are rough, to the minute at best, and mostly without an accuracy.",
        "What Google has concluded, visits and activities, is left out but for its paths: 1 of them.",
      ])
  }

  @Test("Paths alone are read, Apple's and those of the monthly files")
  func readsPaths() throws {
    let apple = read(Self.apple)
    #expect(apple.fixes.map(\.coordinate.latitude) == [47.3769, -47.4])
    #expect(
      apple.fixes.map(\.time) == [try instant("2024-08-01T08:05:00Z"), try instant("2024-08-01T10:00:00Z")])
    #expect(
      apple.decoder.warnings.first
        == "It holds no positions of the phone's own: 2 points of Google's paths stand in. "
        + "They are rough, to the minute at best, and mostly without an accuracy.")
    let monthly = read(Self.monthly)
    #expect(monthly.fixes.map(\.accuracy) == [10, 12])
    #expect(
      monthly.fixes.map(\.time) == [try instant("2022-01-12T17:18:24Z"), try instant("2022-01-12T17:19:24Z")])
  }

  @Test("Where the stream is cut changes nothing", arguments: variants)
  func cuts(text: String) {
    let whole = read(text)
    for cut in 0...text.utf8.count {
      let pieces = read(text, cutAt: [cut])
      guard pieces.fixes == whole.fixes, pieces.decoder.tally == whole.decoder.tally,
        pieces.decoder.warnings == whole.decoder.warnings, pieces.decoder.fault == nil
      else {
        Issue.record("cut at \(cut)")
        return
      }
    }
    let bytewise = read(text, cutAt: Array(0..<text.utf8.count))
    #expect(bytewise.fixes == whole.fixes)
  }

  @Test("A file that breaks off keeps what came before", arguments: variants)
  func breaksOff(text: String) {
    let bytes = Array(text.utf8)
    let order = read(text).fixes.sorted { $0.time < $1.time }
    for count in 1..<bytes.lastIndex(of: text.hasPrefix("[") ? 0x5d : 0x7d)! {
      let (fixes, decoder) = decode(GoogleDecoder(options: LogOptions()), Array(bytes[..<count]))
      guard case .damaged(let reason) = decoder.fault,
        reason.hasPrefix("the JSON is not whole: it breaks off at line "),
        fixes.count <= order.count + 1
      else {
        Issue.record("\(count) bytes")
        return
      }
    }
  }

  @Test(
    "Damage costs a record, or ends the reading with a word",
    arguments: [
      (#"{"locations": [{"latitudeE7": oops}, GOOD]}"#, 1, nil),
      (#"{"locations": [{"a": "lost\#n}, GOOD]}"#, 1, nil),
      (#"{"locations": [GOOD], {"b": 1}}"#, 1, "it is damaged"),
      (#"{"locations": [GOOD]} x"#, 1, "it is damaged"),
      (#"{"locations": [GOOD}, GOOD]}"#, 1, "it is damaged"),
      (#"{"locations": [GOOD]}]"#, 1, "it is damaged"),
      (#"{"other": [GOOD], "more": {"locations": [GOOD]}, "locations": [GOOD, [GOOD], 7, "{"]}"#, 1, nil),
      (#"{"locations": [GOOD, {"a": "LONG"#, 1, "a record is longer than 1 MB"),
    ] as [(String, Int, String?)])
  func damage(text: String, count: Int, reason: String?) {
    let good = #"{"latitudeE7": 1, "longitudeE7": 2, "timestampMs": "1642007905190"}"#
    let long = text.contains("LONG") ? String(repeating: "1, ", count: 500_000) : ""
    let (fixes, decoder) = read(text.replacing("GOOD", with: good).replacing("LONG", with: long))
    #expect(fixes.count == count)
    let sentence = reason.map { "the JSON is not whole: \($0) at line 1." }
    #expect(decoder.fault == sentence.map(LogFault.damaged))
  }

  @Test("Every variant is found by its content, and put in order of time", arguments: variants)
  func isRecognised(text: String) throws {
    let (fixes, reader) = try readAll(ScratchFile(text))
    #expect(reader.format == .google && reader.format.holdsWholeTrack)
    #expect(fixes.count >= 2 && reader.ending == nil)
  }

  @Test("Any bytes are taken")
  func takesAnything() {
    let pieces = [
      "{", "}", "[", "]", "\"", "\\", ":", ",", "\n", "\"locations\":", "\"rawSignals\":[", "1", "é", "x",
    ]
    forAll(seed: 81, count: 3_000) { random, seed in
      var text = random.chance(0.5) ? "{\"locations\":[" : ""
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        text += pieces.randomElement(using: &random) ?? ""
      }
      let cut = Int.random(in: 0...text.utf8.count, using: &random)
      let (whole, pieces) = (read(text), read(text, cutAt: [cut]))
      guard whole.decoder.tally == pieces.decoder.tally, whole.decoder.fault == pieces.decoder.fault else {
        Issue.record("seed \(seed): \(text)")
        return
      }
    }
  }
}
