import FencelineGeofencing
import FencelinePositioning
import FencelineService
import Testing

@Suite("Configuration") struct ConfigurationTests {
  @Test func theTableSaysTheDefaultsThatHold() throws {
    var configuration = Configuration()
    for key in Configuration.keys where !key.isOpen {
      try key.read(key.name, key.defaultText, &configuration)
    }
    #expect(configuration == Configuration())
    #expect(try Configuration(stored: [:]) == Configuration())
    let names = Configuration.keys.map(\.name)
    #expect(Set(names).count == names.count && Configuration.keys.allSatisfy { !$0.help.isEmpty })
  }

  @Test func everyKeyIsRead() throws {
    let configuration = try Configuration(stored: [
      "sources": "serial:///dev/ttyUSB0?baud=38400, udp://:10110", "gpsd-confidence": "0.68",
      "silence": "1m30s",
      "device": "van", "receiver.b": "*2", "receiver.a": "/dev/ttyUSB?", "profile": "steady",
      "max-speed": "400",
      "max-accuracy": "50.5", "track.retention": "365d",
    ])
    #expect(configuration.sources == ["serial:///dev/ttyUSB0?baud=38400", "udp://:10110"])
    #expect(
      configuration.gpsdConfidence == 0.68 && configuration.silence == 90 && configuration.device == "van")
    #expect(configuration.receivers.map { "\($0.name) \($0.pattern)" } == ["a /dev/ttyUSB?", "b *2"])
    #expect(configuration.profile == .steady)
    #expect(configuration.filter == FixFilter.Settings(maxSpeed: 400, maxAccuracy: 50.5))
    #expect(configuration.trackRetention == 31_536_000.0)
    #expect(try Configuration(stored: ["sources": "none"]).sources.isEmpty)
    #expect(try Configuration(stored: ["track.retention": "forever"]).trackRetention == nil)
    #expect(try Configuration(stored: ["track.retention": "0"]).trackRetention == 0)
  }

  @Test func aFlagGoesBeforeTheEnvironmentAndThatBeforeTheDatabase() throws {
    let stored = ["silence": "1s", "device": "a", "track.retention": "1d"]
    let variables = ["FENCELINE_SILENCE": "2s", "FENCELINE_TRACK_RETENTION": "2d"]
    let (configuration, entries) = Configuration.resolve(
      stored: stored, environment: { variables[$0] }, flags: ["silence": "3s"])
    #expect(
      configuration.silence == 3 && configuration.trackRetention == 172_800.0 && configuration.device == "a")
    let origins = entries.map { "\($0.name) \($0.value) \($0.origin.rawValue)" }
    #expect(origins.contains("silence 3s flag") && origins.contains("track.retention 2d environment"))
    #expect(origins.contains("device a database") && origins.contains("profile balanced default"))
    #expect(entries.count == Configuration.keys.count - 1 && entries.allSatisfy { $0.fault == nil })
  }

  @Test(
    arguments: [
      ("sources", ""), ("sources", "ftp://x"), ("sources", "-,"), ("sources", "-,-"),
      ("sources", "none, localhost"),
      ("sources", "localhost, gpsd://localhost:2947"),
      ("sources", "serial:///dev/ttyS0, serial:///dev/ttyS0?baud=4800"),
      ("gpsd-confidence", "1"),
      ("gpsd-confidence", "95%"), ("silence", "0"), ("silence", "2d"), ("silence", "soon"), ("device", ""),
      ("receiver.x", ""), ("profile", "Balanced"), ("max-speed", "0"), ("max-speed", "nan"),
      ("max-accuracy", "1e9"),
      ("track.retention", "-1"), ("track.retention", "never"), ("track.retention", "1e300"),
    ])
  func whatIsNoValueIsSaidAndTheDefaultHolds(_ name: String, _ text: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try Configuration(stored: [name: text]) }
    let message = try #require(error?.message)
    #expect(message.hasPrefix("The value '\(text)' is none for '\(name)': ") && message.hasSuffix("."))
    let (configuration, entries) = Configuration.resolve(stored: [name: text])
    #expect(configuration == Configuration())
    #expect(entries.compactMap(\.fault) == [message])
  }

  @Test func aFaultOfTheEnvironmentNamesTheVariable() {
    let fault = Configuration.resolve(stored: [:], environment: { $0 == "FENCELINE_SILENCE" ? "x" : nil })
      .entries
      .compactMap(\.fault)
    #expect(fault.count == 1 && fault[0].contains("(FENCELINE_SILENCE)"))
  }

  @Test func namesFindTheirKeys() {
    for name in ["silence", "track.retention", "receiver.van", "receiver.a.b"] {
      #expect(Configuration.key(of: name) != nil)
    }
    for name in ["receiver", "receiver.", "Silence", "silence.x", ""] {
      #expect(Configuration.key(of: name) == nil)
    }
  }
}
