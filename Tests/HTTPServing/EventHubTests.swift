import FencelineHTTPCalling
import FencelineTestSupport
import Glibc
import Synchronization
import Testing

@testable import FencelineHTTPServing

@Suite("Event hub") struct EventHubTests {
  let folder: TemporaryFolder
  var path: String { folder.path("socket") }

  init() throws { folder = try TemporaryFolder() }

  private func serve(_ hub: EventHub, keepAlive: Int32 = 15_000) throws -> HTTPServer {
    try HTTPServer(unixSocket: path, keepAlive: keepAlive) { request in
      let names = request.query["only"].map { Set($0.split(separator: ",").map(String.init)) }
      return .events(hub, names: names, after: request.headers["last-event-id"])
    }
  }

  private func follow(_ query: String = "", after: String? = nil) throws -> RawClient {
    let client = try RawClient(path)
    let header = after.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    client.send("GET /\(query) HTTP/1.1\r\nHost: x\r\n\(header)\r\n")
    try #require(client.read(until: ": \n\n"))
    return client
  }

  private func wait(until isTrue: () -> Bool) -> Bool {
    for _ in 0..<1000 {
      if isTrue() { return true }
      usleep(10_000)
    }
    return false
  }

  @Test func everyClientGetsWhatItAskedFor() throws {
    let hub = EventHub()
    let server = try serve(hub)
    let all = try follow()
    let some = try follow("?only=b")
    #expect(hub.clients == 2)
    hub.publish("a", id: "1", data: "one")
    hub.publish("b", data: "two\nthree")
    hub.publish("b", id: "3", data: "")
    #expect(all.read(until: "id: 3\nevent: b\ndata: \n\n"))
    #expect(all.received.contains("id: 1\nevent: a\ndata: one\n\n"))
    #expect(all.received.contains("event: b\ndata: two\ndata: three\n\n"))
    #expect(some.read(until: "id: 3\nevent: b\ndata: \n\n"))
    #expect(!some.received.contains("one"))
    #expect(all.received.contains("Content-Type: text/event-stream"))
    server.stop()
    #expect(all.read(until: nil))
    #expect(hub.clients == 0)
  }

  @Test func whoComesBackGoesOnWhereItWas() throws {
    let hub = EventHub(capacity: 3)
    let server = try serve(hub)
    for number in 1...5 { hub.publish(number == 4 ? "b" : "a", id: "\(number)", data: "\(number)") }
    hub.publish("a", data: "without id")
    let back = try follow(after: "3")
    #expect(back.read(until: "id: 5"))
    #expect(back.received.contains("id: 4") && !back.received.contains("id: 3"))
    #expect(!back.received.contains("without id") && !back.received.contains("lost"))
    let choosy = try follow("?only=a", after: "3")
    #expect(choosy.read(until: "id: 5"))
    #expect(!choosy.received.contains("id: 4"))
    // Nobody knows any more what came behind the first one.
    let late = try follow(after: "1")
    #expect(late.read(until: "event: lost\ndata: {\"events\":null}\n\n"))
    server.stop()
  }

  @Test func aClientThatIsTooSlowLosesTheOldestAndIsTold() throws {
    let hub = EventHub()
    let server = try serve(hub)
    let quick = try follow("?only=end")
    let isPublished = Mutex(false)
    let publisher = BackgroundThread {
      while hub.clients < 2 { usleep(1000) }
      // Far more than the buffers of a socket hold.
      let text = String(repeating: "x", count: 4000)
      for number in 0..<3000 { hub.publish("e", data: "\(number) \(text)") }
      hub.publish("end", data: "")
      isPublished.withLock { $0 = true }
    }
    var lost: [Int] = []
    var came: [Int] = []
    try LocalClient(unixSocket: path).events("/") { event in
      while !isPublished.withLock({ $0 }) { usleep(1000) }
      switch event.name {
      case "e": came.append(event.data.split(separator: " ").first.flatMap { Int($0) } ?? -1)
      case "lost": lost.append(event.data.wholeMatch(of: /{"events":(\d+)}/).flatMap { Int($0.1) } ?? -1)
      default: return false
      }
      return true
    }
    publisher.join()
    #expect(quick.read(until: "event: end"))
    #expect(hub.dropped >= 1000 && hub.dropped < 3000)
    // Those that came, and those of which it was told, are all there were.
    #expect(lost.reduce(0, +) == hub.dropped)
    #expect(came.count + hub.dropped == 3000)
    #expect(came == came.sorted() && came.last == 2999)
    server.stop()
  }

