import FencelineCivilTime
import FencelineCommandLineKit
import FencelineGeodesy
import FencelineGeofencing
import FencelineService

extension ValueType where Value == Coordinate {
  /// A latitude and a longitude, as one argument or two.
  static var coordinate: Self {
    .init(name: "LAT LON", hint: .coordinate) { words in
      // One word that is a place by itself, else two.
      words.first.map { (try? Coordinate(parsing: $0)) != nil || $0.contains(",") } == true ? 1 : 2
    } parse: { text throws(ValueError) in
      do throws(CoordinateTextError) { return try Coordinate(parsing: text) } catch {
        // The sentence goes into another one.
        let sentence = error.description.dropLast()
        throw ValueError(sentence.prefix(1).lowercased() + sentence.dropFirst())
      }
    }
  }
}

extension ValueType where Value == Timestamp {
  /// An instant: ISO 8601 or a part of it, a word such as `yesterday`, or a span from now such as `-2h`; local time where no zone is
  /// named.
  static var time: Self {
    .init(name: "TIME", hint: .time) { text throws(ValueError) in
      guard let time = LocalTime.instant(parsing: text) ?? span(text) else {
        throw ValueError(
          "a time reads like 2026-03-01T08:00:00Z, 2026-03-01, 08:00, today, yesterday, monday, this-week, last-month, now, -2h or +7d"
        )
      }
      return time
    }
  }

  private static func span(_ text: String) -> Timestamp? {
    guard let sign = text.first, sign == "-" || sign == "+",
      let seconds = try? ValueType<Double>.duration.parse(String(text.dropFirst())), seconds < 1e10
    else { return nil }
    return Timestamp(
      rounding: Double(LocalTime.now.milliseconds) + (sign == "-" ? -1000 : 1000) * seconds)
  }
}

extension ValueType where Value == CivilDate {
  static var date: Self {
    .init(name: "YYYY-MM-DD", hint: .date) { text throws(ValueError) in
      guard let read = ISO8601(parsing: (text + "T00:00Z").utf8) else {
        throw ValueError("a date reads like 2026-03-01")
      }
      return CivilDate(read.time)
    }
  }
}

extension ValueType where Value == ActiveWindow {
  static var activeWindow: Self {
    .init(name: "WINDOW", hint: .text) { text throws(ValueError) in
      guard let window = ActiveWindow(parsing: text) else {
        throw ValueError("a window reads like 'Mon-Fri 08:00-18:00 Europe/Zurich'")
      }
      guard LocalTime.hasZone(window.zone) else {
        throw ValueError("there is no time zone '\(window.zone)'; one is called like Europe/Zurich")
      }
      return window
    }
  }
}

extension ValueType where Value == String {
  static var regionID: Self { text(name: "ID", hint: .region) }
  static var regionGlob: Self { text(name: "GLOB", hint: .region) }
  static var deviceGlob: Self { text(name: "GLOB", hint: .device) }
  static var deviceName: Self { text(name: "NAME", hint: .device) }

  private static func text(name: String, hint: ValueHint) -> Self {
    .init(name: name, hint: hint) { text throws(ValueError) in
      guard !text.isEmpty else { throw ValueError("it is empty") }
      return text
    }
  }
}

/// Which run a listing is about.
enum RunChoice: Sendable {
  case number(Int64)
  case live
  case last
}

extension ValueType where Value == RunChoice {
  static var run: Self {
    .init(name: "ID", hint: .run) { text throws(ValueError) in
      switch text {
      case "live": return .live
      case "last": return .last
      default:
        guard let number = Int64(text), number > 0 else {
          throw ValueError("a run is a number, 'live' or 'last'")
        }
        return .number(number)
      }
    }
  }
}
