import FencelineCivilTime
import FencelineCommandLineKit
import FencelineNotifying
import FencelineService

/// A time that may name no zone, to be read in that of a command.
enum ZonedTime: Sendable {
  case instant(Timestamp)
  /// What clocks show, as UTC would show it at this instant.
  case shown(Timestamp)

  func instant(in zone: CivilZone) -> Timestamp {
    switch self {
    case .instant(let time): time
    case .shown(let time): zone.instant(showing: time)
    }
  }
}

extension ValueType where Value == ZonedTime {
  /// Like any time, but that dates and times which name no zone are read in the zone of the command.
  static var zonedTime: Self {
    let time = ValueType<Timestamp>.time
    return .init(name: time.name, hint: time.hint) { text throws(ValueError) in
      for whole in [text, text + "T00:00"] {
        if let read = ISO8601(parsing: whole.utf8) {
          return read.hasZone ? .instant(read.time) : .shown(read.time)
        }
      }
      return .instant(try time.parse(text))
    }
  }
}

extension ValueType where Value == CalendarRule.Components {
  /// `weekday=2,hour=9`; whether that can ever be is left to whoever makes a rule of it.
  static var calendarComponents: Self {
    .init(name: "UNIT=N,…", hint: .text) { text throws(ValueError) in
      var components = CalendarRule.Components()
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(words[0])
        let units = CalendarRule.Components.units
        guard let unit = units.first(where: { $0.name == name })?.path else {
          throw ValueError(
            "'\(name)' is no unit; name units and numbers such as weekday=2,hour=9",
            suggestion: nearest(to: name, in: units.map(\.name)))
        }
        guard words.count == 2, let number = Int(words[1]) else {
          throw ValueError("\(name) needs a whole number, as in hour=9")
        }
        guard components[keyPath: unit] == nil else {
          throw ValueError("\(name) is there twice; say it once")
        }
        components[keyPath: unit] = number
      }
      return components
    }
  }
}
