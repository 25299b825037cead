/// What makes a notification due.
public enum NotificationTrigger: Hashable, Sendable {
  /// Time that passes.
  case interval(IntervalTrigger)
  /// What clocks show.
  case calendar(CalendarTrigger)
  /// A device that comes or goes.
  case location(LocationTrigger)
  /// It came from elsewhere.
  case push

  /// Whether the request stays when it has fired.
  public var repeats: Bool {
    switch self {
    case .interval(let trigger): trigger.repeats
    case .calendar(let trigger): trigger.repeats
    case .location(let trigger): trigger.repeats
    case .push: false
    }
  }

  /// Whether time makes it due.
  public var isTimed: Bool {
    switch self {
    case .interval, .calendar: true
    case .location, .push: false
    }
  }
}
