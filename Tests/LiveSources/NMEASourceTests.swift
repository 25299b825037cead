import FencelineCivilTime
import FencelinePositioning
import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineLiveSources

/// Receivers that send sentences: on pseudo-terminals, over the network, through a pipe.
@Suite("NMEA source", .timeLimit(.minutes(10))) struct NMEASourceTests {
  @Test func aSerialPortTellsFixesTheirLossAndSilence() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let live = try Running("serial://\(receiver.line.path)?baud=38400", .silence(1))
    try await live.inbox.wait(forFixes: 10)
    #expect(live.inbox.states == [.connecting, .threeD])
    #expect(live.inbox.signals.last?.device == "default")
    #expect(live.inbox.signals.last?.receiver == receiver.line.path)
    let times = live.inbox.fixes.map(\.fix.time)
    #expect(times == Array(receiver.sent.drop { $0 != times[0] }.prefix(times.count)))
    receiver.send(.noFix)
    try await live.inbox.wait(for: .noFix)
    receiver.send(.nothing)
    try await live.inbox.wait(for: .silent)
    #expect(live.inbox.signals.last?.detail?.contains("Nothing has come from") == true)
    receiver.send(.fix)
    try await live.inbox.wait(forFixes: 3)
    #expect(live.inbox.states == [.connecting, .threeD, .noFix, .silent, .threeD])
  }

  @Test func aFixIsGivenOutWithTheSentenceThatEndsTheCycle() async throws {
    let receiver = SampleReceiver(try PseudoTerminal(), every: 250)
    let live = try Running("serial://\(receiver.line.path)")
    // Sent at whole intervals of the same clock: without what has been learned, none comes within 100 ms.
    try await live.inbox.wait(until: { inbox in
      inbox.fixes.contains { $0.arrival.utc.seconds(since: $0.fix.time) < 0.06 }
    })
  }

  @Test func aSerialPortMayGoAndComeBack() async throws {
    let receiver = SampleReceiver(try PseudoTerminal())
    let live = try Running("serial://\(receiver.line.path)", .silence(2))
    try await live.inbox.wait(forFixes: 3)
    receiver.line.pullOut()
    try await live.inbox.wait(until: { $0.signals.last?.detail?.contains("no such device") == true })
    let gone = live.inbox.signals.filter { $0.state == .noReceiver }
    #expect(
      gone.first?.detail == "The serial port '\(receiver.line.path)' has gone. Plug the receiver in again.")
    try receiver.line.plugIn()
    try await live.inbox.wait(forFixes: 3)
    #expect(live.inbox.states.last == .threeD)
  }

  @Test func aPortThatComesLaterHasTheNameOfItsLink() async throws {
    let line = try PseudoTerminal()
    let links = try TemporaryFolder()
    try #require(unsafe symlink(line.path, links.path("usb-u-blox_7-if00")) == 0)
    line.pullOut()
    var options = SourceOptions()
    options.receivers = [("van", "*/usb-u-blox*")]
    options.linkFolders = [links.path]
    let live = try Running("serial://\(line.path)", options)
    try await live.inbox.wait(for: .noReceiver)
    try line.plugIn()
    let receiver = SampleReceiver(line)
    try await live.inbox.wait(forFixes: 1)
    withExtendedLifetime(receiver) {}
    #expect(live.inbox.fixes.allSatisfy { $0.fix.device == "van" })
    #expect(live.inbox.signals.last?.device == "van")
  }

  @Test func whatIsNoSerialPortIsNamed() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", "text")
    let live = try Running("serial://\(file)")
    try await live.inbox.wait(for: .noReceiver)
    #expect(
      live.inbox.signals.last?.detail
        == "Cannot read the serial port '\(file)': it is no serial port. Name one such as /dev/ttyUSB0.")
    let line = try PseudoTerminal()
    let first = try Running("serial://\(line.path)", .silence(1))
    try await first.inbox.wait(for: .silent)
    let second = try Running("serial://\(line.path)")
    try await second.inbox.wait(for: .noReceiver)
    #expect(second.inbox.signals.last?.detail?.contains("another program reads it") == true)
    let denied = SerialPort.explanation(OpeningFailure(EACCES), line.path)
    #expect(denied == "you are not allowed to. Type 'sudo usermod -aG dialout $USER' and log in again.")
  }

  @Test func rubbishIsCountedAndHarmless() async throws {
    let line = try PseudoTerminal()
    line.write([UInt8](repeating: 0x41, count: 3_000))
    let live = try Running("serial://\(line.path)?baud=4800", .silence(1))
    try await live.inbox.wait(for: .silent)
    for _ in 0..<30 {
      line.write([UInt8](repeating: 0x41, count: 1_000))
      try await Task.sleep(for: .milliseconds(20))
    }
    line.write("\n")
    #expect(live.inbox.signals.last?.detail?.contains("Check the speed, which is 4800") == true)
    // Half a sentence, then the rest, then one with a wrong checksum.
    let sentences = SampleReceiver.epoch(.fix, at: Timestamp(milliseconds: 1_780_000_000_000), number: 1)
    line.write(String(sentences.prefix(30)))
    try await Task.sleep(for: .milliseconds(50))
    line.write(String(sentences.dropFirst(30)) + "$GPGLL,4700.0,N,00800.0,E,120000,A*00\r\n")
    try await live.inbox.wait(until: { !$0.fixes.isEmpty })
    #expect(live.inbox.fixes[0].fix.time.milliseconds == 1_780_000_000_000)
    #expect(live.count("sentences with a wrong checksum") == 1)
    #expect(live.count("lines that are no sentences") >= 1)
  }

  @Test func aServerMayHangUp() async throws {
    let server = try SampleServer()
    // How long the test itself takes must not show.
    let live = try Running("tcp://127.0.0.1:\(server.port)", .silence(120))
    for round in 1...2 {
      try await server.accept()
      let time = Timestamp(milliseconds: 1_780_000_000_000 + Int64(round) * 1_000)
      server.write(SampleReceiver.epoch(.fix, at: time, number: round))
      try await live.inbox.wait(until: { $0.fixes.last?.fix.time == time })
      server.hangUp()
      try await live.inbox.wait(for: .connecting)
      #expect(
        live.inbox.signals.last?.detail
          == "The NMEA server at 127.0.0.1:\(server.port) has ended the connection. It is tried again.")
    }
    #expect(live.inbox.states == [.connecting, .threeD, .connecting, .threeD, .connecting])
  }

  @Test func aServerThatIsNotThereIsNamed() async throws {
    let port = try GPSDaemon.freePort()
    let live = try Running("tcp://127.0.0.1:\(port)")
    try await live.inbox.wait(until: { $0.signals.last?.detail != nil })
    #expect(
      live.inbox.signals.last?.detail
        == "Cannot reach the NMEA server at 127.0.0.1:\(port): connection refused. Check that it runs, and its port."
    )
  }

  @Test func datagramsNeedNoEndOfLine() async throws {
    let port = try GPSDaemon.freePort()
    let live = try Running("udp://:\(port)", .silence(1))
    try await live.inbox.wait(for: .silent)
    let client = try SampleClient(port, kind: SOCK_DGRAM)
    for number in 0..<3 {
      let time = Timestamp(milliseconds: 1_780_000_000_000 + Int64(number) * 1_000)
      for sentence in SampleReceiver.epoch(.fix, at: time, number: number).split(separator: "\r\n") {
        client.write(String(sentence))
      }
      client.write("")
    }
    try await live.inbox.wait(until: { $0.fixes.count >= 3 })
    let second = try Running("udp://127.0.0.1:\(port)")
    try await second.inbox.wait(until: { $0.signals.last?.detail != nil })
    #expect(second.inbox.signals.last?.detail?.contains("address already in use") == true)
    client.close()
  }

  @Test func standardInputEndsTheSource() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    var options = SourceOptions()
    options.device = "van"
    let live = try Running(NMEASource(.open(ends[0], name: "standard input"), options: options))
    // The last sentence has no end of its own.
    var text = ""
    for number in 0..<5 {
      let time = Timestamp(milliseconds: 1_780_000_000_000 + Int64(number) * 1_000)
      text += SampleReceiver.epoch(.fix, at: time, number: number)
    }
    let bytes = Array(text.utf8.dropLast(2))
    #expect(unsafe write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    try await live.inbox.wait(for: .noReceiver)
    #expect(live.inbox.fixes.map(\.fix.device) == ["van", "van", "van", "van", "van"])
    #expect(live.inbox.signals.last?.detail == "Standard input has ended.")
    #expect(live.source.name == "standard input")
    live.source.stop()
    close(ends[0])
  }

  @Test func aDecoderWithoutADateTakesTheDayOfArrival() async throws {
    let receiver = SampleReceiver(try PseudoTerminal(), .undated)
    let live = try Running("serial://\(receiver.line.path)")
    try await live.inbox.wait(forFixes: 3)
    for (fix, arrival) in live.inbox.fixes { #expect(abs(arrival.utc.seconds(since: fix.time)) < 1) }
  }
}
