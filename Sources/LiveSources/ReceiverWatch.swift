/// Tells from what comes from a receiver, and when, in which state it is.
///
/// A report without a fix counts only where a fix is overdue: many receivers report an instant several times, first without its
/// position. One that sends something but neither fixes nor reports of having none is without a fix as well.
struct ReceiverWatch: Sendable {
  /// What was last told; nil where nothing was.
  private(set) var state: SignalState?
  /// When something came last, in milliseconds since the machine was started; at first, when it could have.
  private(set) var heardAt: Int64

  private let silence: Int64
  private var fixAt: Int64
  private var reportAt: Int64?
  /// Whether nothing has come since it could, or since the silence was told.
  private var isAwaited = true
  /// Milliseconds between the last reports.
  private var intervals: [Int64] = []

  /// - Parameters:
  ///   - silence: Milliseconds without a word after which it is silent.
  ///   - now: Milliseconds since the machine was started, as every instant here.
  init(silence: Int64, at now: Int64) {
    self.silence = silence
    heardAt = now
    fixAt = now
  }

  /// The median of the last five intervals, in milliseconds; 0 where there is none.
  private var usualInterval: Int64 {
    intervals.isEmpty ? 0 : intervals.sorted()[intervals.count / 2]
  }

  /// Milliseconds without a word after which the receiver is silent.
  var limit: Int64 { max(silence, 3 * usualInterval) }

  /// Whether it has spoken in the last seconds, or is as good as new.
  func isLively(at now: Int64) -> Bool {
    now - heardAt < (reportAt == nil ? silence : max(2_000, 3 * usualInterval))
  }

  /// Takes a word that tells nothing of a position.
  mutating func hear(at now: Int64) {
    // With the first word a fix is not overdue, however long the wait was.
    if isAwaited { fixAt = now - 1 }
    isAwaited = false
    heardAt = now
  }

  /// Takes a fix.
  ///
  /// - Returns: Whether the state has changed.
  mutating func takeFix(mode: Int, at now: Int64) -> Bool {
    report(at: now)
    fixAt = now
    return change(to: SignalState(mode: mode))
  }

  /// Takes a report that there is no fix.
  ///
  /// - Returns: Whether the state has changed.
  mutating func takeNoFix(at now: Int64) -> Bool {
    report(at: now)
    let hasFix = state == .twoD || state == .threeD
    guard !hasFix || now - fixAt >= max(1_000, usualInterval * 3 / 2) else { return false }
    return change(to: .noFix)
  }

  /// Looks at the clock.
  ///
  /// - Returns: Whether the state has changed.
  mutating func check(at now: Int64) -> Bool {
    if now - heardAt >= limit {
      isAwaited = true
      return change(to: .silent)
    }
    return heardAt > fixAt && now - fixAt >= fixLimit ? change(to: .noFix) : false
  }

  /// When ``check(at:)`` is due; nil where it would change nothing.
  var nextCheck: Int64? {
    switch state {
    case .silent: isAwaited ? nil : fixAt + fixLimit
    case .noFix: heardAt + limit
    default: heardAt > fixAt ? min(heardAt + limit, fixAt + fixLimit) : heardAt + limit
    }
  }

  private var fixLimit: Int64 { max(3_000, 3 * usualInterval) }

  private mutating func report(at now: Int64) {
    isAwaited = false
    if let last = reportAt, state != .silent {
      // No receiver reports more often; it is the same instant again.
      guard now - last >= 50 else {
        heardAt = now
        return
      }
      intervals.append(now - last)
      if intervals.count > 5 { intervals.removeFirst() }
    }
    reportAt = now
    heardAt = now
  }

  private mutating func change(to new: SignalState) -> Bool {
    guard new != state else { return false }
    state = new
    return true
  }
}