  @Test func aClientThatHasGoneIsNoticed() throws {
    let hub = EventHub()
    let server = try serve(hub, keepAlive: 20)
    do { _ = try follow() }
    #expect(wait { hub.clients == 0 })
    let other = try follow()
    #expect(other.read(until: ": \n\n\r\n4\r\n: \n\n"))
    #expect(hub.clients == 1)
    server.stop()
  }

  @Test func aClientThatHasGoneIsNoticedWithoutAnythingBeingSent() throws {
    let counts = Mutex<[Int]>([])
    let hub = EventHub { clients in counts.withLock { $0.append(clients) } }
    let server = try serve(hub, keepAlive: 3_600_000)
    let stays = try follow()
    #expect(counts.withLock { $0 } == [1])
    do {
      // Not as soon as it says that it has nothing more to ask.
      let leaves = try follow()
      leaves.endRequests()
      hub.publish("e", data: "half")
      #expect(leaves.read(until: "half"))
      #expect(counts.withLock { $0 } == [1, 2])
    }
    #expect(wait { counts.withLock { $0 } == [1, 2, 1] })
    do {
      // Nor does it matter that it has not read what was sent.
      let leaves = try follow()
      for _ in 0..<500 { hub.publish("e", data: String(repeating: "x", count: 4000)) }
      withExtendedLifetime(leaves) {}
    }
    #expect(wait { counts.withLock { $0 } == [1, 2, 1, 2, 1] })
    hub.publish("e", data: "the last")
    #expect(stays.read(until: "the last"))
    server.stop()
    #expect(counts.withLock { $0 } == [1, 2, 1, 2, 1, 0])
  }

  @Test func whatIsPublishedFromTheFirstNoticeOnArrives() throws {
    let hub = Mutex<EventHub?>(nil)
    let made = EventHub { clients in
      if clients > 0 { hub.withLock { $0 }?.publish("e", data: "welcome") }
    }
    hub.withLock { $0 = made }
    let server = try serve(made)
    #expect(try follow().read(until: "welcome"))
    server.stop()
    hub.withLock { $0 = nil }
  }

  @Test func closingEndsTheStreamsBehindWhatWasPublished() throws {
    let hub = EventHub()
    let server = try serve(hub)
    let client = try follow()
    hub.publish("e", data: "the last")
    hub.close()
    hub.publish("e", data: "too late")
    #expect(client.read(until: "0\r\n\r\n"))
    #expect(client.received.contains("the last") && !client.received.contains("too late"))
    // Who comes now gets a stream that ends.
    let late = try follow()
    #expect(late.read(until: "0\r\n\r\n"))
    server.stop()
  }

  @Test func manyThreadsMayPublishWhileClientsComeAndGo() throws {
    let hub = EventHub()
    let server = try serve(hub, keepAlive: 1)
    let isOver = Mutex(false)
    let publishers = (0..<3).map { number in
      BackgroundThread {
        var count = 0
        while !isOver.withLock({ $0 }) {
          hub.publish("e", id: "\(number)-\(count)", data: "\(count)")
          count += 1
          usleep(50)
        }
      }
    }
    for round in 0..<200 {
      let client = try follow(after: round % 2 == 0 ? "0-\(round)" : nil)
      #expect(client.read(until: "event: e"))
    }
    let last = try follow()
    server.stop()
    isOver.withLock { $0 = true }
    for publisher in publishers { publisher.join() }
    #expect(last.read(until: nil))
    #expect(hub.clients == 0)
  }

  @Test func theClientReadsWhatTheServerSends() throws {
    let hub = EventHub()
    let server = try serve(hub)
    let publisher = BackgroundThread {
      while hub.clients == 0 { usleep(1000) }
      hub.publish("a", id: "7", data: "{\"n\":1}")
      hub.publish("b", data: "two\nlines")
    }
    var events: [ServerEvent] = []
    let status = try LocalClient(unixSocket: path).events("/") { event in
      events.append(event)
      return events.count < 2
    }
    #expect(status == 200)
    #expect(
      events == [
        ServerEvent(name: "a", id: "7", data: "{\"n\":1}"),
        ServerEvent(name: "b", id: "7", data: "two\nlines"),
      ])
    publisher.join()
    server.stop()
  }
}
