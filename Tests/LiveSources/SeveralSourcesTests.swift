import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineLiveSources

@Suite("Several sources") struct SeveralSourcesTests {
  @Test(
    arguments: [
      ("localhost", "gpsd://127.0.0.1:2947/dev/ttyUSB0", true),
      ("pi:2947:/dev/ttyUSB0", "gpsd://pi/dev/ttyUSB0", true),
      ("pi:2947:/dev/ttyUSB0", "gpsd://pi/dev/ttyUSB1", false),
      ("pi", "pi:3000", false), ("pi", "boat", false),
      ("serial:///dev/ttyS0", "serial:///dev/ttyS0?baud=4800", true),
      ("serial:///dev/ttyS0", "serial:///dev/ttyS1", false),
      ("tcp://boat:10110", "tcp://boat:10110", true), ("tcp://boat:10110", "udp://:10110", false),
      ("-", "-", true),
    ])
  func aReceiverOfTwoSourcesIsNoticed(_ one: String, _ other: String, _ isShared: Bool) throws {
    let (one, other) = (try SourceAddress(parsing: one), try SourceAddress(parsing: other))
    #expect(one.sharesReceiver(with: other) == isShared && other.sharesReceiver(with: one) == isShared)
  }

  /// Runs sources until each has given fixes.
  ///
  /// - Returns: The names of their devices.
  private func devices(of texts: [String], _ options: SourceOptions = SourceOptions()) async throws
    -> [String]
  {
    var addresses: [SourceAddress] = []
    for text in texts { addresses.append(try SourceAddress(parsing: text)) }
    var running: [Running] = []
    for source in SourceAddress.sources(addresses, options: options) { running.append(try Running(source)) }
    var names: Set<String> = []
    for live in running {
      try await live.inbox.wait(forFixes: 2)
      names.formUnion(live.inbox.fixes.map(\.fix.device))
    }
    return names.sorted()
  }

  @Test func theirReceiversHaveTheirPaths() async throws {
    let (one, two) = (SampleReceiver(try PseudoTerminal("one")), SampleReceiver(try PseudoTerminal("two")))
    var options = SourceOptions()
    options.device = "van"
    let texts = ["serial://\(one.line.path)", "serial://\(two.line.path)"]
    #expect(try await devices(of: texts, options) == [one.line.path, two.line.path].sorted())
    #expect(try await devices(of: [texts[0]], options) == ["van"])
    options.receivers = [("bow", "*/one")]
    #expect(try await devices(of: texts, options) == [two.line.path, "bow"])
  }

  @Test(.enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
  func whereAPathMayBeOfTwoTheGPSDStandsBeforeIt() async throws {
    let receivers = [
      SampleReceiver(try PseudoTerminal("one")), SampleReceiver(try PseudoTerminal("two")),
      SampleReceiver(try PseudoTerminal("three")),
    ]
    let paths = receivers.map(\.line.path)
    let (first, second) = (try GPSDaemon(paths[0]), try GPSDaemon(paths[1]))
    let (bow, stern) = ("127.0.0.1:\(first.port)", "127.0.0.1:\(second.port)")
    #expect(try await devices(of: [bow, stern]) == ["\(bow):\(paths[0])", "\(stern):\(paths[1])"].sorted())
    #expect(try await devices(of: [bow, "serial://\(paths[2])"]) == [paths[0], paths[2]].sorted())
    #expect(try await devices(of: [bow]) == ["default"])
  }
}
