internal import FencelineCivilTime

/// So long after the request was made, and perhaps each time as long again.
///
/// It counts time that passes, not what clocks show: clocks that are set do not change it. One that repeats keeps its phase.
public struct IntervalTrigger: Hashable, Sendable {
  /// Above 0; at least 60 where it repeats.
  public var seconds: Double
  /// Whether it goes on.
  public var repeats: Bool

  /// A trigger.
  public init(seconds: Double, repeats: Bool = false) {
    self.seconds = seconds
    self.repeats = repeats
  }

  /// The shortest interval, in seconds.
  public static let shortest = 0.001
  /// The shortest interval that may repeat, in seconds.
  public static let shortestRepeated = 60.0
  /// The longest, in seconds: a hundred years.
  public static let longest = 100 * 366 * 86_400.0

  var milliseconds: Int64 { max(1, Int64((seconds * 1000).rounded())) }

  func check() throws(NotificationError) {
    guard seconds >= Self.shortest, seconds.isFinite else {
      throw NotificationError(
        .notificationInvalidNoDate,
        "The interval is \(seconds.plain) s, but it must be above 0, and a millisecond at least. Give a longer one, or use 'fenceline notify now'."
      )
    }
    guard seconds <= Self.longest else {
      throw NotificationError(
        .notificationInvalidNoDate, "The interval is longer than a hundred years. Give a shorter one.")
    }
    guard !repeats || seconds >= Self.shortestRepeated else {
      throw NotificationError(
        .notificationInvalidNoDate,
        "The interval is \(seconds.plain) s, but one that repeats must be at least 60 s. Give a longer one, or do not repeat it."
      )
    }
  }

  /// The first occurrence after `time`; its key is how many intervals have passed.
  func occurrence(after time: Timestamp, requestedAt anchor: Timestamp) -> Occurrence {
    let passed = Timestamp(milliseconds: time.milliseconds - anchor.milliseconds).split(by: milliseconds)
      .whole
    return occurrence(repeats ? max(1, passed + 1) : 1, requestedAt: anchor)
  }

  /// The occurrence of a number, counted from 1.
  func occurrence(_ number: Int64, requestedAt anchor: Timestamp) -> Occurrence {
    Occurrence(key: number, at: Timestamp(milliseconds: anchor.milliseconds + number * milliseconds))
  }
}

extension Double {
  /// Without a point where it is whole.
  var plain: String { self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : description }
}
