/// A weekly window of local time, such as `Mon-Fri 08:00-18:00 Europe/Zurich`.
///
/// Windows say when notifications are wanted; they never change what is known of a device.
public struct ActiveWindow: Hashable, Sendable {
  /// The weekdays on which it opens, 0 for Monday to 6 for Sunday, ascending.
  public let days: [Int]
  /// Minutes after local midnight at which it opens, 0 to 1439.
  public let opens: Int
  /// Minutes after local midnight at which it closes, 1 to 1440; at or below `opens`, on the following day.
  public let closes: Int
  /// The IANA name of the time zone, `Europe/Zurich`; the name is not looked up here.
  public let zone: String

  /// Reads `[DAYS] HH:MM-HH:MM ZONE`, where DAYS is `Mon`, `Mon-Fri`, `Sat,Sun` or the like, and every day where it is left out;
  /// nil where the text is not of that form.
  ///
  /// - Parameter text: The window.
  public init?(parsing text: String) {
    var words = text.split(separator: " ")[...]
    guard words.count == 2 || words.count == 3 else { return nil }
    if words.count == 3 {
      guard let days = ActiveWindow.days(in: words.removeFirst()) else { return nil }
      self.days = days
    } else {
      days = Array(0..<7)
    }
    let times = words.removeFirst().split(separator: "-", omittingEmptySubsequences: false)
    guard times.count == 2, let opens = ActiveWindow.minutes(times[0]),
      let closes = ActiveWindow.minutes(times[1]),
      opens < 1440, let zone = words.first, ActiveWindow.isZoneName(zone)
    else { return nil }
    self.opens = opens
    // Midnight as an end is that of the same day.
    self.closes = closes == 0 ? 1440 : closes
    self.zone = String(zone)
  }

  private static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  private static func days(in text: Substring) -> [Int]? {
    var found: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { name in
        names.firstIndex { $0.lowercased() == name.lowercased() }
      }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else { return nil }
      for day in first...(last < first ? last + 7 : last) { found.insert(day % 7) }
    }
    return found.isEmpty ? nil : found.sorted()
  }

  private static func minutes(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isWholeNumber) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60,
      hour < 24 || (hour == 24 && minute == 0)
    else { return nil }
    return hour * 60 + minute
  }

  private static func isZoneName(_ text: Substring) -> Bool {
    text.first?.isLetter == true && !text.contains("..")
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/_+-".contains($0)) }
  }
}

extension ActiveWindow: CustomStringConvertible {
  /// The window as ``init(parsing:)`` reads it.
  public var description: String {
    func clock(_ minutes: Int) -> String {
      "\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)"
    }
    let run = days.count > 2 && days.last == days[0] + days.count - 1
    let text =
      days.count == 7
      ? ""
      : run
        ? "\(ActiveWindow.names[days[0]])-\(ActiveWindow.names[days[0] + days.count - 1]) "
        : days.map { ActiveWindow.names[$0] }.joined(separator: ",") + " "
    return "\(text)\(clock(opens))-\(clock(closes)) \(zone)"
  }
}
