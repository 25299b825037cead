package import FencelineCivilTime
internal import FencelineNotifying

/// How a notification centre behaves, beside what stands in its database.
package struct CentreSettings: Sendable {
  /// Which of the pending requests of an app goes where there are too many.
  package enum Eviction: String, Hashable, Sendable, CaseIterable {
    /// The one that is due last; as iOS 10 did.
    case keepSoonest = "keep-soonest"
    /// The one that was added first; as iOS 11 and later do.
    case keepLast = "keep-last"
    /// None: the new one is refused.
    case reject
  }

  /// How many requests of an app may be pending; nil is any number. iOS has 64.
  package var pendingLimit: Int?
  /// Which goes where there are more.
  package var eviction = Eviction.keepSoonest
  /// When summaries are shown: minutes after local midnight, ascending; empty is never.
  package var summaryTimes: [Int] = []
  /// Milliseconds that a foreground client has to say how a notification is shown.
  package var presentationDeadline: Int64 = 3_000
  /// Whether one that it says nothing about is shown; iOS does not show it.
  package var showsUnanswered = true
  /// Whether a client of an app decides how its notifications are shown.
  package var isForeground: @Sendable (String) -> Bool = { _ in false }
  /// Whether there is a sound of a name; nil where nobody can tell.
  package var hasSound: (@Sendable (String) -> Bool)?
  /// What clocks show where this machine is.
  package var localZone: CivilZone
  /// Finds the zone of a name; nil where there is none.
  package var zone: @Sendable (String) -> CivilZone?

  /// The usual settings.
  package init(
    localZone: CivilZone = .utc, zone: @escaping @Sendable (String) -> CivilZone? = { _ in nil }
  ) {
    self.localZone = localZone
    self.zone = zone
  }

  /// What clocks show for a trigger.
  func zone(of choice: CalendarTrigger.Zone) -> CivilZone? {
    switch choice {
    case .floating: localZone
    case .fixed(let name): zone(name)
    }
  }

  /// The time of the next summary.
  func nextSummary(after now: Timestamp) -> Timestamp? {
    var next: Timestamp?
    for minutes in summaryTimes {
      guard let rule = try? CalendarRule(.init(hour: minutes / 60, minute: minutes % 60)),
        let time = rule.next(after: now, in: localZone)
      else { continue }
      next = min(next ?? time, time)
    }
    return next
  }
}
