import FencelineHTTPServing
import Foundation
import Testing

@Suite("Watch") struct WatchTests {
  private static let events: [(name: String, data: String)] = [
    (
      "crossing",
      #"{"run":1,"sequence":1,"device":"default","region":"office","kind":"entry","at":"2026-03-01T00:03:33.892Z","confirmedAt":"2026-03-01T00:03:37.000Z","earliest":"2026-03-01T00:03:33.000Z","latest":"2026-03-01T00:03:34.000Z","cause":"observed","notify":true,"latitude":47.3769,"longitude":8.5417,"title":"Office"}"#
    ),
    (
      "crossing",
      #"{"run":1,"sequence":2,"device":"van","region":"main-station","kind":"exit","at":"2026-03-01T00:05:00.000Z","confirmedAt":"2026-03-01T00:05:20.000Z","earliest":"2026-03-01T00:05:00.000Z","latest":"2026-03-01T00:05:01.000Z","cause":"gap","notify":false,"latitude":47.3769,"longitude":8.5417,"title":null}"#
    ),
    (
      "visit",
      #"{"device":"van","region":"depot","title":"Depot","began":"2026-03-01T00:06:00.000Z","ended":null,"reason":null}"#
    ),
    (
      "visit",
      #"{"device":"van","region":"depot","title":"Depot","began":null,"ended":"2026-03-01T00:07:00.000Z","reason":"removed"}"#
    ),
    (
      "signal",
      #"{"source":"gpsd localhost:2947","device":"van","state":"silent","event":"signal lost","detail":"nothing for 15 s","at":"2026-03-01T00:08:00.000Z"}"#
    ),
    (
      "signal",
      #"{"source":"gpsd localhost:2947","device":null,"state":"connecting","detail":null,"at":"2026-03-01T00:08:01.000Z"}"#
    ),
    (
      "fix",
      #"{"device":"van","time":"2026-03-01T00:09:00.000Z","latitude":47.3769,"longitude":8.5417,"accuracy":4.2,"speed":10,"verdict":"accepted"}"#
    ),
    ("problem", #"{"at":"2026-03-01T00:10:00.000Z","problem":"The disk is full.\u001b[2J"}"#),
    ("problem", #"{"at":"2026-03-01T00:11:00.000Z","problem":null}"#),
    ("from a later version", "{}"),
  ]

  private func interrupted(_ program: RunningProgram) throws -> ProgramRun {
    program.signal(SIGINT)
    return try program.result(within: 10)
  }

  /// What a program has left whose reader has gone, which it hears of with the next events.
  private func ended(_ program: RunningProgram, by service: LocalService) throws -> ProgramRun {
    for _ in 0..<100 where !program.ends(within: 0.05) { service.hub.publish("problem", data: "{}") }
    return try program.result(within: 1)
  }

  private func publish(_ service: LocalService) {
    for (number, event) in Self.events.enumerated() {
      service.hub.publish(event.name, id: "\(number)", data: event.data)
    }
  }

  @Test func eachEventIsALine() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database)
    let program = try RunningProgram(
      ["/bin/sh", "-c", "\"$FENCELINE\" watch --fixes | head -n 9"], environment: scratch.environment(),
      in: scratch.folder)
    #expect(service.waitForWatchers(1))
    publish(service)
    let run = try ended(program, by: service)
    #expect(run.status == 0 && run.error.isEmpty)
    try Golden.check(run.output, against: "watch.txt")
    #expect(service.asked == ["/api/v1/status", "/api/v1/events?fixes=1"])
    service.stop()
  }

  @Test func jsonIsTheDataWithTheName() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database)
    let program = try RunningProgram(
      ["/bin/sh", "-c", "\"$FENCELINE\" watch --json | head -n 10"], environment: scratch.environment(),
      in: scratch.folder)
    #expect(service.waitForWatchers(1))
    publish(service)
    let run = try ended(program, by: service)
    #expect(run.lines.count == 10)
    for (line, event) in zip(run.lines, Self.events) {
      var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object.removeValue(forKey: "type") as? String == event.name)
      let expected = try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? NSDictionary
      #expect(object as NSDictionary == expected)
    }
    #expect(service.asked.last == "/api/v1/events")
    service.stop()
  }

  @Test func itWaitsForAServiceThatIsRestarted() throws {
    let scratch = try Scratch.withRegions()
    let first = try LocalService(scratch.database)
    let program = try scratch.start("watch")
    #expect(first.waitForWatchers(1))
    publish(first)
    #expect(try program.writes("The disk is full."))
    first.stop()
    #expect(try program.writes("has stopped", to: "error"))
    let second = try LocalService(scratch.database)
    second.hub.publish("problem", id: "9", data: "{}")
    second.hub.publish(
      "problem", id: "10", data: #"{"at":"2026-03-01T01:00:00.000Z","problem":"while it was away"}"#)
    #expect(second.waitForWatchers(1))
    second.hub.publish("problem", data: #"{"at":"2026-03-01T01:00:01.000Z","problem":"after it came back"}"#)
    #expect(try program.writes("after it came back"))
    second.stop()
    let third = try LocalService(scratch.database)
    #expect(third.waitForWatchers(1))
    #expect(try program.writes("Some events may be missing", to: "error"))
    let run = try interrupted(program)
    #expect(run.status == 0)
    // The second service knows of the last event of the first one, the third one does not.
    #expect(
      run.lines.suffix(2)
        == [
          "2026-03-01 01:00:00  problem  while it was away",
          "2026-03-01 01:00:01  problem  after it came back",
        ])
    let messages = [
      "The service has stopped; waiting for it to start again.", "The service is back.",
      "The service has stopped; waiting for it to start again.", "The service is back.",
    ]
    #expect(Array(run.messages.prefix(4)) == messages)
    #expect(run.messages.count == 5 && run.messages[4].hasPrefix("warning: Some events may be missing."))
    third.stop()
  }

  @Test func controlCEndsItQuietly() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database)
    let program = try scratch.start("watch")
    #expect(service.waitForWatchers(1))
    let run = try interrupted(program)
    #expect(run.status == 0 && run.output.isEmpty && run.error.isEmpty)
    service.stop()
  }

  @Test func whatIsNoJSONIsNotPrinted() throws {
    let scratch = try Scratch.withRegions()
    let service = try LocalService(scratch.database)
    let program = try scratch.start("watch")
    #expect(service.waitForWatchers(1))
    service.hub.publish("crossing", data: "nonsense\u{1B}[2J")
    service.hub.publish("crossing", data: "{}")
    service.hub.publish("lost", data: #"{"events":12}"#)
    #expect(try program.writes("12 events", to: "error"))
    let run = try interrupted(program)
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(run.messages[0] == "warning: The service told of 'crossing' in words that are no JSON.")
    #expect(run.messages[1] == "warning: 12 events came too fast and were left out.")
    service.stop()
  }
}
