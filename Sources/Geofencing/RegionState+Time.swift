internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelinePositioning

extension CrossingEvaluator {
  /// Milliseconds: how old the last fix may be when a dwell is told without one.
  public static let dwellWithoutFix: Int64 = 120_000
  /// Milliseconds after a dwell's time within which a fix that follows may still tell that the device has left.
  public static let dwellGrace: Int64 = 2_000
}

/// What time brings about without a fix, for a device that is inside.
extension RegionState {
  /// Tells the dwells that are due and ends the visit where the region has expired.
  mutating func advance(
    to now: Timestamp, after last: Fix, _ rules: RegionRules, into outcomes: inout [Outcome]
  ) {
    let expiry = rules.expires.flatMap { $0 <= now ? $0 : nil }
    while let due = nextDwell(after: last, rules), due.milliseconds <= (expiry ?? now).milliseconds {
      let isCertain = expiry != nil || due.milliseconds + CrossingEvaluator.dwellGrace <= now.milliseconds
      guard isCertain else { break }
      outcomes.append(
        .crossing(
          Crossing(
            device: last.device, region: rules.id, kind: .dwell, at: due, confirmedAt: now, earliest: due,
            latest: due, cause: .observed, notify: true, coordinate: last.coordinate)))
      dwelt = rules.nextDwell(after: dwelt) ?? dwelt
    }
    guard let expiry else { return }
    outcomes.append(.visitEnded(device: last.device, region: rules.id, at: max(expiry, last.time), .expired))
    self = RegionState(side: .outside, place: place)
  }

  /// When the next of those is due.
  func nextDue(after last: Fix, _ rules: RegionRules) -> Timestamp? {
    let dwell = nextDwell(after: last, rules).map {
      Timestamp(milliseconds: $0.milliseconds + CrossingEvaluator.dwellGrace)
    }
    guard let expires = rules.expires else { return dwell }
    return min(dwell ?? expires, expires)
  }

  /// The next dwell that needs no fix: its time is not too long after the last one, which was within the perimeter.
  private func nextDwell(after last: Fix, _ rules: RegionRules) -> Timestamp? {
    guard let next = rules.nextDwell(after: dwelt), let place, place.distance <= rules.radius else {
      return nil
    }
    let due = Timestamp(rounding: visitFrom + next)
    return due.milliseconds - last.time.milliseconds < CrossingEvaluator.dwellWithoutFix ? due : nil
  }
}
