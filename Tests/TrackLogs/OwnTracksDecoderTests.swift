import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import Testing

@testable import FencelineTrackLogs

@Suite("OwnTracks")
struct OwnTracksDecoderTests {
  private func read(_ text: String, _ options: LogOptions = LogOptions()) -> (
    fixes: [Fix], decoder: any LogDecoder
  ) {
    decode(OwnTracksDecoder(options: options), Array(text.utf8))
  }
  private func record(_ json: String, kind: String = "*                 ") -> String {
    "2026-03-01T12:00:03Z\t\(kind)\t\(json)\n"
  }

  @Test("A location has its own time, metres and degrees, and km/h")
  func readsLocations() throws {
    let json =
      #"{"_type":"location","tst":1772366400,"lat":47.5,"lon":8.25,"acc":12,"alt":410,"vel":36,"cog":90}"#
    let fix = try #require(read(record(json)).fixes.first)
    #expect(fix.coordinate == Coordinate(latitude: 47.5, longitude: 8.25))
    #expect(fix.time.milliseconds == 1_772_366_400_000)
    #expect(fix.accuracy == 12)
    #expect(fix.altitude == 410)
    #expect(fix.speed == 10)
    #expect(fix.course == 90)
    #expect(fix.device == "default")
    #expect(fix.source == .ownTracks)
    #expect(read(json).fixes == [fix])
  }

  @Test("Numbers may be in quotes and -1 is unknown")
  func lenientNumbers() throws {
    let json =
      #"{"_type":"location","tst":"1772366400","lat":"47.5","lon":8.25,"acc":-1,"alt":-1,"vel":-1,"cog":-1}"#
    let fix = try #require(read(record(json)).fixes.first)
    #expect(fix.time.milliseconds == 1_772_366_400_000)
    #expect(fix.accuracy == nil && fix.altitude == nil && fix.speed == nil && fix.course == nil)
  }

  @Test(
    "The topic names the device",
    arguments: [
      ("owntracks/jane/phone", "jane/phone"), ("phone", "phone"),
      ("owntracks/jane/phone/event", "jane/phone"),
    ])
  func topics(topic: String, device: String) {
    let json = #"{"_type":"location","tst":1,"lat":1,"lon":2,"topic":"\#(topic)"}"#
    #expect(read(record(json)).fixes.map(\.device) == [device])
    #expect(read(record(json), LogOptions(device: "x")).fixes.map(\.device) == ["x"])
  }

  @Test("What gives no fix is counted")
  func counts() {
    let log =
      record(#"{"_type":"lwt","tst":"1"}"#, kind: "lwt")
      + record(#"{"_type":"waypoint","tst":1,"lat":1,"lon":2}"#)
      + record(#"{"_type":"location","lat":1,"lon":2}"#)
      + record(#"{"_type":"location","tst":1e300,"lat":1,"lon":2}"#)
      + record(#"{"_type":"location","tst":1,"lon":2}"#)
      + record(#"{"_type":"location","tst":1,"lat":91,"lon":2}"#)
      + record(#"{"_type":"location","tst":1,"lat":4"#)
      + record(#"{"_type":"location","tst":"x","lat":4,"lon":1}"#)
      + "rubbish\n" + "2026-03-01T12:00:03Z\tdump\tx\n\n"
    let (fixes, decoder) = read(log)
    let tally = decoder.tally
    #expect(fixes.isEmpty)
    #expect(tally.count(.otherRecord) == 3)
    #expect(tally.count(.noTime) == 1)
    #expect(tally.count(.unreadableTime) == 2)
    #expect(tally.count(.unreadablePosition) == 1)
    #expect(tally.count(.offTheEarth) == 1)
    #expect(tally.count(.damagedLine) == 2)
    #expect(tally.firstLine(.damagedLine) == 7)
  }
}
