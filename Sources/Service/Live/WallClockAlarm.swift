internal import CFencelineLinux
internal import FencelineCivilTime
internal import Glibc

/// An alarm by the wall clock, which also tells when somebody sets that clock.
///
/// It is used by one thread. An instant is due when the clock shows it or anything later, whether the clock went there or was put there. A
/// computer that wakes up has set its clock too.
///
/// ```swift
/// alarm.set(to: queue.nextDue)
/// poll([alarm.descriptor, …])
/// if alarm.take().contains(.clockWasSet) { queue.recompute() }
/// ```
///
/// - Source: timerfd_create(2), TFD_TIMER_CANCEL_ON_SET.
final class WallClockAlarm {
  enum Event: Hashable, Sendable {
    /// The clock has reached the instant; told once.
    case due
    /// The clock was set, forward or back: what follows from the time of day must be worked out again.
    case clockWasSet
  }

  /// poll(2) finds it ready while there is an event to take.
  let descriptor: Int32
  private var instant: Timestamp?
  /// The kernel has told of it where the alarm was set, and will not tell again.
  private var owesClockWasSet = false

  /// The timer only notices that the clock is set while it runs, so without an instant it runs to one that never comes, in 2200.
  private static let never = Timestamp(milliseconds: 7_258_118_400_000)

  /// An alarm without an instant; nil where the system has no descriptor left.
  init?() {
    descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    start(at: Self.never)
  }

  deinit { close(descriptor) }

  /// Sets the alarm to another instant; nil for none. One that has passed is due at once.
  func set(to instant: Timestamp?) {
    guard instant != self.instant else { return }
    self.instant = instant
    start(at: instant ?? Self.never)
  }

  /// Takes what has happened, and none of it twice.
  func take() -> Set<Event> {
    var expirations: UInt64 = 0
    let count = unsafe read(descriptor, &expirations, MemoryLayout<UInt64>.size)
    let wasCancelled = count < 0 && errno == ECANCELED
    if count < 0, !wasCancelled { return [] }
    var events: Set<Event> = wasCancelled || owesClockWasSet ? [.clockWasSet] : []
    owesClockWasSet = false
    // The kernel tells one thing at a time, so the clock is asked for the other.
    if let instant, instant <= Self.now {
      self.instant = nil
      events.insert(.due)
    }
    if count > 0 || !events.isEmpty { start(at: instant ?? Self.never) }
    return events
  }

  private func start(at instant: Timestamp) {
    // No time at all would stop the timer.
    let (seconds, rest) = max(instant, Timestamp(milliseconds: 1)).split(by: 1000)
    var time = itimerspec()
    time.it_value.tv_sec = Int(seconds)
    time.it_value.tv_nsec = Int(rest) * 1_000_000
    let flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET
    guard unsafe timerfd_settime(descriptor, Int32(flags), &time, nil) != 0, errno == ECANCELED else {
      return
    }
    // The clock was set since the last look. The timer runs; it is made to be ready at once, so that this is taken.
    owesClockWasSet = true
    time = itimerspec()
    time.it_value.tv_nsec = 1
    unsafe timerfd_settime(descriptor, 0, &time, nil)
  }

  private static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

@available(*, unavailable)
extension WallClockAlarm: Sendable {}
