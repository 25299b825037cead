public import FencelineCivilTime

extension ActiveWindow {
  /// Whether it is open.
  ///
  /// - Parameters:
  ///   - time: The instant.
  ///   - zone: The zone that ``zone`` names.
  /// - Returns: Whether notifications are wanted then.
  public func isOpen(at time: Timestamp, in zone: CivilZone) -> Bool {
    let shown = Timestamp(milliseconds: time.milliseconds + Int64(zone.offset(at: time)) * 1000)
    let (day, rest) = shown.split(by: Timestamp.millisecondsPerDay)
    let minute = Int(rest / 60_000)
    let today = CivilDate(daysSince1970: Int(day)).daysSinceMonday
    if closes > opens { return days.contains(today) && (opens..<closes).contains(minute) }
    return days.contains(today) && minute >= opens || days.contains((today + 6) % 7) && minute < closes
  }
}
