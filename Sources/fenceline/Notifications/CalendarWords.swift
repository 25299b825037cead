import FencelineCivilTime

/// Times that are due, in words.
enum CalendarWords {
  /// `Sun 2026-03-29 03:00:00 +02:00`, and what clocks that change have to do with it.
  static func line(_ occurrence: CalendarOccurrence) -> String {
    let shown = shown(occurrence)
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let day = CivilDate(shown)
    let words = [leftOut(occurrence), moment(occurrence)].compactMap { $0 }
    return "\(names[day.daysSinceMonday]) \(day) \(clock(shown, always: true)) \(offset(occurrence.offset))"
      + (words.isEmpty ? "" : "  " + words.joined(separator: "; "))
  }

  /// `2026-03-29T03:00:00.000+02:00`.
  static func local(_ occurrence: CalendarOccurrence) -> String {
    shown(occurrence).description.dropLast() + offset(occurrence.offset)
  }

  private static func shown(_ occurrence: CalendarOccurrence) -> Timestamp {
    Timestamp(milliseconds: occurrence.time.milliseconds + Int64(occurrence.offset) * 1000)
  }

  private static func moment(_ occurrence: CalendarOccurrence) -> String? {
    let (meant, day) = (clock(occurrence.matching), CivilDate(occurrence.matching))
    switch occurrence.moment {
    case nil: return nil
    case .never(let change):
      return "\(meant) does not exist on \(day): the clocks go from \(times(change, "to")); it fires at "
        + clock(shown(occurrence))
    case .first(let change):
      return
        "\(meant) is twice on \(day): the clocks go from \(times(change, "back to")); this is the first time"
    case .second(let change):
      return
        "\(meant) is twice on \(day): the clocks go from \(times(change, "back to")); this is the second time"
    }
  }

  private static func leftOut(_ occurrence: CalendarOccurrence) -> String? {
    occurrence.leftOut.map { change in
      "left out before, for it does not exist: from \(CivilDate(change.from)) \(times(change, "to"))"
    }
  }

  /// `02:00 to 03:00`; another day is named.
  private static func times(_ change: CalendarOccurrence.ClockChange, _ word: String) -> String {
    let (from, to) = (CivilDate(change.from), CivilDate(change.to))
    return "\(clock(change.from)) \(word) \(from == to ? "" : "\(to) ")\(clock(change.to))"
  }

  /// `02:30`, with seconds where there are some.
  private static func clock(_ time: Timestamp, always: Bool = false) -> String {
    let text = time.description.dropFirst(11).prefix(8)
    return String(text.hasSuffix(":00") && !always ? text.dropLast(3) : text)
  }

  /// `+02:00`, with seconds where there are some.
  private static func offset(_ seconds: Int) -> String {
    (seconds < 0 ? "-" : "+") + clock(Timestamp(milliseconds: Int64(abs(seconds)) * 1000))
  }
}
