import FencelineCommandLineKit
import FencelineSimulation

extension ValueType where Value == Double {
  /// A speed in m/s: `14`, `14m/s`, `50km/h`, `30mph`, `8kn`; above 0.
  static var speed: Self {
    .init(name: "SPEED", hint: .text) { text throws(ValueError) in
      let units: [(String, Double)] = [
        ("km/h", 1 / 3.6), ("kmh", 1 / 3.6), ("mph", 0.44704), ("kn", 1852.0 / 3600), ("m/s", 1), ("", 1),
      ]
      for (unit, factor) in units where text.hasSuffix(unit) {
        let limits = ValueType<Double>.number(in: 1e-3...1e5)
        if let number = try? limits.parse(String(text.dropLast(unit.count))) { return number * factor }
        break
      }
      throw ValueError("a speed is a number with km/h, m/s, mph or kn, such as 50km/h")
    }
  }
}

extension ValueType where Value == SimulatedReceiver.Span {
  /// A part of the simulated time: `2m:30s`.
  static var span: Self {
    .init(name: "AT:FOR", hint: .text) { text throws(ValueError) in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let at = simulatedSeconds(parts[0]), let length = simulatedSeconds(parts[1])
      else {
        throw ValueError("say when and how long: 2m:30s begins after two minutes and lasts half a minute")
      }
      return .init(at: at, for: length)
    }
  }
}

extension ValueType where Value == SimulatedReceiver.Jump {
  /// A glitch: `90s:800m` or `90s:800m:5s`; one without a length lasts for 0 seconds here.
  static var jump: Self {
    .init(name: "AT:METRES[:FOR]", hint: .text) { text throws(ValueError) in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard (2...3).contains(parts.count), let at = simulatedSeconds(parts[0]),
        let metres = try? ValueType<Double>.length.parse(parts[1]), metres <= 2e7,
        let length = parts.count == 2 ? 0 : simulatedSeconds(parts[2])
      else {
        throw ValueError("say when, how far and perhaps how long: 90s:800m:5s is 800 m off for five seconds")
      }
      return .init(.init(at: at, for: length), metres: metres)
    }
  }
}

/// A duration of up to ten thousand years.
private func simulatedSeconds(_ text: String) -> Double? {
  guard let seconds = try? ValueType<Double>.duration.parse(text), seconds < 3e11 else { return nil }
  return seconds
}
