import FencelineCivilTime
import FencelineCommandLineKit
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
  /// `weekday=2,hour=9`.
  static var calendarComponents: Self {
    .init(name: "UNIT=N,…", hint: .text) { text throws(ValueError) in
      var components = CalendarRule.Components()
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(words[0])
        guard let unit = CalendarRule.Components.units[name] else {
          throw ValueError(
            "'\(name)' is no unit; name units and numbers such as weekday=2,hour=9",
            suggestion: nearest(to: name, in: CalendarRule.Components.units.keys.sorted()))
        }
        guard words.count == 2, let number = Int(words[1]) else {
          throw ValueError("\(name) needs a whole number, as in hour=9")
        }
        guard components[keyPath: unit] == nil else {
          throw ValueError("\(name) is there twice; say it once")
        }
        components[keyPath: unit] = number
      }
      do throws(CalendarRuleError) { _ = try CalendarRule(components) } catch {
        throw ValueError(error.description)
      }
      return components
    }
  }
}

extension CalendarRule.Components {
  /// The units by their names.
  fileprivate static var units: [String: WritableKeyPath<Self, Int?>] {
    [
      "year": \.year, "month": \.month, "day": \.day, "weekday": \.weekday,
      "weekdayOrdinal": \.weekdayOrdinal,
      "hour": \.hour, "minute": \.minute, "second": \.second,
    ]
  }
}
