import FencelineHTTPCalling
import FencelineTestSupport
import Testing

@Suite("Server event parser") struct ServerEventParserTests {
  private static let stream = """
    \u{FEFF}: a comment

    event: crossing\r\nid: 12\rdata: {"a":1}

    data:first
    data:  second
    data

    retry: 10
    event: nothing

    id
    unknown: x
    data: ü€😀

    data: never ended
    """

  private static let events = [
    ServerEvent(name: "crossing", id: "12", data: "{\"a\":1}"),
    ServerEvent(name: "message", id: "12", data: "first\n second\n"),
    ServerEvent(name: "message", id: "", data: "ü€😀"),
  ]

  @Test func aStreamIsReadAsTheStandardSays() {
    var parser = ServerEventParser()
    #expect(parser.read(Self.stream.utf8) == Self.events)
  }

  @Test func splittingAnywhereChangesNothing() {
    let bytes = Array(Self.stream.utf8)
    for place in 0...bytes.count {
      var parser = ServerEventParser()
      #expect(parser.read(bytes[..<place]) + parser.read(bytes[place...]) == Self.events, "\(place)")
    }
    var parser = ServerEventParser()
    var events: [ServerEvent] = []
    for byte in bytes { events += parser.read([byte]) }
    #expect(events == Self.events)
  }

  @Test func aLineWithoutEndIsCut() {
    var parser = ServerEventParser()
    _ = parser.read("data: ".utf8)
    for _ in 0..<3 { _ = parser.read(repeatElement(UInt8(ascii: "x"), count: ServerEventParser.maximumLine)) }
    let events = parser.read("\n\n".utf8)
    #expect(events.count == 1 && events.first?.data.utf8.count == ServerEventParser.maximumLine - 6)
  }

  @Test func anyBytesAreReadWithoutHarm() {
    var random = SplitMix64(seed: 1)
    let letters = Array("data: event\r\n\n\n:id\u{0}ü".utf8) + [0xff, 0xc0]
    for _ in 0..<2000 {
      var parser = ServerEventParser()
      for _ in 0..<random.next() % 64 {
        for event in parser.read([letters[Int(random.next() % UInt64(letters.count))]]) {
          if event.name.isEmpty { Issue.record("an event without a name") }
        }
      }
    }
  }
}
